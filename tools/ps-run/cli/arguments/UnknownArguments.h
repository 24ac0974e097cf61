// SPDX-License-Identifier: Apache-2.0
//===- UnknownArguments.h - what no option of ps-run takes ----------------===//

#ifndef PS_TOOLS_PS_RUN_CLI_ARGUMENTS_UNKNOWNARGUMENTS_H
#define PS_TOOLS_PS_RUN_CLI_ARGUMENTS_UNKNOWNARGUMENTS_H

#include "absl/status/status.h"
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace ps {

/// What to do instead of giving these arguments, the first of which is a flag;
/// "" if there is no advice.
using UnknownFlagAdvice =
    std::function<std::string(const std::vector<std::string> &)>;

/// The flag of `app` that is spelled nearly as `flag` is, or "".
std::string findSimilar(const CLI::App &app, const std::string &flag);

/// The error of usage for arguments that `app` does not know: of the first,
/// with the advice, or else the flag that may be meant.
absl::Status unknownArguments(const CLI::App &app,
                              const std::vector<std::string> &arguments,
                              const UnknownFlagAdvice &advise);

/// The advice where the first is an option of --ps-transpile: how to give
/// launch all that are, together with what --transpile has got already, since
/// only the last --transpile counts.
std::string adviseTranspile(const std::vector<std::string> &arguments,
                            std::string transpile,
                            const std::vector<std::string> &transpileOptions);

/// The error of usage for a word that is no file, but nearly `command`.
absl::Status checkCommand(const std::string &word, const std::string &command);

} // namespace ps

#endif // PS_TOOLS_PS_RUN_CLI_ARGUMENTS_UNKNOWNARGUMENTS_H
