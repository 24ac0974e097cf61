// SPDX-License-Identifier: Apache-2.0
//===- DocumentFilter.cpp - documents as MLIR's server can parse them -----===//
//
// MLIR's server parses documents itself, and has no place for a rewriter of
// their text. An edit may change a part of what is rewritten only: the filter
// applies edits to its own copy of the text, and sends that as a whole.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-lsp-server/DocumentFilter.h"
#include "compiler/parse/InputLimits.h"
#include "compiler/parse/NewerSyntax.h"

#include "mlir/Tools/lsp-server-support/Protocol.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <optional>
#include <unistd.h>

using namespace ps;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Documents
//===----------------------------------------------------------------------===//

/// The text for the server. For one that it cannot read safely it gets an op
/// that is none, whose name says why.
static std::string readText(StringRef text) {
  if (!checkInput(llvm::MemoryBufferRef(text, "document"), "").empty())
    return "exceeds_a_limit_of_ps_opt\n";
  return readNewerSyntax(llvm::MemoryBuffer::getMemBufferCopy(text))
      ->getBuffer()
      .str();
}

void DocumentFilter::open(json::Object &document) {
  auto uri = document.getString("uri"), text = document.getString("text");
  if (!uri || !text)
    return;
  texts[*uri] = text->str();
  document["text"] = readText(texts[*uri]);
}

void DocumentFilter::change(StringRef document, json::Array &changes) {
  auto found = texts.find(document);
  if (found == texts.end())
    return;
  for (const json::Value &value : changes) {
    mlir::lsp::TextDocumentContentChangeEvent event;
    json::Path::Root root;
    // The server reports an edit that is none, and closes the document.
    if (!fromJSON(value, event, root) || failed(event.applyTo(found->second)))
      return;
  }
  changes = json::Array{json::Object{{"text", readText(found->second)}}};
}

std::string DocumentFilter::rewrite(const std::string &message) {
  llvm::Expected<json::Value> parsed = json::parse(message);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return message; // for the server to report
  }
  json::Object *call = parsed->getAsObject();
  json::Object *params = call ? call->getObject("params") : nullptr;
  json::Object *document = params ? params->getObject("textDocument") : nullptr;
  auto uri = document ? document->getString("uri") : std::nullopt;
  if (!uri)
    return message;
  StringRef method = call->getString("method").value_or("");
  json::Array *changes = params->getArray("contentChanges");
  if (method == "textDocument/didOpen")
    open(*document);
  else if (method == "textDocument/didChange" && changes)
    change(*uri, *changes);
  else if (method == "textDocument/didClose")
    texts.erase(*uri);
  else
    return message;
  return llvm::formatv("{0}", *parsed);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {

/// Reads a file descriptor. Not a FILE: exit() may wait for the lock of one
/// that a thread reads.
class Input {
public:
  explicit Input(int file) : file(file) {}

  /// The next `size` bytes, or what is left.
  std::string read(size_t size) {
    std::string bytes;
    for (char c; bytes.size() != size && get(c);)
      bytes += c;
    return bytes;
  }
  /// The next line with its end; nothing at the end of the input.
  std::string readLine() {
    std::string line;
    for (char c; !StringRef(line).ends_with("\n") && get(c);)
      line += c;
    return line;
  }

private:
  bool get(char &c) {
    if (at == end) {
      ssize_t count = llvm::sys::RetryAfterSignal(
          -1, [this] { return ::read(file, buffer, sizeof(buffer)); });
      at = 0;
      end = std::max<ssize_t>(count, 0);
    }
    if (at == end)
      return false;
    c = buffer[at++];
    return true;
  }

  int file;
  char buffer[4096];
  size_t at = 0, end = 0;
};

/// A message, and whether a header with its length came before it.
struct Message {
  std::string text;
  bool hasHeader = false;
};

} // namespace

/// Reads a message in either form; none at the end, or where the length of one
/// cannot be read.
static std::optional<Message> readMessage(Input &input) {
  Message message;
  size_t length = 0;
  for (std::string text = input.readLine(); !text.empty();
       text = input.readLine()) {
    StringRef line = StringRef(text).trim();
    if (line.consume_front("Content-Length:")) {
      if (!llvm::to_integer(line.trim(), length))
        return std::nullopt;
      message.hasHeader = true;
    } else if (message.hasHeader && line.empty())
      return Message{input.read(length), true};
    else if (line == "// -----" && !message.text.empty())
      break;
    else if (!message.hasHeader && !line.empty() && !line.starts_with("//"))
      message.text += text;
  }
  if (message.text.empty())
    return std::nullopt;
  return message;
}

void DocumentFilter::run(int in, llvm::raw_ostream &out) {
  Input input(in);
  while (std::optional<Message> message = readMessage(input)) {
    std::string text = rewrite(message->text);
    if (message->hasHeader)
      out << "Content-Length: " << text.size() << "\r\n\r\n" << text;
    else
      out << text << "\n// -----\n";
    out.flush();
  }
}
