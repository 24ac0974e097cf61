// SPDX-License-Identifier: Apache-2.0
//===- Convolution.cpp - convolutions as nodes ----------------------------===//
//
// The library has fast convolutions for some layouts in memory. Where the
// tensors' own layout is one of them (features last), only the kernel is
// rearranged; otherwise the library chooses, and what differs is rearranged
// before and after. Parts of one shape share a primitive.
//
//===----------------------------------------------------------------------===//

#include "runtime/kernels/Convolution.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "runtime/base/Mutex.h"
#include "runtime/base/Status.h"
#include <algorithm>
#include <map>
#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>

// From libgomp, whose header Clang does not have.
extern "C" void omp_set_num_threads(int);

using namespace ps::runtime;
using dnnl::memory;
using Kind = ConvolutionCall::Kind;

namespace {

/// Floating-point operations that make a part worth a task.
constexpr double kPartFlops = 2'000'000;
/// Features of a part are a multiple of what the library handles at once.
constexpr int64_t kFeatureUnit = 16;

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Memory of the calling thread that lasts until its next use.
class Scratch {
public:
  float *get(size_t slot, size_t bytes) {
    constexpr size_t alignment = 64;
    std::vector<std::byte> &block = blocks[slot];
    if (block.size() < bytes + alignment)
      block.resize(bytes + alignment);
    const auto address = reinterpret_cast<uintptr_t>(block.data());
    return reinterpret_cast<float *>(
        block.data() + (alignment - address % alignment) % alignment);
  }

private:
  std::vector<std::byte> blocks[4];
};

/// One tensor of a primitive: as the caller has it, and as the library wants
/// it.
struct Tensor {
  memory::desc own, library;
  bool isWritten = false;
  dnnl::reorder rearrange;

  bool differs() const { return own != library; }
};

/// What the library is asked for, in its terms.
struct Request {
  memory::desc input, kernel, output;
  memory::dims strides, dilations, low, high;
};

/// A primitive for a part of a convolution, with what it rearranges. Any number
/// of threads may run it at a time.
class LibraryConvolution {
public:
  static absl::StatusOr<std::unique_ptr<LibraryConvolution>>
  create(const ConvolutionCall &call);

  absl::Status run(float *input, float *kernel, float *output) const;

private:
  void describe(const ConvolutionCall &call);
  void build(const ConvolutionCall &call, bool keepsLayout);
  bool isFast(const ConvolutionCall &call);
  Request makeRequest(const ConvolutionCall &call, bool keepsLayout) const;
  template <typename Primitive>
  void adopt(const typename Primitive::primitive_desc &description);
  void makeReorders();
  memory bring(dnnl::stream &stream, const Tensor &tensor, size_t slot,
               float *data) const;

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  Tensor input, kernel, output;
  memory::desc scratchpad;
  dnnl::primitive primitive;
  std::string implementation;
  int inputArgument = 0, kernelArgument = 0, outputArgument = 0;
};

/// What the library's own threads must not do: tasks are ours. The setting
/// belongs to a thread, and is also read when a primitive is made.
void useOneThread() {
  thread_local bool single = (omp_set_num_threads(1), true);
  (void)single;
}

memory::dims join(std::initializer_list<int64_t> leading,
                  const std::vector<int64_t> &spatial) {
  memory::dims sizes(leading);
  sizes.insert(sizes.end(), spatial.begin(), spatial.end());
  return sizes;
}

} // namespace

//===----------------------------------------------------------------------===//
// LibraryConvolution
//===----------------------------------------------------------------------===//

void LibraryConvolution::describe(const ConvolutionCall &call) {
  constexpr auto f32 = memory::data_type::f32;
  input.own = memory::desc(
      join({call.batch, call.groups * call.inputFeatures}, call.inputSizes),
      f32, call.inputLayout);
  output.own = memory::desc(
      join({call.batch, call.groups * call.outputFeatures}, call.outputSizes),
      f32, call.outputLayout);
  memory::dims sizes = join(
      {call.groups, call.outputFeatures, call.inputFeatures}, call.kernelSizes);
  memory::dims layout = call.kernelLayout;
  if (call.groups == 1) {
    sizes.erase(sizes.begin());
    layout.erase(layout.begin());
  }
  kernel.own = memory::desc(sizes, f32, layout);
  input.isWritten = call.kind == Kind::BackwardInput;
  kernel.isWritten = call.kind == Kind::BackwardKernel;
  output.isWritten = call.kind == Kind::Forward;
  inputArgument = input.isWritten ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC;
  kernelArgument = kernel.isWritten ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS;
  outputArgument = output.isWritten ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST;
}

Request LibraryConvolution::makeRequest(const ConvolutionCall &call,
                                        bool keepsLayout) const {
  auto any = [](const memory::desc &own) {
    return memory::desc(own.dims(), memory::data_type::f32,
                        memory::format_tag::any);
  };
  Request request{keepsLayout ? input.own : any(input.own),
                  any(kernel.own),
                  keepsLayout ? output.own : any(output.own),
                  call.strides,
                  {},
                  call.padding,
                  {}};
  for (size_t i = 0; i < call.strides.size(); ++i) {
    // The library counts the holes.
    request.dilations.push_back(call.dilations[i] - 1);
    request.high.push_back((call.outputSizes[i] - 1) * call.strides[i] +
                           (call.kernelSizes[i] - 1) * call.dilations[i] + 1 -
                           call.inputSizes[i] - call.padding[i]);
  }
  return request;
}

template <typename Primitive>
void LibraryConvolution::adopt(
    const typename Primitive::primitive_desc &description) {
  auto describe = [&](int argument) {
    return description.query_md(dnnl::query::exec_arg_md, argument);
  };
  implementation = description.impl_info_str();
  scratchpad = description.scratchpad_desc();
  input.library = describe(inputArgument);
  kernel.library = describe(kernelArgument);
  output.library = describe(outputArgument);
  primitive = Primitive(description);
}

/// Makes the primitive. `keepsLayout` leaves input and output as the caller has
/// them.
void LibraryConvolution::build(const ConvolutionCall &call, bool keepsLayout) {
  const Request r = makeRequest(call, keepsLayout);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  constexpr auto direct = dnnl::algorithm::convolution_direct;
  using Forward = dnnl::convolution_forward;
  const Forward::primitive_desc forward(
      Forward::desc(dnnl::prop_kind::forward_training, direct, r.input,
                    r.kernel, r.output, r.strides, r.dilations, r.low, r.high),
      attributes, engine);
  auto adoptBackward = [&]<typename Backward>() {
    adopt<Backward>(typename Backward::primitive_desc(
        typename Backward::desc(direct, r.input, r.kernel, r.output, r.strides,
                                r.dilations, r.low, r.high),
        attributes, engine, forward));
  };
  if (call.kind == Kind::Forward)
    adopt<Forward>(forward);
  else if (call.kind == Kind::BackwardInput)
    adoptBackward.operator()<dnnl::convolution_backward_data>();
  else
    adoptBackward.operator()<dnnl::convolution_backward_weights>();
}

/// Whether the library has more than its general ways for the caller's layout.
bool LibraryConvolution::isFast(const ConvolutionCall &call) try {
  build(call, /*keepsLayout=*/true);
  const std::string_view name = implementation;
  return name.find("gemm") == std::string_view::npos &&
         name.find("ref") == std::string_view::npos;
} catch (const dnnl::error &) {
  return false; // it has none
}

void LibraryConvolution::makeReorders() {
  for (Tensor *tensor : {&input, &kernel, &output})
    if (tensor->differs())
      tensor->rearrange = dnnl::reorder(dnnl::reorder::primitive_desc(
          engine, tensor->isWritten ? tensor->library : tensor->own, engine,
          tensor->isWritten ? tensor->own : tensor->library));
}

// The library's C++ interface throws; nothing leaves this file.
absl::StatusOr<std::unique_ptr<LibraryConvolution>>
LibraryConvolution::create(const ConvolutionCall &call) try {
  useOneThread();
  auto convolution = std::make_unique<LibraryConvolution>();
  convolution->describe(call);
  if (!convolution->isFast(call))
    convolution->build(call, /*keepsLayout=*/false);
  convolution->makeReorders();
  return convolution;
} catch (const dnnl::error &error) {
  return absl::InternalError(absl::StrCat(
      "the library has no convolution of ", absl::StrJoin(call.inputSizes, "x"),
      " by ", absl::StrJoin(call.kernelSizes, "x"), ": ", error.what()));
}

/// The memory of a tensor for the primitive, filled where it is read.
memory LibraryConvolution::bring(dnnl::stream &stream, const Tensor &tensor,
                                 size_t slot, float *data) const {
  thread_local Scratch scratch;
  if (!tensor.differs())
    return memory(tensor.library, engine, data);
  memory rearranged(tensor.library, engine,
                    scratch.get(slot, tensor.library.get_size()));
  if (!tensor.isWritten) {
    memory own(tensor.own, engine, data);
    tensor.rearrange.execute(stream, own, rearranged);
  }
  return rearranged;
}

absl::Status LibraryConvolution::run(float *inputData, float *kernelData,
                                     float *outputData) const try {
  useOneThread();
  thread_local Scratch scratch;
  dnnl::stream stream(engine);
  memory inputMemory = bring(stream, input, 0, inputData);
  memory kernelMemory = bring(stream, kernel, 1, kernelData);
  memory outputMemory = bring(stream, output, 2, outputData);
  primitive.execute(stream, {{inputArgument, inputMemory},
                             {kernelArgument, kernelMemory},
                             {outputArgument, outputMemory},
                             {DNNL_ARG_SCRATCHPAD,
                              memory(scratchpad, engine,
                                     scratch.get(3, scratchpad.get_size()))}});
  auto takeBack = [&](const Tensor &tensor, memory &from, float *data) {
    if (!tensor.isWritten || !tensor.differs())
      return;
    memory own(tensor.own, engine, data);
    tensor.rearrange.execute(stream, from, own);
  };
  takeBack(input, inputMemory, inputData);
  takeBack(kernel, kernelMemory, kernelData);
  takeBack(output, outputMemory, outputData);
  stream.wait();
  return absl::OkStatus();
} catch (const std::exception &error) {
  return absl::InternalError(
      absl::StrCat("a convolution failed: ", error.what()));
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

namespace {

class ConvolutionNode final : public Node {
public:
  ConvolutionNode(std::string name, ConvolutionCall call)
      : Node(Kind::Kernel, std::move(name)), call(std::move(call)) {}

  void start(StepContext &context, Done done) override {
    done(compute(context));
  }

private:
  bool dividesFeatures() const {
    return call.kind == ConvolutionCall::Kind::BackwardKernel;
  }
  /// How many samples or output features there are to divide.
  int64_t count() const {
    return dividesFeatures() ? call.outputFeatures : call.batch;
  }
  int64_t choosePartSize(int parallelism) const;
  absl::Status prepare(int64_t size);
  absl::Status computePart(int64_t begin, int64_t end);
  absl::Status compute(StepContext &context);

  ConvolutionCall call;
  /// One for each number of samples or features; made at the first step.
  std::map<int64_t, std::unique_ptr<LibraryConvolution>> parts;
};

} // namespace

/// Groups are not divided: their features are not neighbors of a part.
int64_t ConvolutionNode::choosePartSize(int parallelism) const {
  double flops =
      2.0 * call.batch * call.groups * call.inputFeatures * call.outputFeatures;
  for (size_t i = 0; i < call.kernelSizes.size(); ++i)
    flops *= double(call.kernelSizes[i]) * double(call.outputSizes[i]);
  // Two parts per thread even out what other nodes take away from some.
  const int64_t most = parallelism == 1 ? 1 : 2 * parallelism;
  const int64_t wanted = std::clamp<int64_t>(flops / kPartFlops, 1, most);
  if (!dividesFeatures())
    return ceilDiv(count(), wanted);
  if (call.groups != 1)
    return count();
  const int64_t size = ceilDiv(count(), wanted);
  return std::min(count(), ceilDiv(size, kFeatureUnit) * kFeatureUnit);
}

absl::Status ConvolutionNode::prepare(int64_t size) {
  std::unique_ptr<LibraryConvolution> &part = parts[size];
  if (part)
    return absl::OkStatus();
  ConvolutionCall shape = call;
  (dividesFeatures() ? shape.outputFeatures : shape.batch) = size;
  ASSIGN_OR_RETURN(part, LibraryConvolution::create(shape));
  return absl::OkStatus();
}

absl::Status ConvolutionNode::computePart(int64_t begin, int64_t end) {
  const LibraryConvolution &part = *parts.at(end - begin);
  if (dividesFeatures())
    return part.run(call.input, call.kernel + begin * call.kernelLayout[1],
                    call.output + begin * call.outputLayout[1]);
  return part.run(call.input + begin * call.inputLayout[0], call.kernel,
                  call.output + begin * call.outputLayout[0]);
}

absl::Status ConvolutionNode::compute(StepContext &context) {
  const int64_t size = choosePartSize(context.parallelism());
  const int64_t numParts = ceilDiv(count(), size);
  RETURN_IF_ERROR(prepare(size));
  RETURN_IF_ERROR(prepare(count() - (numParts - 1) * size));
  struct {
    Mutex mutex;
    absl::Status status ABSL_GUARDED_BY(mutex);
  } failure;
  context.parallelRows(numParts, /*grain=*/1, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      absl::Status status =
          computePart(part * size, std::min(count(), (part + 1) * size));
      if (status.ok())
        continue;
      MutexLock lock(failure.mutex);
      failure.status = status;
    }
  });
  MutexLock lock(failure.mutex);
  return failure.status;
}

std::unique_ptr<Node> ps::runtime::makeConvolutionNode(std::string name,
                                                       ConvolutionCall call) {
  return std::make_unique<ConvolutionNode>(std::move(name), std::move(call));
}
