// SPDX-License-Identifier: Apache-2.0
//===- SecurityOptions.cpp - options about who may connect ----------------===//
//
// A secret is in a file, never on the command line, which all users of a
// machine can list.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/SecurityOptions.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Authentication.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/driver/UsageError.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

using namespace ps;
using runtime::Descriptor;

static constexpr char tokenVariable[] = "PS_TOKEN_FILE";

void ps::addTokenOption(CLI::App &app, std::string &tokenFile) {
  addOption(app, "--token-file", tokenFile, text("FILE"),
            "file with the job's token, 16 to 4096 bytes that only processes "
            "of the job know, the same in all of them: processes that cannot "
            "prove that they have it are refused (default: what PS_TOKEN_FILE "
            "names, or no token)");
}

void ps::addListenOptions(CLI::App &app, RunConfig &config) {
  app.add_flag("--insecure", config.insecure,
               "listen at addresses that other machines can connect to, "
               "although nothing is encrypted");
}

/// The file's bytes, up to one more than a token has.
static absl::StatusOr<std::string> readStart(const std::string &source,
                                             const std::string &path) {
  auto failure = [&] {
    return usageError(absl::StrCat(source, ": cannot read '", path,
                                   "': ", std::strerror(errno)));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info = {};
  if (!file || ::fstat(file.get(), &info) != 0)
    return failure();
  if (S_ISREG(info.st_mode) && (info.st_mode & 077) != 0)
    fprintf(stderr,
            "ps-run: warning: other users may read '%s': restrict it with "
            "chmod 600\n",
            path.c_str());
  // White space at the end may follow a token of full length.
  constexpr size_t most = runtime::maxTokenBytes + 64;
  std::string bytes(most, '\0');
  size_t size = 0;
  while (size < most) {
    const ssize_t count = ::read(file.get(), bytes.data() + size, most - size);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return failure();
    if (count == 0)
      break;
    size += static_cast<size_t>(count);
  }
  bytes.resize(size);
  return bytes;
}

absl::Status ps::readSecurity(const Environment &environment,
                              std::string &tokenFile,
                              runtime::Security &security) {
  const char *inherited = environment(tokenVariable);
  const bool isFlag = !tokenFile.empty();
  if (!isFlag && (!inherited || !*inherited))
    return absl::OkStatus();
  const std::string source = isFlag ? "--token-file" : tokenVariable;
  if (!isFlag)
    tokenFile = inherited;
  ASSIGN_OR_RETURN(std::string token, readStart(source, tokenFile));
  absl::StripTrailingAsciiWhitespace(&token);
  if (token.size() < runtime::minTokenBytes ||
      token.size() > runtime::maxTokenBytes)
    return usageError(absl::StrCat(
        source, ": expected ", runtime::minTokenBytes, " to ",
        runtime::maxTokenBytes, " bytes in '", tokenFile, "', found ",
        token.size() > runtime::maxTokenBytes ? "more"
                                              : absl::StrCat(token.size())));
  security.token = std::move(token);
  return absl::OkStatus();
}
