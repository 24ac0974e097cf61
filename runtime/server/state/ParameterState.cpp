// SPDX-License-Identifier: Apache-2.0
//===- ParameterState.cpp - what a server holds and batches change --------===//
//
// A unit is a block or a table with its update. Applying a batch runs one
// program: the schedule, if the step begins, then for each unit the mean of its
// gradients and its update. The units are independent, so the executor runs
// them in parallel; results do not depend on their order.
//
//===----------------------------------------------------------------------===//

#include "runtime/server/state/ParameterState.h"
#include "absl/strings/str_cat.h"
#include "runtime/base/Pieces.h"
#include "runtime/base/Status.h"
#include "runtime/executor/FunctionNode.h"
#include "runtime/protocol/LargestElements.h"
#include "runtime/server/state/TableSnapshot.h"
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

using namespace ps::runtime;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The feed that gradients of the block are merged in.
static absl::StatusOr<TensorRef> findGradient(const OptimizeBlock &spec,
                                              const Store &store, Rounds rounds,
                                              bool takesMean) {
  ASSIGN_OR_RETURN(TensorRef value, store.find(spec.block));
  auto feed = spec.update->feeds.find("grad");
  if (feed == spec.update->feeds.end())
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' has no feed 'grad'"));
  const TensorType &type = feed->second.type;
  if (type.shape != value.type.shape)
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' takes a gradient of type ",
        type.str(), ", expected the shape of ", value.type.str()));
  if (takesMean && !isFloat(type.dtype))
    return absl::InvalidArgumentError(absl::StrCat(
        "block '", spec.block, "' must have a float type to be trained, found ",
        std::string(dtypeName(type.dtype))));
  if (spec.round < 0 || spec.round >= rounds.count)
    return absl::InvalidArgumentError(
        absl::StrCat("block '", spec.block, "' is updated in round ",
                     spec.round, ", expected 0 to ", rounds.count - 1));
  return feed->second;
}

/// The feed of an update that compensates for delays; without memory where
/// there is none.
static absl::StatusOr<TensorRef>
findPulled(const OptimizeBlock &spec, const Store &store, bool keepsStep) {
  auto feed = spec.update->feeds.find("pulled");
  if (feed == spec.update->feeds.end())
    return TensorRef();
  ASSIGN_OR_RETURN(TensorRef value, store.find(spec.block));
  if (keepsStep || feed->second.type != value.type)
    return absl::InvalidArgumentError(absl::StrCat(
        "the update of block '", spec.block, "' compensates for delays of ",
        feed->second.type.str(), ", expected ",
        keepsStep ? "none where trainers keep step" : value.type.str()));
  return feed->second;
}

/// Blocks and tables have names of their own: a table may stand for a variable.
static absl::Status
checkNames(std::span<const std::unique_ptr<ParameterState::Unit>> units) {
  std::set<std::pair<bool, std::string>> names;
  for (const std::unique_ptr<ParameterState::Unit> &unit : units)
    if (!names.insert({unit->table != nullptr, unit->name}).second)
      return absl::InvalidArgumentError(absl::StrCat(
          unit->table ? "table '" : "block '", unit->name, "' is given twice"));
  return absl::OkStatus();
}

/// Fails if an update does not match its block or table.
absl::StatusOr<std::unique_ptr<ParameterState>>
ParameterState::create(const Options &options) {
  std::unique_ptr<ParameterState> state(new ParameterState(options));
  for (const OptimizeBlock &spec : options.blocks)
    RETURN_IF_ERROR(state->addBlock(spec));
  for (const TableBlock &spec : options.tables)
    RETURN_IF_ERROR(state->addTable(spec));
  RETURN_IF_ERROR(checkNames(state->units));
  return state;
}

/// A pushed element names its place in 32 bits.
static absl::Status checkLargestOf(const OptimizeBlock &spec,
                                   const TensorType &type) {
  const int64_t elements = type.numElements();
  if (type.dtype == DType::F32 && spec.largest > 0 && spec.largest < elements &&
      elements <= std::numeric_limits<uint32_t>::max())
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("block '", spec.block, "' takes the ", spec.largest,
                   " largest elements of a gradient of type ", type.str(),
                   ", expected a part of fewer than 2^32 of f32"));
}

absl::Status ParameterState::addBlock(const OptimizeBlock &spec) {
  auto unit = std::make_unique<Unit>();
  unit->number = static_cast<int>(units.size());
  unit->name = spec.block;
  unit->round = spec.round;
  unit->update = spec.update;
  ASSIGN_OR_RETURN(unit->gradient,
                   findGradient(spec, store, rounds, keepsStep));
  ASSIGN_OR_RETURN(unit->pulled, findPulled(spec, store, keepsStep));
  unit->pushed = unit->gradient.type;
  if (spec.largest != 0) {
    RETURN_IF_ERROR(checkLargestOf(spec, unit->pushed));
    unit->pushed = largestType(spec.largest);
  }
  units.push_back(std::move(unit));
  return absl::OkStatus();
}

absl::Status ParameterState::addTable(const TableBlock &spec) {
  auto unit = std::make_unique<Unit>();
  unit->number = static_cast<int>(units.size());
  ASSIGN_OR_RETURN(std::unique_ptr<ServedTable> table,
                   ServedTable::create(spec, unit->number, rounds.count));
  table->setEnded(ended);
  unit->name = table->name();
  unit->round = spec.round;
  unit->table = table.get();
  unit->update = spec.update;
  units.push_back(std::move(unit));
  tables.push_back(std::move(table));
  return absl::OkStatus();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Adds the nodes of `part`, which outlives `whole`, to it, after `after`;
/// returns the last ones. Only one of the two runs at a time.
static std::vector<NodeId> append(Program &part, Program &whole,
                                  std::span<const NodeId> after) {
  std::vector<std::vector<NodeId>> before(part.size());
  std::vector<NodeId> last;
  for (size_t i = 0; i < part.size(); ++i) {
    NodeId from = static_cast<NodeId>(i);
    if (part.numPredecessors(from) == 0)
      before[i].assign(after.begin(), after.end());
    Node &node = part.node(from);
    NodeId id =
        whole.addNode(makeNode(node.kind(), node.name(),
                               [&node](StepContext &context, Done done) {
                                 node.start(context, std::move(done));
                               }),
                      before[i]);
    for (NodeId successor : part.successors(from))
      before[successor].push_back(id);
    if (part.successors(from).empty())
      last.push_back(id);
  }
  return last;
}

/// The block as the trainer whose gradient comes has pulled it last. One that
/// has pulled nothing has no delay.
void ParameterState::fillPulled(StepContext &context, const Unit &unit) const {
  auto copy = unit.copies.find(contributors.front());
  const std::byte *from = copy == unit.copies.end()
                              ? store.findOnHost(unit.name)->data
                              : copy->second->bytes.data();
  constexpr int64_t grain = 1 << 18;
  context.parallelRows(static_cast<int64_t>(unit.pulled.type.bytes()), grain,
                       [&](int64_t begin, int64_t end) {
                         std::copy(from + begin, from + end,
                                   unit.pulled.data + begin);
                       });
}

absl::Status ParameterState::noteAllPulled(int trainers) {
  for (const std::unique_ptr<Unit> &unit : units) {
    if (!unit->pulled.data)
      continue;
    const size_t size = unit->pulled.type.bytes();
    auto copy = std::make_shared<BlockCopy>();
    ASSIGN_OR_RETURN(copy->bytes, Buffer::allocate(size));
    std::copy_n(store.findOnHost(unit->name)->data, size, copy->bytes.data());
    for (int trainer = 0; trainer < trainers; ++trainer)
      unit->copies[trainer] = copy;
  }
  return absl::OkStatus();
}

/// The unit's program: the mean, then the update.
void ParameterState::setGradients(int number, PushedGradients &gradients) {
  Unit &unit = *units[number];
  const NodeId first = unit.program.addNode(
      makeNode(
          Node::Kind::Kernel,
          absl::StrCat(unit.table ? "mean of rows @" : "mean @", unit.name),
          [this, &unit, &gradients](StepContext &context) {
            if (unit.pulled.data)
              fillPulled(context, unit);
            return gradients.computeMean(context, contributors);
          }),
      {});
  append(*unit.update, unit.program, std::span(&first, 1));
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

/// Given the gradients, the result does not depend on the number of threads.
absl::Status ParameterState::apply(const UpdateBatch &batch) {
  contributors = batch.contributors;
  Program program;
  std::vector<NodeId> after;
  // Learning rates and such are those of the whole step: they change before its
  // first unit, and not again with its later rounds.
  const bool begins = rounds.roundOf(batch.step) == 0 && scheduled < batch.step;
  if (schedule && (begins || !keepsStep))
    after = append(*schedule, program, {});
  for (int unit : batch.units)
    append(units[unit]->program, program, after);
  if (program.size() != 0)
    RETURN_IF_ERROR(executor.run(program, batch.step / rounds.count));

  scheduled = batch.step;
  // Without a common step each batch is of one trainer.
  if (!keepsStep)
    for (int unit : batch.units)
      if (ServedTable *table = units[unit]->table; table && table->feed())
        table->noteChanges(contributors.front(), table->feed()->ids());
  // Rows age by program steps. Where a step is one round, a table's step is
  // over with its own update: others need not have been updated.
  if (rounds.count == 1)
    for (int unit : batch.units)
      if (ServedTable *table = units[unit]->table)
        table->advance(batch.step);
  if (!batch.endsStep)
    return absl::OkStatus();
  ended = batch.step;
  if (rounds.endsStep(batch.step))
    for (const std::unique_ptr<ServedTable> &table : tables)
      table->advance(batch.step);
  return absl::OkStatus();
}

/// The answer to `prefetch`, of whichever kind it is.
static absl::StatusOr<Response> readFor(const Prefetch &prefetch,
                                        ParallelRows parallel) {
  ServedTable &table = *prefetch.table;
  if (prefetch.changes != 0)
    return table.pullChanges(prefetch.trainer, prefetch.changes, parallel);
  if (prefetch.held)
    return table.refresh(prefetch.trainer, prefetch.ids, *prefetch.held,
                         parallel);
  return table.prefetch(prefetch.ids, prefetch.frozen, prefetch.wire, parallel);
}

/// One node reads for all: tables split their rows over the threads themselves.
void ParameterState::readRows(std::deque<Prefetch> prefetches) {
  std::vector<absl::StatusOr<Response>> answers;
  Program program;
  program.addNode(makeNode(Node::Kind::ReadRows, "read rows for trainers",
                           [&](StepContext &context) -> absl::Status {
                             const ParallelStep parallel{context};
                             // Every prefetch is answered, also where memory is
                             // short.
                             try {
                               for (const Prefetch &each : prefetches)
                                 answers.push_back(readFor(each, parallel));
                             } catch (const std::bad_alloc &) {
                               return absl::ResourceExhaustedError(
                                   "rows for trainers: out of memory");
                             }
                             return absl::OkStatus();
                           }),
                  {});
  const absl::Status status = executor.run(program, (ended + 1) / rounds.count);
  for (size_t i = 0; i < prefetches.size(); ++i)
    if (status.ok())
      prefetches[i].done(std::move(answers[i]));
    else
      prefetches[i].done(status);
}

/// A copy of `part`, in `part.of`.
static absl::StatusOr<Piece> copyPart(PulledBlocks::Part &part) {
  if (!part.of)
    part.of = std::make_shared<BlockCopy>(BlockCopy{.block = part.bytes});
  BlockCopy *copy = part.of.get();
  const Piece block = copy->block;
  if (!copy->bytes.data() && !block.empty()) {
    ASSIGN_OR_RETURN(copy->bytes, Buffer::allocate(block.size()));
    std::copy(block.begin(), block.end(), copy->bytes.data());
  }
  return Piece(copy->bytes.data() + (part.bytes.data() - block.data()),
               part.bytes.size());
}

static absl::StatusOr<Response> copyParts(std::span<PulledBlocks::Part> parts) {
  Response response;
  auto owners = std::make_shared<std::vector<std::shared_ptr<BlockCopy>>>();
  for (PulledBlocks::Part &part : parts) {
    ASSIGN_OR_RETURN(Piece copy, copyPart(part));
    response.payload.push_back(copy);
    owners->push_back(part.of);
    // A part of a block travels alone.
    response.header.set_copy(part.of->name);
  }
  response.owner = std::move(owners);
  return response;
}

/// What is sent is what later gradients are of.
void ParameterState::readBlocks(PulledBlocks &pull) {
  absl::StatusOr<Response> response = copyParts(pull.parts);
  if (response.ok())
    for (const PulledBlocks::Part &part : pull.parts)
      if (part.unit >= 0 && units[part.unit]->pulled.data)
        units[part.unit]->copies[pull.trainer] = part.of;
  pull.done(std::move(response));
}

/// Blocks are copied: the next batch may change them while the answer is on its
/// way.
void ParameterState::read(Reads reads) {
  for (PulledBlocks &pull : reads.blocks)
    readBlocks(pull);
  if (!reads.rows.empty())
    readRows(std::move(reads.rows));
}

ParameterState::Size ParameterState::size() const {
  Size size;
  for (size_t i = 0; i < store.variables().size(); ++i)
    size.bytes += store.tensor(i).type.bytes();
  for (const std::unique_ptr<ServedTable> &table : tables) {
    const uint64_t rows = static_cast<uint64_t>(table->rows().size());
    size.rows += rows;
    size.bytes += rows * table->rows().layout().stateBytes;
  }
  return size;
}

//===----------------------------------------------------------------------===//
// Snapshots
//===----------------------------------------------------------------------===//

/// What a snapshot has to agree with, one line each.
std::vector<std::string> ParameterState::describe() const {
  std::vector<std::string> lines = {
      absl::StrCat(rounds.count, " rounds of a step")};
  for (const VariableSpec &variable : store.variables())
    lines.push_back(absl::StrCat("variable '", variable.name, "' of ",
                                 variable.type.str()));
  for (const std::unique_ptr<Unit> &unit : units)
    if (unit->pulled.data)
      lines.push_back(
          absl::StrCat("block '", unit->name, "' that compensates for delays"));
  for (const std::unique_ptr<ServedTable> &table : tables)
    lines.push_back(describeTable(table->rows()));
  return lines;
}

/// What trainers have pulled of a unit that compensates for delays.
static void saveCopies(const ParameterState::Unit &unit,
                       SnapshotWriter &snapshot) {
  if (!unit.pulled.data)
    return;
  snapshot.add(static_cast<uint64_t>(unit.copies.size()));
  for (const auto &[trainer, copy] : unit.copies) {
    snapshot.add(static_cast<int64_t>(trainer));
    snapshot.addBytes({copy->bytes.data(), unit.pulled.type.bytes()});
  }
}

static absl::Status restoreCopies(SnapshotReader &snapshot,
                                  ParameterState::Unit &unit) {
  if (!unit.pulled.data)
    return absl::OkStatus();
  const size_t size = unit.pulled.type.bytes();
  const uint64_t count = snapshot.takeCount(sizeof(int64_t) + size);
  for (uint64_t i = 0; i < count; ++i) {
    const auto trainer = snapshot.take<int64_t>();
    const std::span<const std::byte> bytes = snapshot.takeBytes(size);
    RETURN_IF_ERROR(snapshot.status());
    if (trainer < 0 || trainer > std::numeric_limits<int>::max() ||
        unit.copies.contains(static_cast<int>(trainer)))
      return absl::DataLossError(
          absl::StrCat("expected each trainer once that has pulled block '",
                       unit.name, "', found ", trainer));
    auto copy = std::make_shared<BlockCopy>();
    ASSIGN_OR_RETURN(copy->bytes, Buffer::allocate(size));
    std::copy(bytes.begin(), bytes.end(), copy->bytes.data());
    unit.copies[static_cast<int>(trainer)] = std::move(copy);
  }
  return snapshot.status();
}

/// The description comes first, so that a restore can compare it before it
/// changes anything.
absl::Status ParameterState::save(SnapshotWriter &snapshot) const {
  RETURN_IF_ERROR(store.download());
  const std::vector<std::string> lines = describe();
  snapshot.add(static_cast<uint64_t>(lines.size()));
  for (const std::string &line : lines)
    snapshot.addText(line);
  snapshot.add(ended);
  snapshot.add(scheduled);
  for (size_t i = 0; i < store.variables().size(); ++i)
    snapshot.addBytes({store.tensor(i).data, store.tensor(i).type.bytes()});
  for (const std::unique_ptr<Unit> &unit : units)
    saveCopies(*unit, snapshot);
  for (const std::unique_ptr<ServedTable> &table : tables) {
    snapshot.add(table->ended());
    RETURN_IF_ERROR(saveTable(table->rows(), snapshot));
  }
  return absl::OkStatus();
}

absl::Status ParameterState::restore(SnapshotReader &snapshot) {
  if (ended != startupStep || scheduled != startupStep)
    return absl::FailedPreconditionError(
        absl::StrCat("expected a state without updates to be restored, found "
                     "one after step ",
                     rounds.str(scheduled)));
  // All that can differ is compared before anything changes.
  const std::vector<std::string> lines = describe();
  const uint64_t count = snapshot.takeCount(sizeof(uint64_t));
  for (size_t i = 0; i < std::max<size_t>(lines.size(), count); ++i) {
    const std::string found = i < count ? snapshot.takeText() : "";
    RETURN_IF_ERROR(snapshot.status());
    const std::string expected = i < lines.size() ? lines[i] : "";
    if (found != expected)
      return absl::InvalidArgumentError(
          absl::StrCat("the snapshot is of another state: expected ",
                       expected.empty() ? "nothing more" : expected, ", found ",
                       found.empty() ? "nothing more" : printable(found)));
  }
  ended = snapshot.take<int64_t>();
  scheduled = snapshot.take<int64_t>();
  for (size_t i = 0; i < store.variables().size(); ++i) {
    const TensorRef &tensor = store.tensor(i);
    const std::span<const std::byte> bytes =
        snapshot.takeBytes(tensor.type.bytes());
    RETURN_IF_ERROR(snapshot.status());
    std::copy(bytes.begin(), bytes.end(), tensor.data);
  }
  RETURN_IF_ERROR(store.upload());
  for (const std::unique_ptr<Unit> &unit : units)
    RETURN_IF_ERROR(restoreCopies(snapshot, *unit));
  for (const std::unique_ptr<ServedTable> &table : tables) {
    table->setEnded(snapshot.take<int64_t>());
    RETURN_IF_ERROR(restoreTable(snapshot, table->rows()));
  }
  return snapshot.status();
}
