// SPDX-License-Identifier: Apache-2.0
//===- Security.h - what protects the connections of a job ----------------===//

#ifndef PS_RUNTIME_LINKS_SECURITY_H
#define PS_RUNTIME_LINKS_SECURITY_H

#include "runtime/protocol/Certificates.h"
#include <string>

namespace ps::runtime {

/// The same in all processes of a job.
struct Security {
  /// What both ends of a connection prove to have (Authentication.h); empty: no
  /// end asks.
  std::string token;
  /// Of TLS with certificates of both ends.
  Certificates certificates;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_LINKS_SECURITY_H
