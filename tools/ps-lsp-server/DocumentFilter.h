// SPDX-License-Identifier: Apache-2.0
//===- DocumentFilter.h - documents as MLIR's server can parse them -------===//

#ifndef PS_TOOLS_PS_LSP_SERVER_DOCUMENTFILTER_H
#define PS_TOOLS_PS_LSP_SERVER_DOCUMENTFILTER_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace ps {

/// Passes on the messages of an editor, with the text of documents rewritten by
/// readNewerSyntax. Lines and columns are those of the editor's text, so every
/// other message, in either direction, is right as it is.
class DocumentFilter {
public:
  /// Copies messages from the file descriptor `in` to `out` until `in` ends.
  /// They have a header with their length, or end with a line "// -----".
  void run(int in, llvm::raw_ostream &out);

private:
  /// The message that the server gets.
  std::string rewrite(const std::string &message);
  void open(llvm::json::Object &document);
  void change(llvm::StringRef document, llvm::json::Array &changes);

  /// The text of each document that is open, as the editor has it.
  llvm::StringMap<std::string> texts;
};

} // namespace ps

#endif // PS_TOOLS_PS_LSP_SERVER_DOCUMENTFILTER_H
