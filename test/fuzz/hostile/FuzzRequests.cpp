// SPDX-License-Identifier: Apache-2.0
//===- FuzzRequests.cpp - any requests to a pserver -----------------------===//
//
// Two trainers' worth of requests, in any order and with any fields, to a
// pserver with two blocks and two tables. Each request is answered once, at the
// latest when the pserver stops. Inputs are changed request by request, so that
// most of what a change leaves is still understood.
//
//===----------------------------------------------------------------------===//

#include "absl/synchronization/notification.h"
#include "test/fuzz/hostile/Requests.pb.h"
#include "test/unit/links/TransportCluster.h"
#include <atomic>
#include <random>

using namespace ps::runtime;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size,
                                   size_t mostBytes);

namespace {
/// Has nothing to write.
class NoFiles final : public Saver {
public:
  absl::Status check(std::span<const SaveFolder>) override {
    return absl::OkStatus();
  }
  absl::StatusOr<SavedPart> stage(std::span<const SaveFolder>) override {
    return SavedPart();
  }
  absl::StatusOr<std::string> flush() override { return std::string(32, '0'); }
  absl::StatusOr<std::vector<SavedFile>> seal(const std::string &) override {
    return std::vector<SavedFile>();
  }
  absl::Status publish(const std::string &) override {
    return absl::OkStatus();
  }
  void discard() override {}
};

TableSpec tableOf(const char *name) {
  TableSpec spec;
  spec.name = name;
  spec.width = 4;
  spec.maxRows = 64;
  spec.tracksLastWriter = true;
  return spec;
}

Cluster::Setup setupOf(const wire::Requests &requests, Saver &saver) {
  TableSpec admitting = tableOf("admitting");
  admitting.admission.kind = Admission::Kind::Count;
  admitting.admission.count = 2;
  return {.trainers = 2,
          .synchronization = static_cast<Synchronization>(requests.mode() % 4),
          .blocks = {{"w", {DType::F32, {6}}}, {"b", {DType::F32, {}}}},
          .tables = {tableOf("emb"), admitting},
          .deterministic = requests.deterministic() && requests.mode() == 0,
          .saver = &saver};
}
} // namespace

/// libFuzzer's own change of `bytes`, which may become longer.
static std::string mutate(std::string bytes) {
  constexpr size_t growth = 32;
  const size_t size = bytes.size();
  bytes.resize(size + growth);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()), size,
                                bytes.size()));
  return bytes;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t mostBytes, unsigned seed) {
  std::minstd_rand random(seed);
  wire::Requests requests;
  if (random() % 8 == 0 ||
      !requests.ParseFromArray(data, static_cast<int>(size)) ||
      requests.sent_size() == 0)
    return LLVMFuzzerMutate(data, size, mostBytes);
  const auto any = [&] {
    return static_cast<int>(random() % requests.sent_size());
  };
  wire::SentRequest &sent = *requests.mutable_sent(any());
  switch (random() % 5) {
  case 0:
    requests.mutable_sent()->SwapElements(any(), any());
    break;
  case 1: {
    const wire::SentRequest copy = sent;
    *requests.add_sent() = copy;
    requests.mutable_sent()->SwapElements(requests.sent_size() - 1, any());
    break;
  }
  case 2:
    sent.set_payload(mutate(sent.payload()));
    break;
  default:
    wire::Request changed;
    if (changed.ParseFromString(mutate(sent.request().SerializeAsString())))
      *sent.mutable_request() = changed;
  }
  const std::string bytes = requests.SerializeAsString();
  if (bytes.size() > mostBytes)
    return size;
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  wire::Requests requests;
  constexpr uint32_t mostZeros = 4096;
  constexpr int mostSent = 64;
  // Some are never answered before the pserver stops.
  constexpr absl::Duration longestWait = absl::Milliseconds(10);
  if (!requests.ParseFromArray(data, static_cast<int>(size)) ||
      requests.sent_size() > mostSent)
    return 0;
  NoFiles saver;
  std::atomic<int> answers = 0;
  // Payloads stay valid until the answer.
  std::vector<std::vector<std::byte>> payloads;
  std::vector<Piece> pieces;
  payloads.reserve(requests.sent_size());
  pieces.reserve(requests.sent_size());
  {
    const Cluster cluster(Transport::InProcess, setupOf(requests, saver));
    for (const wire::SentRequest &sent : requests.sent()) {
      const auto bytes = std::as_bytes(std::span(sent.payload()));
      std::vector<std::byte> &payload =
          payloads.emplace_back(bytes.begin(), bytes.end());
      payload.resize(payload.size() + sent.zeros() % mostZeros);
      pieces.push_back(payload);
      auto answered = std::make_shared<absl::Notification>();
      cluster.pserver->call(sent.request(), {&pieces.back(), 1},
                            [&answers, answered](absl::StatusOr<Response>) {
                              ++answers;
                              answered->Notify();
                            });
      if (sent.lost())
        cluster.pserver->callerLost(sent.request());
      if (sent.awaited())
        answered->WaitForNotificationWithTimeout(longestWait);
    }
  }
  if (answers != requests.sent_size())
    std::abort();
  return 0;
}
