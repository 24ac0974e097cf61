// SPDX-License-Identifier: Apache-2.0
//===- SuccessorClient.cpp - goes on where another process ended ----------===//
//
// A pserver applies what a trainer pushes of a block or table in the order of
// the steps, so one number for each says what it has. The first steps of a
// successor may find some units ahead of others, of which the process before
// could not push the last ones any more.
//
//===----------------------------------------------------------------------===//

#include "runtime/client/SuccessorClient.h"
#include <utility>
#include <vector>

using namespace ps::runtime;

namespace {
class SuccessorClient final : public Client {
public:
  explicit SuccessorClient(std::unique_ptr<Client> client)
      : inner(std::move(client)), known(inner->welcome().predecessor) {}

  const std::string &endpoint() const override { return inner->endpoint(); }
  void push(int64_t step, std::span<const SendPart> parts, Done done) override {
    std::vector<SendPart> left;
    for (const SendPart &part : parts)
      if (!isApplied(known.blocks, part.block, step))
        left.push_back(part);
    if (left.empty())
      return done(absl::OkStatus());
    inner->push(step, left, std::move(done));
  }
  void pushRows(int64_t step, const RowGradients &rows, Done done) override {
    if (isApplied(known.tables, rows.table, step))
      return done(absl::OkStatus());
    inner->pushRows(step, rows, std::move(done));
  }
  void pull(int64_t step, std::span<const RecvPart> parts, Done done) override {
    inner->pull(step, parts, std::move(done));
  }
  void pushPull(int64_t step, std::span<const SendPart> parts,
                std::span<const RecvPart> places, Done done) override {
    inner->pushPull(step, parts, places, std::move(done));
  }
  void prefetch(int64_t step, const RowRequest &request,
                RowsDone done) override {
    inner->prefetch(step, request, std::move(done));
  }
  void pullChanges(int64_t step, const TableRows &table, uint64_t number,
                   ReceiveChanges done) override {
    inner->pullChanges(step, table, number, std::move(done));
  }
  void sendBarrier(int64_t step, Done done) override {
    inner->sendBarrier(step, std::move(done));
  }
  void fetchBarrier(int64_t step, Done done) override {
    inner->fetchBarrier(step, std::move(done));
  }
  void mergeMetric(const std::string &metric, int64_t epoch,
                   std::span<double> sums, Done done) override {
    inner->mergeMetric(metric, epoch, sums, std::move(done));
  }
  void save(const SaveRequest &request, ReceiveSaved done) override {
    inner->save(request, std::move(done));
  }
  void complete(Done done) override { inner->complete(std::move(done)); }
  void confirmCompletion(Done done) override {
    inner->confirmCompletion(std::move(done));
  }
  void abort(const std::string &reason, Done done) override {
    inner->abort(reason, std::move(done));
  }
  absl::Status health() const override { return inner->health(); }
  std::optional<PendingCall> findPending() const override {
    return inner->findPending();
  }
  const Welcome &welcome() const override { return inner->welcome(); }

private:
  static bool isApplied(const std::map<std::string, int64_t> &units,
                        const std::string &name, int64_t step) {
    auto found = units.find(name);
    return found != units.end() && step <= found->second;
  }

  const std::unique_ptr<Client> inner;
  const Predecessor &known;
};
} // namespace

std::unique_ptr<Client>
ps::runtime::makeSuccessorClient(std::unique_ptr<Client> client) {
  return std::make_unique<SuccessorClient>(std::move(client));
}
