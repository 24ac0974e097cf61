// SPDX-License-Identifier: Apache-2.0
//===- GrpcChannel.cpp - what both ends of a gRPC link share --------------===//
//
// Errors of gRPC are divided into those that another attempt may not have (link
// failures) and those that show that the peer is not a pserver.
//
//===----------------------------------------------------------------------===//

#include "runtime/links/GrpcChannel.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Log.h"
#include "runtime/base/Status.h"
#include "runtime/protocol/Service.h"
#include <algorithm>
#include <cstdlib>
#include <grpc/support/log.h>

using namespace ps::runtime;

void ps::runtime::quietGrpc() {
  static const bool once = [] {
    if (!std::getenv("GRPC_VERBOSITY"))
      gpr_set_log_function([](gpr_log_func_args *) {});
    else if (getLogFormat() == LogFormat::Json)
      gpr_set_log_function([](gpr_log_func_args *line) {
        writeLog(line->severity == GPR_LOG_SEVERITY_ERROR ? LogLevel::Error
                                                          : LogLevel::Info,
                 absl::StrCat("gRPC: ", line->message));
      });
    return true;
  }();
  (void)once;
}

gpr_timespec ps::runtime::deadlineAfter(absl::Duration duration) {
  return gpr_time_from_nanos(
      absl::ToInt64Nanoseconds(std::min(duration, absl::Hours(24 * 365))),
      GPR_TIMESPAN);
}

std::shared_ptr<grpc::ServerCredentials>
ps::runtime::makeServerCredentials(const Certificates &certificates) {
  if (certificates.isEmpty())
    return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = certificates.authorities;
  options.pem_key_cert_pairs = {{certificates.key, certificates.certificate}};
  return grpc::SslServerCredentials(options);
}

std::shared_ptr<grpc::ChannelCredentials>
ps::runtime::makeChannelCredentials(const Certificates &certificates) {
  if (certificates.isEmpty())
    return grpc::InsecureChannelCredentials();
  return grpc::SslCredentials({.pem_root_certs = certificates.authorities,
                               .pem_private_key = certificates.key,
                               .pem_cert_chain = certificates.certificate});
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Failures that another attempt may not have.
static bool isTransient(grpc::StatusCode code) {
  return code == grpc::StatusCode::UNAVAILABLE ||
         code == grpc::StatusCode::DEADLINE_EXCEEDED ||
         code == grpc::StatusCode::CANCELLED;
}

/// Whether gRPC's account of a failure is that of a server which does not speak
/// HTTP/2. Of one that answers with HTTP's status 200 all that is left is OK.
static bool isFromAnotherServer(const std::string &account) {
  return absl::EndsWith(account, "last error: OK") ||
         absl::StrContains(account, "http1.x server") ||
         absl::StrContains(account, "Failed parsing HTTP/2");
}

/// The TLS error in gRPC's message, or null.
static const char *findTlsFailure(const std::string &account) {
  if (absl::StrContains(account, "wrong version number"))
    return "it does not speak TLS";
  if (absl::StrContains(account, "not in peer certificate"))
    return "its certificate is not for this address";
  if (absl::StrContains(account, "certificate verify failed"))
    return "its certificate has expired, or is not signed by an authority in "
           "--tls-ca";
  if (absl::StrContains(account, "SSL routines") ||
      absl::StrContains(account, "Ssl handshake failed"))
    return "TLS fails";
  return nullptr;
}

/// A pserver always answers with gRPC's OK, except to calls without its pass
/// and without memory, so any other code is the connection's or another
/// server's.
absl::Status ps::runtime::transportError(const grpc::Status &status) {
  const auto code = static_cast<absl::StatusCode>(status.error_code());
  const std::string account = printable(status.error_message());
  if (isFromAnotherServer(account))
    return notAPServerError(absl::Status(code, "it does not speak HTTP/2"));
  if (const char *reason = findTlsFailure(account))
    return notAPServerError(absl::UnauthenticatedError(reason));
  if (isTransient(status.error_code()))
    return linkFailure(code, account);
  if (code == absl::StatusCode::kResourceExhausted &&
      account == noMemoryForAnswer)
    return absl::Status(code, account);
  // ENHANCE_YOUR_CALM: gRPC sends it while the server's quota is used up, also
  // by other trainers' messages.
  if (code == absl::StatusCode::kResourceExhausted &&
      absl::EndsWith(account, "RST_STREAM with error code 11"))
    return linkFailure(code, "the pserver has no memory for more messages");
  if (code == absl::StatusCode::kUnauthenticated && account == notAuthenticated)
    return absl::Status(code,
                        "expected the job's token: give all processes the same "
                        "--token-file");
  return notAPServerError(absl::Status(code, account));
}

//===----------------------------------------------------------------------===//
// Running calls
//===----------------------------------------------------------------------===//

bool RunningCalls::add(grpc::ClientContext &context) {
  MutexLock lock(mutex);
  if (!cancelled)
    contexts.insert(&context);
  return !cancelled;
}

void RunningCalls::remove(grpc::ClientContext &context) {
  MutexLock lock(mutex);
  contexts.erase(&context);
}

void RunningCalls::cancelAll() {
  MutexLock lock(mutex);
  cancelled = true;
  for (grpc::ClientContext *context : contexts)
    context->TryCancel();
}
