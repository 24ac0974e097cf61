// SPDX-License-Identifier: Apache-2.0
//===- HbmNodes.cpp - nodes that work with rows on a device ---------------===//
//
// The host copies feeds to the device: ids, offsets of bags, weights.
// Everything else, which rows are summed and in which order, is computed there.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/HbmNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

static_assert(kIdsOfSum == kLongBag, "long bags are summed as on the host");

namespace {

/// How the threads of a sum are arranged.
struct SumShape {
  int64_t width, laneBits, isWide;
};

SumShape shapeOf(const HbmBatch &batch, const std::byte *a,
                 const std::byte *b) {
  const TableSpec &spec = batch.rows.table().spec();
  const int64_t size = spec.dtype == DType::F32 ? 4 : 8;
  const auto addresses =
      reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b);
  const bool isWide = spec.width * size % 16 == 0 && addresses % 16 == 0;
  return {spec.width, laneBitsOf(isWide ? spec.width * size / 16 : spec.width),
          isWide};
}

/// The bags of a lookup, on the device.
class DeviceBags {
public:
  explicit DeviceBags(Device &device)
      : offsetMemory(device), weightMemory(device), scaleMemory(device),
        bagMemory(device) {}

  /// Copies `bags` and queues the computation of their scales; `done` as of
  /// DeviceArray::fill().
  void assign(const Bags &bags, const HbmBatch &batch, size_t lookup,
              Done done) {
    pooling = bags.pooling;
    count = static_cast<int64_t>(bags.offsets.size());
    hasWeights = bags.weights != nullptr;
    auto join = Join::create(3, std::move(done));
    offsetMemory.fill(bags.offsets, join->part());
    const TableSpec &spec = batch.rows.table().spec();
    const int64_t ids = batch.onDevice.numIds(lookup);
    const size_t size = spec.dtype == DType::F32 ? 4 : 8;
    weightMemory.fill(
        std::span(bags.weights, hasWeights ? size_t(ids) * size : 0),
        join->part());
    absl::Status status = scaleMemory.reserve(size_t(count) * 8);
    const RowFunctions &functions = batch.rows.functions();
    if (status.ok() && isScaled())
      status = launchThreads(
          batch.rows.device(),
          spec.dtype == DType::F32 ? functions.scaleBagsF32
                                   : functions.scaleBagsF64,
          count, offsets(), ids, batch.onDevice.places(lookup), weights(),
          int64_t{pooling == Pooling::SqrtN}, scaleMemory.data());
    join->finishPart(std::move(status));
  }

  /// Queues the list of each id's bag; before bagOf().
  absl::Status listBags(const HbmBatch &batch, size_t lookup) {
    if (pooling == Pooling::None)
      return absl::OkStatus();
    const int64_t ids = batch.onDevice.numIds(lookup);
    RETURN_IF_ERROR(bagMemory.reserve(size_t(ids) * 4));
    return launchThreads(batch.rows.device(), batch.rows.functions().listBags,
                         ids, offsets(), count, bagMemory.data());
  }

  int64_t size() const { return count; }
  // On the device; null where there are none.
  const int64_t *offsets() const { return offsetMemory.as<int64_t>(); }
  const std::byte *weights() const {
    return hasWeights ? weightMemory.data() : nullptr;
  }
  const double *scales() const {
    return isScaled() ? scaleMemory.as<double>() : nullptr;
  }
  const int32_t *bagOf() const {
    return pooling == Pooling::None ? nullptr : bagMemory.as<int32_t>();
  }

private:
  bool isScaled() const {
    return pooling == Pooling::Mean || pooling == Pooling::SqrtN;
  }

  Pooling pooling = Pooling::None;
  int64_t count = 0;
  bool hasWeights = false;
  DeviceArray offsetMemory, weightMemory, scaleMemory, bagMemory;
};

class HbmReadRowsNode : public Node {
public:
  HbmReadRowsNode(PrefetchCall call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::ReadRows, absl::StrCat("read rows @", call.table, " (hbm)")),
        call(std::move(call)), batch(std::move(batch)) {}

  void start(StepContext &context, Done done) override {
    batch->hasGradients = false;
    if (batch->rows.findsOnDevice())
      batch->rows.bring(batch->onDevice, listLookups(call), call.create,
                        ParallelStep{context}, std::move(done));
    else
      findOnHost(context, std::move(done));
  }

private:
  void findOnHost(StepContext &context, Done done) {
    if (absl::Status status = assignIds(call); !status.ok())
      return done(std::move(status));
    auto join = Join::create(2, std::move(done));
    batch->slots.clear();
    batch->rows.bring(batch->batch.ids(), call.create, batch->slots,
                      ParallelStep{context}, join->part());
    batch->onDevice.assign(batch->batch, batch->slots, join->part());
  }

  PrefetchCall call;
  std::shared_ptr<HbmBatch> batch;
};

class HbmLookupNode : public Node {
public:
  HbmLookupNode(const LookupCall &call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::Lookup,
             absl::StrCat("lookup @", call.table, " ", call.lookup, " (hbm)")),
        call(call), batch(std::move(batch)), bags(this->batch->rows.device()) {}

  void start(StepContext &, Done done) override {
    absl::StatusOr<Bags> fed =
        getBags(call, batch->onDevice.numIds(call.lookup));
    if (!fed.ok())
      return done(fed.status());
    if (call.pooling == Pooling::None)
      return done(gather());
    auto join = Join::create(2, std::move(done));
    bags.assign(*fed, *batch, call.lookup, join->part());
    join->finishPart(pool());
  }

private:
  absl::Status gather() {
    const HbmRows &rows = batch->rows;
    const DeviceBatch &ids = batch->onDevice;
    return gatherRows(rows.device(), rows.functions(), rows.slab(),
                      ids.places(call.lookup), ids.slots(), call.values.data,
                      static_cast<int64_t>(rows.table().valueBytes()),
                      ids.numIds(call.lookup));
  }
  absl::Status pool() {
    const HbmRows &rows = batch->rows;
    const DeviceBatch &ids = batch->onDevice;
    const bool isF32 = rows.table().spec().dtype == DType::F32;
    const SumShape shape = shapeOf(*batch, rows.slab().data, call.values.data);
    return launchThreads(
        rows.device(),
        isF32 ? rows.functions().poolF32 : rows.functions().poolF64,
        bags.size() << shape.laneBits, rows.slab().data,
        rows.slab().stride / (isF32 ? 4 : 8), bags.offsets(), bags.size(),
        ids.numIds(call.lookup), ids.places(call.lookup), ids.slots(),
        bags.weights(), bags.scales(), call.values.data, shape.width,
        shape.laneBits, shape.isWide);
  }

  LookupCall call;
  std::shared_ptr<HbmBatch> batch;
  DeviceBags bags;
};

class HbmLookupGradientNode : public Node {
public:
  HbmLookupGradientNode(const LookupCall &call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::LookupGradient, absl::StrCat("lookup gradient @", call.table,
                                                " ", call.lookup, " (hbm)")),
        call(call), batch(std::move(batch)), bags(this->batch->rows.device()),
        positions(this->batch->rows.device(), this->batch->rows.functions()) {}

  void start(StepContext &, Done done) override {
    absl::StatusOr<Bags> fed =
        getBags(call, batch->onDevice.numIds(call.lookup));
    if (!fed.ok())
      return done(fed.status());
    auto join = Join::create(2, std::move(done));
    bags.assign(*fed, *batch, call.lookup, join->part());
    join->finishPart(sum());
  }

private:
  absl::Status sum() {
    const HbmRows &rows = batch->rows;
    const DeviceBatch &ids = batch->onDevice;
    RETURN_IF_ERROR(batch->gradientMemory.reserve(size_t(ids.size()) *
                                                  rows.table().valueBytes()));
    RETURN_IF_ERROR(bags.listBags(*batch, call.lookup));
    RETURN_IF_ERROR(positions.sort(ids.places(call.lookup),
                                   ids.numIds(call.lookup), ids.size()));
    const bool isF32 = rows.table().spec().dtype == DType::F32;
    std::byte *to = batch->gradientMemory.data();
    const SumShape shape = shapeOf(*batch, call.values.data, to);
    const bool adds = std::exchange(batch->hasGradients, true);
    return launchThreads(
        rows.device(),
        isF32 ? rows.functions().sumGradientsF32
              : rows.functions().sumGradientsF64,
        ids.size() << shape.laneBits, call.values.data, positions.begins(),
        positions.positions(), bags.bagOf(), bags.weights(), bags.scales(), to,
        shape.width, shape.laneBits, shape.isWide, int64_t{adds});
  }

  const LookupCall call;
  std::shared_ptr<HbmBatch> batch;
  DeviceBags bags;
  PositionsByPlace positions;
};

class HbmUpdateNode : public Node {
public:
  HbmUpdateNode(HbmUpdateCall call, std::shared_ptr<HbmBatch> batch)
      : Node(Kind::UpdateRows,
             absl::StrCat("update rows @", batch->rows.table().spec().name,
                          " (hbm)")),
        call(std::move(call)), batch(std::move(batch)) {}

  void start(StepContext &context, Done done) override {
    if (!batch->hasGradients)
      return done(absl::InternalError(absl::StrCat(
          "table '@", batch->rows.table().spec().name,
          "': expected the gradients of a lookup before the update")));
    auto join = Join::create(4, std::move(done));
    call.setRate(join->part());
    scaleByShows(join->part());
    absl::Status status = update();
    recordClicks(call, batch->batch, batch->slots, context, join->part());
    join->finishPart(finishUpdate(std::move(status), batch->rows.table(),
                                  /*endsStep=*/true, context));
  }

private:
  void scaleByShows(Done done) {
    if (!call.clicks)
      return done(absl::OkStatus());
    call.clicks->scaleByShows(batch->batch, batch->gradientMemory.data(),
                              std::move(done));
  }
  absl::Status update() {
    RETURN_IF_ERROR(batch->rows.markChanged(batch->onDevice));
    return call.update->run(batch->onDevice.present(),
                            batch->gradientMemory.data(),
                            batch->onDevice.size());
  }

  HbmUpdateCall call;
  std::shared_ptr<HbmBatch> batch;
};

} // namespace

void ps::runtime::recordClicks(const HbmUpdateCall &call, RowBatch &batch,
                               std::span<const uint32_t> slots,
                               StepContext &context, Done done) {
  if (!call.clicks)
    return done(absl::OkStatus());
  call.clicks->record(batch, slots, ParallelStep{context}, std::move(done));
}

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
