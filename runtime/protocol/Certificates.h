// SPDX-License-Identifier: Apache-2.0
//===- Certificates.h - TLS certificate, key and trusted authorities ------===//

#ifndef PS_RUNTIME_PROTOCOL_CERTIFICATES_H
#define PS_RUNTIME_PROTOCOL_CERTIFICATES_H

#include "absl/status/status.h"
#include <string>

namespace ps::runtime {

/// In PEM format; all are empty where there is no TLS.
struct Certificates {
  /// The process's own, followed by those that signed it, and its key.
  std::string certificate, key;
  /// Those that have signed the certificates of the other processes.
  std::string authorities;

  bool isEmpty() const { return certificate.empty(); }
};

/// INVALID_ARGUMENT for what TLS would fail with when it is used: text that is
/// no certificate or no key, a key of another certificate, a certificate that
/// has expired, or is not valid yet.
absl::Status checkCertificates(const Certificates &certificates);

} // namespace ps::runtime

#endif // PS_RUNTIME_PROTOCOL_CERTIFICATES_H
