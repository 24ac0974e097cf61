//===- Store.cpp - the variables of one process ---------------------------===//

#include "runtime/store/Store.h"
#include "absl/strings/str_cat.h"
#include "runtime/Status.h"

using namespace ps::runtime;

absl::StatusOr<std::unique_ptr<Store>>
Store::create(std::vector<VariableSpec> specs, uint64_t seed) {
  std::unique_ptr<Store> store(new Store);
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

    absl::StatusOr<size_t> bytes =
        checkedBytes(spec.type.dtype, spec.type.shape);
    if (!bytes.ok())
      return annotate(bytes.status(), place);
    absl::StatusOr<Buffer> buffer = Buffer::allocate(*bytes);
    if (!buffer.ok())
      return annotate(buffer.status(), place);

    TensorRef tensor{spec.type, buffer->data()};
    const uint64_t rowElements =
        spec.type.rowBytes() / byteWidth(spec.type.dtype);
    initialize(tensor, spec.initial, seed, spec.origin,
               rowElements * static_cast<uint64_t>(spec.rowOffset));
    store->tensors.push_back(std::move(tensor));
    store->memory.push_back(*std::move(buffer));
  }
  return store;
}

absl::StatusOr<TensorRef> Store::find(std::string_view name) const {
  auto it = indices.find(name);
  if (it == indices.end())
    return absl::NotFoundError(
        absl::StrCat("no variable '@", std::string(name), "'"));
  return tensors[it->second];
}
