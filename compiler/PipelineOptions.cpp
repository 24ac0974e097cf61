// SPDX-License-Identifier: Apache-2.0
//===- PipelineOptions.cpp - options of a pipeline, and their names -------===//

#include "compiler/PipelineOptions.h"
#include "dialects/ps/Spelling.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

/// Takes the text up to the next space off the front of `options`; what is
/// in quotes or brackets is one piece.
static StringRef takeOption(StringRef &options) {
  options = options.ltrim();
  int depth = 0;
  char quote = 0;
  size_t end = 0;
  for (; end < options.size(); ++end) {
    char letter = options[end];
    if (quote) {
      quote = letter == quote ? 0 : quote;
      continue;
    }
    if (letter == '"' || letter == '\'')
      quote = letter;
    depth += letter == '{' ? 1 : letter == '}' ? -1 : 0;
    if (letter == ' ' && depth == 0)
      break;
  }
  StringRef option = options.take_front(end);
  options = options.drop_front(end);
  return option;
}

LogicalResult
ps::checkOptionNames(StringRef pipeline, StringRef options,
                     ArrayRef<StringRef> known,
                     function_ref<LogicalResult(const Twine &)> refuse) {
  for (StringRef option = takeOption(options); !option.empty();
       option = takeOption(options)) {
    StringRef name = option.split('=').first;
    if (!llvm::is_contained(known, name))
      return refuse("'" + pipeline + "' has no option '" + name + "'" +
                    suggest(name, known));
  }
  return success();
}
