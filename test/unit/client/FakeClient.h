// SPDX-License-Identifier: Apache-2.0
//===- FakeClient.h - a client without a pserver --------------------------===//

#ifndef PS_TEST_UNIT_CLIENT_FAKECLIENT_H
#define PS_TEST_UNIT_CLIENT_FAKECLIENT_H

#include "runtime/client/Client.h"
#include <string>

namespace ps::runtime {

/// Answers nothing; a test overrides what it calls.
class FakeClient : public Client {
public:
  const std::string &endpoint() const override { return name; }
  void push(int64_t, std::span<const SendPart>, Done) override {}
  void pull(int64_t, std::span<const RecvPart>, Done) override {}
  void pushPull(int64_t, std::span<const SendPart>, std::span<const RecvPart>,
                Done) override {}
  void prefetch(int64_t, const RowRequest &, RowsDone) override {}
  void pushRows(int64_t, const RowGradients &, Done) override {}
  void pullChanges(int64_t, const TableRows &, uint64_t,
                   ReceiveChanges) override {}
  void sendBarrier(int64_t, Done) override {}
  void fetchBarrier(int64_t, Done) override {}
  void mergeMetric(const std::string &, int64_t, std::span<double>,
                   Done) override {}
  void save(const SaveRequest &, ReceiveSaved) override {}
  void complete(Done) override {}
  void confirmCompletion(Done) override {}
  void abort(const std::string &, Done) override {}
  absl::Status health() const override { return absl::OkStatus(); }
  std::optional<PendingCall> findPending() const override {
    return std::nullopt;
  }
  const Welcome &welcome() const override { return none; }

private:
  const Welcome none;
  const std::string name = "fake";
};

} // namespace ps::runtime

#endif // PS_TEST_UNIT_CLIENT_FAKECLIENT_H
