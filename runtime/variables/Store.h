// SPDX-License-Identifier: Apache-2.0
//===- Store.h - the variables of one process -----------------------------===//

#ifndef PS_RUNTIME_VARIABLES_STORE_H
#define PS_RUNTIME_VARIABLES_STORE_H

#include "absl/status/statusor.h"
#include "runtime/base/Tensor.h"
#include "runtime/device/Device.h"
#include "runtime/variables/Initializer.h"
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ps::runtime {

/// A variable, a slice of one, or an optimizer slot of either.
struct VariableSpec {
  /// The name in the program: "fc_w", "fc_w.block0", "fc_w.block0.velocity".
  std::string name;
  TensorType type;
  InitialValue initial;
  /// The whole variable's name and the first row held; `origin` equals `name`
  /// and `rowOffset` is 0 where nothing is sliced. Seeds the generator, so
  /// slicing never changes initial values.
  std::string origin;
  int64_t rowOffset = 0;
  /// Set on optimizer state: the variable it belongs to, or its own name where
  /// it belongs to none.
  std::string slotOf;
  /// Set where `slotOf` is: it serves the exchange of a step, and nothing of it
  /// outlives that. It is not saved.
  bool isTransient = false;
  /// Where the process keeps it.
  MemorySpace space = MemorySpace::Host;

  /// Whether it is what an optimizer, or a schedule, goes on from.
  bool isState() const { return !slotOf.empty() && !isTransient; }
};

/// Owns variables for the life of the process. The set is fixed at creation;
/// contents are written by whoever the program's order allows: the store does
/// not lock.
class Store {
public:
  /// Allocates on `device`, which outlives the store, and initializes. `seed`
  /// is the run's --seed. INVALID_ARGUMENT names a spec that is given twice,
  /// has an impossible type, or random initial values of an integer type.
  static absl::StatusOr<std::unique_ptr<Store>>
  create(std::vector<VariableSpec> specs, uint64_t seed,
         Device &device = Device::cpu());

  /// Waits for what programs queued.
  ~Store() { device.drain(); }

  /// Where programs find the variable. NOT_FOUND names it. The reference lives
  /// as long as the store.
  absl::StatusOr<TensorRef> find(std::string_view name) const;
  /// The same on the host, as tensor().
  absl::StatusOr<TensorRef> findOnHost(std::string_view name) const;
  std::span<const VariableSpec> variables() const { return specs; }
  /// The memory of variables()[index] on the host: for one that is kept on the
  /// device, its values when the store was made, download() was called or a
  /// program copied them there last.
  const TensorRef &tensor(size_t index) const { return tensors[index]; }

  /// Copies what tensor() has to the device, after others wrote it. Errors,
  /// also of download(), are those of Device::copy().
  absl::Status upload();
  /// Copies what the device keeps to tensor(), for others to read. No program
  /// runs meanwhile.
  absl::Status download() const;

private:
  explicit Store(Device &device) : device(device) {}
  absl::StatusOr<size_t> findIndex(std::string_view name) const;
  template <typename Copy>
  absl::Status copyAll(const Copy &copy) const;

  Device &device;
  std::vector<VariableSpec> specs;
  /// Parallel to `specs`: on the host, and where programs find them.
  std::vector<TensorRef> tensors, bound;
  std::vector<Buffer> memory;
  std::map<std::string, size_t, std::less<>> indices;
};

} // namespace ps::runtime

#endif // PS_RUNTIME_VARIABLES_STORE_H
