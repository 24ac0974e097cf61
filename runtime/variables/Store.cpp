// SPDX-License-Identifier: Apache-2.0
//===- Store.cpp - the variables of one process ---------------------------===//

#include "runtime/variables/Store.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Status.h"

using namespace ps::runtime;

/// Memory for `spec` on the host with its initial values.
static absl::StatusOr<Buffer> allocate(const VariableSpec &spec, uint64_t seed,
                                       Device &device) {
  ASSIGN_OR_RETURN(const size_t bytes,
                   checkedBytes(spec.type.dtype, spec.type.shape));
  ASSIGN_OR_RETURN(Buffer host, device.allocate(MemorySpace::Host, bytes));
  const uint64_t rowElements =
      spec.type.rowBytes() / byteWidth(spec.type.dtype);
  initialize({spec.type, host.data()}, spec.initial, seed, spec.origin,
             rowElements * static_cast<uint64_t>(spec.rowOffset));
  return host;
}

absl::StatusOr<std::unique_ptr<Store>>
Store::create(std::vector<VariableSpec> specs, uint64_t seed, Device &device) {
  std::unique_ptr<Store> store(new Store(device));
  store->specs = std::move(specs);
  for (const VariableSpec &spec : store->specs) {
    const std::string place = absl::StrCat("variable '@", spec.name, "'");
    if (!store->indices.try_emplace(spec.name, store->tensors.size()).second)
      return absl::InvalidArgumentError(absl::StrCat(place, " is given twice"));
    if (spec.rowOffset < 0)
      return absl::InvalidArgumentError(absl::StrCat(
          place, ": expected a row offset >= 0, found ", spec.rowOffset));
    if (spec.initial.kind != InitialValue::Kind::Constant &&
        !isFloat(spec.type.dtype))
      return absl::InvalidArgumentError(absl::StrCat(
          place, ": random initial values need a float type, found ",
          spec.type.str()));

    absl::StatusOr<Buffer> buffer = allocate(spec, seed, device);
    if (!buffer.ok())
      return annotate(buffer.status(), place);
    store->tensors.push_back({spec.type, buffer->data()});
    store->memory.push_back(*std::move(buffer));
    store->bound.push_back(store->tensors.back());
    if (spec.space == MemorySpace::Host)
      continue;
    buffer = device.allocate(spec.space, spec.type.bytes());
    if (!buffer.ok())
      return annotate(buffer.status(), place);
    store->bound.back() = {spec.type, buffer->data(), spec.space};
    store->memory.push_back(*std::move(buffer));
  }
  RETURN_IF_ERROR(store->upload());
  return store;
}

/// Calls `copy` for each variable that is kept on the device.
template <typename Copy>
absl::Status Store::copyAll(const Copy &copy) const {
  for (size_t i = 0; i != specs.size(); ++i)
    if (specs[i].space != MemorySpace::Host)
      RETURN_IF_ERROR(
          annotate(copy(i), absl::StrCat("variable '@", specs[i].name, "'")));
  return absl::OkStatus();
}

absl::Status Store::upload() {
  return copyAll(
      [&](size_t i) { return copyAndWait(device, tensors[i], bound[i]); });
}

absl::Status Store::download() const {
  return copyAll(
      [&](size_t i) { return copyAndWait(device, bound[i], tensors[i]); });
}

absl::StatusOr<size_t> Store::findIndex(std::string_view name) const {
  auto it = indices.find(name);
  if (it == indices.end())
    return absl::NotFoundError(
        absl::StrCat("no variable '@", std::string(name), "'"));
  return it->second;
}

absl::StatusOr<TensorRef> Store::find(std::string_view name) const {
  ASSIGN_OR_RETURN(const size_t index, findIndex(name));
  return bound[index];
}

absl::StatusOr<TensorRef> Store::findOnHost(std::string_view name) const {
  ASSIGN_OR_RETURN(const size_t index, findIndex(name));
  return tensors[index];
}
