// SPDX-License-Identifier: Apache-2.0
//===- Certificates.cpp - TLS certificate, key and trusted authorities ----===//
//
// gRPC reports a broken file late, or as a port that cannot be listened on, so
// the files are looked at first.
//
//===----------------------------------------------------------------------===//

#include "runtime/protocol/Certificates.h"
#include "runtime/base/Status.h"
#include <memory>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

using namespace ps::runtime;

namespace {
struct Free {
  void operator()(BIO *bio) const { BIO_free(bio); }
  void operator()(X509 *certificate) const { X509_free(certificate); }
  void operator()(EVP_PKEY *key) const { EVP_PKEY_free(key); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;
} // namespace

static Owned<BIO> openText(const std::string &text) {
  return Owned<BIO>(
      BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// Never asks on the terminal for the password of an encrypted file.
static int havePassword(char *, int, int, void *) { return 0; }

static Owned<X509> readCertificate(const std::string &text) {
  const Owned<BIO> bio = openText(text);
  return Owned<X509>(
      PEM_read_bio_X509(bio.get(), nullptr, havePassword, nullptr));
}

static Owned<EVP_PKEY> readKey(const std::string &text) {
  const Owned<BIO> bio = openText(text);
  return Owned<EVP_PKEY>(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, havePassword, nullptr));
}

static absl::Status check(const Certificates &certificates) {
  const Owned<X509> certificate = readCertificate(certificates.certificate);
  if (!certificate)
    return absl::InvalidArgumentError(
        "--tls-cert: expected a certificate in PEM format");
  const Owned<EVP_PKEY> key = readKey(certificates.key);
  if (!key)
    return absl::InvalidArgumentError("--tls-key: expected a private key in "
                                      "PEM format, without a password");
  if (!readCertificate(certificates.authorities))
    return absl::InvalidArgumentError(
        "--tls-ca: expected certificates in PEM format");
  if (X509_check_private_key(certificate.get(), key.get()) != 1)
    return absl::InvalidArgumentError(
        "--tls-key: it is not the key of the certificate in --tls-cert");
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) < 0)
    return absl::InvalidArgumentError("--tls-cert: the certificate has "
                                      "expired");
  if (X509_cmp_current_time(X509_get0_notBefore(certificate.get())) > 0)
    return absl::InvalidArgumentError("--tls-cert: the certificate is not "
                                      "valid yet");
  return absl::OkStatus();
}

absl::Status ps::runtime::checkCertificates(const Certificates &certificates) {
  absl::Status status = check(certificates);
  // What failed in here is no error of a later call.
  ERR_clear_error();
  return status;
}
