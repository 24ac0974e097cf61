// SPDX-License-Identifier: Apache-2.0
//===- HbmNodes.h - nodes that work with rows on a device -----------------===//
//
// As those of RowNodes.h, for tables whose rows the device has. They end when
// their work is queued and the host's lists are copied.
//
//===----------------------------------------------------------------------===//

#ifndef PS_RUNTIME_NODES_HBMNODES_H
#define PS_RUNTIME_NODES_HBMNODES_H

#include "runtime/hbm/HbmClicks.h"
#include "runtime/hbm/HbmRows.h"
#include "runtime/hbm/HbmUpdate.h"
#include "runtime/nodes/RowNodes.h"
#include <memory>
#include <vector>

namespace ps::runtime {

/// The rows of a batch on a device. Thread-compatible.
class HbmBatch {
public:
  /// Both outlive it.
  HbmBatch(RowBatch &batch, HbmRows &rows)
      : batch(batch), rows(rows), onDevice(rows.device(), rows.functions()),
        gradientMemory(rows.device()) {}

  /// Empty where the device finds the rows, as are `slots`, those of its ids.
  RowBatch &batch;
  std::vector<uint32_t> slots;
  HbmRows &rows;
  DeviceBatch onDevice;
  /// The gradients of its rows, if `hasGradients`.
  DeviceArray gradientMemory;
  bool hasGradients = false;
};

/// The update of the rows of a batch.
struct HbmUpdateCall {
  std::shared_ptr<HbmUpdate> update;
  /// Null where the table has no accessor.
  std::shared_ptr<HbmClicks> clicks;
  /// The learning rate on the host, and where the update reads it; null where
  /// it needs none.
  TensorRef rate;
  std::shared_ptr<DeviceArray> rateInput;

  /// Before each step; `done` as of DeviceArray::fill().
  void setRate(Done done) const {
    if (!rateInput)
      return done(absl::OkStatus());
    rateInput->fill(std::span<const std::byte>(rate.data, rate.type.bytes()),
                    std::move(done));
  }
};

/// Call when the update of the rows of `batch`, which are in `slots`, was
/// queued. `done` as of DeviceArray::fill().
void recordClicks(const HbmUpdateCall &call, RowBatch &batch,
                  std::span<const uint32_t> slots, StepContext &context,
                  Done done);

std::unique_ptr<Node> makeHbmReadRowsNode(PrefetchCall call,
                                          std::shared_ptr<HbmBatch> batch);
/// `call.values` is on the device here and below.
std::unique_ptr<Node> makeHbmLookupNode(const LookupCall &call,
                                        std::shared_ptr<HbmBatch> batch);
std::unique_ptr<Node>
makeHbmLookupGradientNode(const LookupCall &call,
                          std::shared_ptr<HbmBatch> batch);
/// For the one process that trains the table: the node ends its step.
std::unique_ptr<Node> makeHbmUpdateNode(HbmUpdateCall call,
                                        std::shared_ptr<HbmBatch> batch);

} // namespace ps::runtime

#endif // PS_RUNTIME_NODES_HBMNODES_H
