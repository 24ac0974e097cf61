// SPDX-License-Identifier: Apache-2.0
//===- HbmNodes.cpp - nodes that work with rows on a device ---------------===//
//
// Which rows are summed where is decided on the host, by the lists of RowTerms;
// the device sums them, rows for a lookup and gradients for an update alike.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/HbmNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

namespace {

/// RowTerms on the device, and the sums that they describe.
class TermSums {
public:
  explicit TermSums(HbmRows &rows)
      : rows(rows), begins(rows.device()), sources(rows.device()),
        factors(rows.device()), scales(rows.device()) {}

  /// Filled by the caller between two sums.
  RowTerms terms;

  enum class Kind { Lookup, FirstGradient, NextGradient };
  /// Queues the sums of rows at `from`, `stride` bytes apart, to `to`, or adds
  /// them there. `done` as of DeviceArray::upload().
  void queue(Kind kind, const std::byte *from, int64_t stride, std::byte *to,
             Done done) {
    auto join = Join::create(5, std::move(done));
    begins.fill(std::span<const int32_t>(terms.begins), join->part());
    sources.fill(std::span<const int32_t>(terms.sources), join->part());
    factors.fill(std::span<const double>(terms.factors), join->part());
    scales.fill(std::span<const double>(terms.scales), join->part());
    const bool isF32 = rows.table().spec().dtype == DType::F32;
    const int64_t width = rows.table().spec().width;
    const auto results = static_cast<int64_t>(terms.begins.size()) - 1;
    join->finishPart(launchThreads(
        rows.device(),
        isF32 ? rows.functions().sumF32 : rows.functions().sumF64,
        results * width, from, stride / (isF32 ? 4 : 8), begins.data(),
        sources.data(), terms.factors.empty() ? nullptr : factors.data(),
        terms.scales.empty() ? nullptr : scales.data(), to, width,
        int64_t{kind == Kind::Lookup}, int64_t{kind == Kind::NextGradient}));
  }

private:
  HbmRows &rows;
  DeviceArray begins, sources, factors, scales;
};

class HbmReadRowsNode : public Node {
public:
  HbmReadRowsNode(PrefetchCall call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::ReadRows, absl::StrCat("read rows @", call.table, " (hbm)")),
        call(std::move(call)), batch(std::move(batch)) {}

  void start(StepContext &context, Done done) override {
    if (absl::Status status = assignIds(call); !status.ok())
      return done(std::move(status));
    batch->hasGradients = false;
    auto join = Join::create(2, std::move(done));
    batch->rows.bring(batch->batch.ids(), call.create, batch->slots,
                      ParallelStep{context}, join->part());
    present.assign(batch->slots.begin(), batch->slots.end());
    std::ranges::replace(present, HbmRows::kNone, batch->rows.spareSlot());
    batch->deviceSlots.fill(std::span<const uint32_t>(present), join->part());
  }

private:
  PrefetchCall call;
  std::shared_ptr<HbmBatch> batch;
  std::vector<uint32_t> present;
};

class HbmLookupNode : public Node {
public:
  HbmLookupNode(const LookupCall &call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::Lookup,
             absl::StrCat("lookup @", call.table, " ", call.lookup, " (hbm)")),
        call(call), batch(std::move(batch)), sums(this->batch->rows) {}

  void start(StepContext &, Done done) override {
    absl::StatusOr<Bags> bags = getBags(call);
    if (!bags.ok())
      return done(bags.status());
    HbmRows &rows = batch->rows;
    listLookupTerms(batch->batch.places(call.lookup), *bags,
                    rows.table().spec().dtype, batch->slots, HbmRows::kNone,
                    sums.terms);
    sums.queue(TermSums::Kind::Lookup, rows.slab(), rows.stride(),
               call.values.data, std::move(done));
  }

private:
  LookupCall call;
  std::shared_ptr<HbmBatch> batch;
  TermSums sums;
};

class HbmLookupGradientNode : public Node {
public:
  HbmLookupGradientNode(const LookupCall &call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::LookupGradient, absl::StrCat("lookup gradient @", call.table,
                                                " ", call.lookup, " (hbm)")),
        call(call), batch(std::move(batch)), sums(this->batch->rows) {}

  void start(StepContext &, Done done) override {
    absl::StatusOr<Bags> bags = getBags(call);
    if (!bags.ok())
      return done(bags.status());
    RowBatch &rows = batch->batch;
    if (absl::Status status = batch->gradientMemory.reserve(
            size_t(rows.size()) * rows.rowBytes());
        !status.ok())
      return done(std::move(status));
    adder.prepare(rows.rows(), rows.places(call.lookup), *bags, rows.size());
    adder.listTerms(*bags, rows.dtype(), sums.terms);
    sums.queue(std::exchange(batch->hasGradients, true)
                   ? TermSums::Kind::NextGradient
                   : TermSums::Kind::FirstGradient,
               call.values.data, int64_t(rows.rowBytes()),
               batch->gradientMemory.data(), std::move(done));
  }

private:
  const LookupCall call;
  std::shared_ptr<HbmBatch> batch;
  RowGradientAdder adder;
  TermSums sums;
};

class HbmUpdateNode : public Node {
public:
  HbmUpdateNode(HbmUpdateCall call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::UpdateRows,
             absl::StrCat("update rows @", batch->rows.table().spec().name,
                          " (hbm)")),
        call(std::move(call)), batch(std::move(batch)) {}

  void start(StepContext &context, Done done) override {
    auto join = Join::create(2, std::move(done));
    if (call.rateInput)
      call.rateInput->fill(
          std::span<const std::byte>(call.rate.data, call.rate.type.bytes()),
          join->part());
    else
      join->finishPart(absl::OkStatus());
    join->finishPart(finishUpdate(update(), batch->rows.table(),
                                  /*endsStep=*/true, context));
  }

private:
  absl::Status update() {
    if (!batch->hasGradients)
      return absl::InternalError(absl::StrCat(
          "table '@", batch->rows.table().spec().name,
          "': expected the gradients of a lookup before the update"));
    batch->rows.markChanged(batch->slots);
    return call.update->run(batch->deviceSlots.as<uint32_t>(),
                            batch->gradientMemory.data(), batch->batch.size());
  }

  HbmUpdateCall call;
  std::shared_ptr<HbmBatch> batch;
};

} // namespace

std::unique_ptr<Node>
ps::runtime::makeHbmReadRowsNode(PrefetchCall call,
                                 std::shared_ptr<HbmBatch> batch) {
  return std::make_unique<HbmReadRowsNode>(std::move(call), std::move(batch));
}

std::unique_ptr<Node>
ps::runtime::makeHbmLookupNode(const LookupCall &call,
                               std::shared_ptr<HbmBatch> batch) {
  return std::make_unique<HbmLookupNode>(call, std::move(batch));
}

std::unique_ptr<Node>
ps::runtime::makeHbmLookupGradientNode(const LookupCall &call,
                                       std::shared_ptr<HbmBatch> batch) {
  return std::make_unique<HbmLookupGradientNode>(call, std::move(batch));
}

std::unique_ptr<Node>
ps::runtime::makeHbmUpdateNode(HbmUpdateCall call,
                               std::shared_ptr<HbmBatch> batch) {
  return std::make_unique<HbmUpdateNode>(std::move(call), std::move(batch));
}
