// SPDX-License-Identifier: Apache-2.0
//===- HbmUpdate.cpp - the optimizer step of rows on a device -------------===//

#include "runtime/hbm/HbmUpdate.h"
#include "runtime/base/Join.h"

using namespace ps::runtime;

HbmStep ps::runtime::makeCopyInRows(const RowFunctions &functions,
                                    const HbmBuffer &to, const HbmBuffer &from,
                                    int64_t bytes) {
  HbmStep step = {functions.copy, {to, from}, bytes};
  step.function.points = bytes;
  return step;
}

absl::StatusOr<std::unique_ptr<HbmUpdate>>
HbmUpdate::create(HbmRows &rows, std::vector<HbmStep> steps,
                  size_t gradientBytes, size_t scratchBytes) {
  auto update = std::unique_ptr<HbmUpdate>(
      new HbmUpdate(rows, std::move(steps), scratchBytes));
  std::vector<int64_t> moves;
  for (const HbmStep &step : update->steps) {
    update->firstMoves.push_back(moves.size());
    for (const HbmBuffer &buffer : step.buffers) {
      moves.push_back(buffer.kind == HbmBuffer::Kind::Row ? rows.slab().stride
                                                          : 0);
      moves.push_back(buffer.kind == HbmBuffer::Kind::Gradient
                          ? static_cast<int64_t>(gradientBytes)
                      : buffer.kind == HbmBuffer::Kind::Scratch
                          ? static_cast<int64_t>(scratchBytes)
                          : 0);
    }
    moves.push_back(step.function.points);
    moves.push_back(step.last);
  }
  RETURN_IF_ERROR(await([&](Done done) {
    update->moves.fill(std::span<const int64_t>(moves), std::move(done));
  }));
  return update;
}

absl::Status HbmUpdate::run(const uint32_t *slots, const std::byte *gradients,
                            int64_t count) {
  if (count == 0)
    return absl::OkStatus();
  RETURN_IF_ERROR(scratch.reserve(scratchBytes * size_t(count)));
  std::vector<void *> values;
  for (size_t i = 0; i < steps.size(); ++i) {
    const HbmStep &step = steps[i];
    values.clear();
    for (const HbmBuffer &buffer : step.buffers)
      switch (buffer.kind) {
      case HbmBuffer::Kind::Row:
        values.push_back(rows.slab().data + buffer.offset);
        break;
      case HbmBuffer::Kind::Gradient:
        values.push_back(deviceValue(gradients + buffer.offset));
        break;
      case HbmBuffer::Kind::Scratch:
        values.push_back(scratch.data() + buffer.offset);
        break;
      case HbmBuffer::Kind::Shared:
        values.push_back(deviceValue(buffer.shared));
        break;
      }
    values.push_back(deviceValue(slots));
    values.push_back(moves.as<int64_t>() + firstMoves[i]);
    RETURN_IF_ERROR(rows.device().launch(step.function, values, count));
  }
  return absl::OkStatus();
}
