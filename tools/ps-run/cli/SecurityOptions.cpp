// SPDX-License-Identifier: Apache-2.0
//===- SecurityOptions.cpp - options about access to a job ----------------===//
//
// A secret is in a file, never on the command line, which all users of a
// machine can list.
//
//===----------------------------------------------------------------------===//

#include "tools/ps-run/cli/SecurityOptions.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Descriptor.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Authentication.h"
#include "tools/ps-run/cli/OptionValues.h"
#include "tools/ps-run/config/UsageError.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>

using namespace ps;
using runtime::Descriptor;

static constexpr char tokenVariable[] = "PS_TOKEN_FILE";

void ps::addSecurityOptions(CLI::App &app, SecurityFiles &files) {
  addOption(app, "--token-file", files.token, text("FILE"),
            "file with the job's token, 16 to 4096 bytes that only processes "
            "of the job know, the same in all of them: processes that cannot "
            "prove that they have it are refused (default: what PS_TOKEN_FILE "
            "names, or no token)");
  addOption(app, "--tls-cert", files.certificate, text("FILE"),
            "encrypt connections with TLS: the certificate that this process "
            "shows to others, in PEM format. Expects --tls-key and --tls-ca, "
            "and the same of all processes of a job");
  addOption(app, "--tls-key", files.key, text("FILE"),
            "the certificate's private key, without a password");
  addOption(app, "--tls-ca", files.authorities, text("FILE"),
            "certificates of the authorities that have signed those of the "
            "job's processes: others are refused");
}

void ps::addListenOption(CLI::App &app, bool &insecure) {
  app.add_flag("--insecure", insecure,
               "listen at addresses that other machines can connect to, "
               "although nothing is encrypted");
}

/// The first `most` bytes of a file.
static absl::StatusOr<std::string> readStart(absl::string_view source,
                                             const std::string &path,
                                             size_t most, bool isSecret) {
  auto failure = [&] {
    return usageError(absl::StrCat(source, ": cannot read '", path,
                                   "': ", std::strerror(errno)));
  };
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat info = {};
  if (!file || ::fstat(file.get(), &info) != 0)
    return failure();
  if (isSecret && S_ISREG(info.st_mode) && (info.st_mode & 077) != 0)
    runtime::logWarning(absl::StrCat("other users may read '", path,
                                     "': restrict it with chmod 600"));
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

static absl::StatusOr<std::string> readToken(const std::string &source,
                                             const std::string &path) {
  // White space at the end may follow a token of full length.
  constexpr size_t most = runtime::maxTokenBytes + 64;
  ASSIGN_OR_RETURN(std::string token,
                   readStart(source, path, most, /*isSecret=*/true));
  absl::StripTrailingAsciiWhitespace(&token);
  if (token.size() >= runtime::minTokenBytes &&
      token.size() <= runtime::maxTokenBytes)
    return token;
  return usageError(absl::StrCat(
      source, ": expected ", runtime::minTokenBytes, " to ",
      runtime::maxTokenBytes, " bytes in '", path, "', found ",
      token.size() > runtime::maxTokenBytes ? "more"
                                            : absl::StrCat(token.size())));
}

static absl::StatusOr<runtime::Certificates>
readCertificates(const SecurityFiles &files) {
  // Those of all of the world's authorities take less than one.
  constexpr size_t most = size_t(4) << 20;
  runtime::Certificates certificates;
  for (auto [flag, path, text] :
       {std::tuple("--tls-cert", &files.certificate, &certificates.certificate),
        std::tuple("--tls-key", &files.key, &certificates.key),
        std::tuple("--tls-ca", &files.authorities,
                   &certificates.authorities)}) {
    if (path->empty())
      return usageError(absl::StrCat(flag, " is missing: TLS needs --tls-cert, "
                                           "--tls-key and --tls-ca"));
    ASSIGN_OR_RETURN(*text, readStart(flag, *path, most,
                                      /*isSecret=*/path == &files.key));
  }
  if (absl::Status status = checkCertificates(certificates); !status.ok())
    return usageError(std::string(status.message()));
  return certificates;
}

absl::Status ps::readSecurity(const Environment &environment,
                              SecurityFiles &files,
                              runtime::Security &security) {
  std::string source = "--token-file";
  const char *inherited = environment(tokenVariable);
  if (files.token.empty() && inherited) {
    files.token = inherited;
    source = tokenVariable;
  }
  if (!files.token.empty()) {
    ASSIGN_OR_RETURN(security.token, readToken(source, files.token));
  }
  if (!files.certificate.empty() || !files.key.empty() ||
      !files.authorities.empty()) {
    ASSIGN_OR_RETURN(security.certificates, readCertificates(files));
  }
  return absl::OkStatus();
}
