// SPDX-License-Identifier: Apache-2.0
//===- HbmFedNodes.cpp - updates of a device's rows by gradients of others ===//
//
// Gradients that trainers push are merged on the host and copied to the device
// in one piece. Most of their rows are there, because trainers have asked for
// them in the same step.
//
//===----------------------------------------------------------------------===//

#include "runtime/nodes/HbmFedNodes.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Join.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

namespace {

class HbmFedUpdateNode : public Node {
public:
  HbmFedUpdateNode(HbmUpdateCall call, RowBatch &batch, HbmRows &rows)
      : Node(Kind::UpdateRows,
             absl::StrCat("update rows @", rows.table().spec().name, " (hbm)")),
        call(std::move(call)), batch(batch), rows(rows),
        onDevice(rows.device(), rows.functions()),
        gradientMemory(rows.device()) {}

  void start(StepContext &context, Done done) override {
    absl::StatusOr<TensorRef> gradients = batch.gradients();
    absl::Status status = gradients.status();
    if (status.ok())
      status = scaleByShows(batch, rows.table(), context);
    if (status.ok())
      status = findSlots(ParallelStep{context});
    if (!status.ok())
      return done(annotate(std::move(status), "table '@",
                           rows.table().spec().name, "'"));
    auto join = Join::create(5, std::move(done));
    onDevice.assign(slots, join->part());
    gradientMemory.fill(
        std::span<const std::byte>(gradients->data, gradients->type.bytes()),
        join->part());
    call.setRate(join->part());
    status = update();
    recordClicks(call, batch, slots, context, join->part());
    join->finishPart(finishUpdate(std::move(status), rows.table(),
                                  /*endsStep=*/false, context));
  }

private:
  /// Rows that were dropped since trainers asked for them are created first, as
  /// Table::update() does.
  absl::Status findSlots(ParallelRows parallel) {
    return await([&](Done done) {
      rows.bring(batch.ids(), /*create=*/true, slots, parallel, std::move(done),
                 Access::Update);
    });
  }
  absl::Status update() {
    RETURN_IF_ERROR(rows.markChanged(onDevice));
    return call.update->run(onDevice.present(), gradientMemory.data(),
                            onDevice.size());
  }

  HbmUpdateCall call;
  RowBatch &batch;
  HbmRows &rows;
  std::vector<uint32_t> slots;
  DeviceBatch onDevice;
  DeviceArray gradientMemory;
};

} // namespace

std::unique_ptr<Node> ps::runtime::makeHbmFedUpdateNode(HbmUpdateCall call,
                                                        RowBatch &batch,
                                                        HbmRows &rows) {
  return std::make_unique<HbmFedUpdateNode>(std::move(call), batch, rows);
}
