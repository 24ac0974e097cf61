// SPDX-License-Identifier: Apache-2.0
//===- RandomBits.cpp - rng_bit_generator as integer arithmetic -----------===//
//
// Both algorithms encrypt the numbers of a counter by a key: J. K. Salmon,
// M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel Random Numbers: As Easy as 1,
// 2, 3", SC 2011. The first number of the state is the key, the others are the
// counter. How XLA counts, and in which order the words of a block become
// elements, is what `jax.lax.rng_bit_generator` gives on a CPU:
//
//   Threefry-2x32   32 bits: the two words of a block are neighbors along the
//                   first even dimension, or along the first of the longest
//                   ones; 64 bits: a block is an element
//   Philox-4x32     the four words of a block follow each other; the counter
//                   has 128 bits, a missing upper half is the key
//
// Elements of less than 32 bits are the low bits of 32.
//
//===----------------------------------------------------------------------===//

#include "compiler/inlining/DecomposeOps.h"
#include "dialects/stablehlo/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace ps;
using namespace stablehlo;

namespace {

/// Numbers of ui32, all of the same shape.
using Words = SmallVector<Value>;

class RandomBits : public Emitter {
public:
  RandomBits(RngBitGeneratorOp op, Emitter &e)
      : Emitter(e.getBuilder(), e.getLoc()), state(op.getInitialState()),
        output(cast<RankedTensorType>(op.getOutput().getType())),
        word(IntegerType::get(op.getContext(), 32, IntegerType::Unsigned)),
        longWord(IntegerType::get(op.getContext(), 64, IntegerType::Unsigned)) {
  }

  Results threefry();
  Results philox();

private:
  bool isLong() const { return output.getElementTypeBitWidth() == 64; }
  Value bitXor(Value a, Value b) { return create<XorOp>(a, b); }
  Value shiftRight(Value x, int bits) {
    return create<ShiftRightLogicalOp>(x, like(x, bits));
  }
  Value shiftLeft(Value x, int bits) {
    return create<ShiftLeftOp>(x, like(x, bits));
  }
  Value rotateLeft(Value x, int bits) {
    return create<OrOp>(shiftLeft(x, bits), shiftRight(x, 32 - bits));
  }
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    return create<ReshapeOp>(
        RankedTensorType::get(shape, typeOf(value).getElementType()), value);
  }

  /// The lower and the upper half of numbers of ui64.
  Words split(Value number) {
    return {convert(number, word), convert(shiftRight(number, 32), word)};
  }
  Value join(Value low, Value high) {
    return create<OrOp>(convert(low, longWord),
                        shiftLeft(convert(high, longWord), 32));
  }

  Value getState(int64_t index);
  Value packState(ArrayRef<Value> numbers);
  Value count(int64_t blocks);
  Words repeat(ArrayRef<Value> scalars, int64_t blocks);
  Value carry(Value sum, Value summand) {
    return convert(less(sum, summand), longWord);
  }
  Value takeElements(Value bits, ArrayRef<int64_t> shape);
  Value interleave(ArrayRef<Value> parts);
  Value pairAlongDim(ArrayRef<Value> halves, int64_t dim);

  Words encryptThreefry(Words x, Words key);
  Words encryptPhilox(Words x, Words key);

  Value state;
  RankedTensorType output;
  Type word, longWord;
};

} // namespace

Value RandomBits::getState(int64_t index) {
  Value one = create<SliceOp>(state, ArrayRef<int64_t>(index),
                              ArrayRef<int64_t>(index + 1),
                              ArrayRef<int64_t>(int64_t(1)));
  return reshape(one, {});
}

Value RandomBits::packState(ArrayRef<Value> numbers) {
  SmallVector<Value> parts;
  for (Value number : numbers)
    parts.push_back(reshape(number, {1}));
  return create<ConcatenateOp>(state.getType(), parts, 0);
}

/// 0, 1, .. up to the number of blocks.
Value RandomBits::count(int64_t blocks) {
  return create<IotaOp>(RankedTensorType::get({blocks}, longWord), 0);
}

/// Each scalar for each block.
Words RandomBits::repeat(ArrayRef<Value> scalars, int64_t blocks) {
  auto type = RankedTensorType::get({blocks}, word);
  return llvm::map_to_vector(
      scalars, [&](Value scalar) { return broadcast(scalar, type); });
}

/// The first elements along each dimension, in the element type of the output.
/// Integers are cut off and do not change otherwise.
Value RandomBits::takeElements(Value bits, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> starts(shape.size(), 0), strides(shape.size(), 1);
  if (typeOf(bits).getShape() != shape)
    bits = create<SliceOp>(bits, starts, shape, strides);
  auto element = cast<IntegerType>(output.getElementType());
  bits =
      convert(bits, IntegerType::get(element.getContext(), element.getWidth(),
                                     IntegerType::Unsigned));
  if (!element.isUnsigned())
    bits = create<BitcastConvertOp>(bits, element);
  return reshape(bits, output.getShape());
}

/// The first element of each part, then the second of each, and so on.
Value RandomBits::interleave(ArrayRef<Value> parts) {
  int64_t blocks = typeOf(parts.front()).getDimSize(0);
  int64_t size = parts.size();
  SmallVector<Value> columns;
  for (Value part : parts)
    columns.push_back(reshape(part, {blocks, 1}));
  auto type = RankedTensorType::get({blocks, size},
                                    typeOf(parts.front()).getElementType());
  Value rows = create<ConcatenateOp>(type, columns, 1);
  return takeElements(reshape(rows, {blocks * size}), output.getNumElements());
}

//===----------------------------------------------------------------------===//
// Threefry
//===----------------------------------------------------------------------===//

/// Threefry-2x32 of 20 rounds: after each four, the key is added.
Words RandomBits::encryptThreefry(Words x, Words key) {
  static constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  key.push_back(
      bitXor(bitXor(key[0], key[1]), like(key[0], /*parity=*/0x1BD11BDA)));
  x = {add(x[0], key[0]), add(x[1], key[1])};
  for (int group = 0; group < 5; ++group) {
    for (int bits : rotations[group % 2]) {
      x[0] = add(x[0], x[1]);
      x[1] = bitXor(rotateLeft(x[1], bits), x[0]);
    }
    x[0] = add(x[0], key[(group + 1) % 3]);
    x[1] = add(x[1], add(key[(group + 2) % 3], like(x[1], group + 1)));
  }
  return x;
}

/// The dimension along which words of a block are neighbors.
static int64_t getPairedDim(ArrayRef<int64_t> shape) {
  for (auto [dim, size] : llvm::enumerate(shape))
    if (size % 2 == 0)
      return static_cast<int64_t>(dim);
  return std::max_element(shape.begin(), shape.end()) - shape.begin();
}

/// Elements 2i and 2i + 1 along `dim` are elements i of the two halves.
Value RandomBits::pairAlongDim(ArrayRef<Value> halves, int64_t dim) {
  SmallVector<int64_t> shape(output.getShape());
  shape[dim] = llvm::divideCeil(shape[dim], 2);
  shape.insert(shape.begin() + dim + 1, 1);
  SmallVector<Value> parts;
  for (Value half : halves)
    parts.push_back(reshape(half, shape));
  shape[dim + 1] = 2;
  Value pairs =
      create<ConcatenateOp>(RankedTensorType::get(shape, word), parts, dim + 1);
  shape.erase(shape.begin() + dim + 1);
  shape[dim] *= 2;
  return takeElements(reshape(pairs, shape), output.getShape());
}

Results RandomBits::threefry() {
  SmallVector<int64_t> shape(output.getShape());
  int64_t dim = shape.empty() || isLong() ? 0 : getPairedDim(shape);
  if (!shape.empty() && !isLong())
    shape[dim] = llvm::divideCeil(shape[dim], 2);
  int64_t blocks = ShapedType::getNumElements(shape);

  Value key = getState(0), counter = getState(1);
  Value numbers = count(blocks);
  numbers = add(broadcast(counter, typeOf(numbers)), numbers);
  Words x = encryptThreefry(split(numbers), repeat(split(key), blocks));
  Value bits = isLong()        ? interleave({join(x[0], x[1])})
               : shape.empty() ? takeElements(x[0], {1})
                               : pairAlongDim(x, dim);
  Value next = add(counter, like(counter, static_cast<double>(blocks)));
  return {packState({key, next}), bits};
}

//===----------------------------------------------------------------------===//
// Philox
//===----------------------------------------------------------------------===//

/// Philox-4x32 of 10 rounds, each with the key plus a multiple of a constant.
Words RandomBits::encryptPhilox(Words x, Words key) {
  static constexpr uint32_t multipliers[2] = {0xD2511F53, 0xCD9E8D57};
  static constexpr uint32_t increments[2] = {0x9E3779B9, 0xBB67AE85};
  auto multiply = [&](Value factor, uint32_t by) {
    Value wide = convert(factor, longWord);
    return split(mul(wide, like(wide, by)));
  };
  for (uint32_t round = 0; round < 10; ++round) {
    auto roundKey = [&](int i) {
      return add(key[i], like(key[i], increments[i] * round));
    };
    Words a = multiply(x[0], multipliers[0]);
    Words b = multiply(x[2], multipliers[1]);
    x = {bitXor(bitXor(b[1], x[1]), roundKey(0)), b[0],
         bitXor(bitXor(a[1], x[3]), roundKey(1)), a[0]};
  }
  return x;
}

Results RandomBits::philox() {
  int64_t perBlock = isLong() ? 2 : 4;
  auto blocks =
      static_cast<int64_t>(llvm::divideCeil(output.getNumElements(), perBlock));
  const bool hasHigh = typeOf(state).getDimSize(0) == 3;
  Value key = getState(0), low = getState(1);
  Value high = hasHigh ? getState(2) : key;

  Value numbers = count(blocks);
  Value spread = broadcast(low, typeOf(numbers));
  Value lows = add(spread, numbers);
  Value highs = add(broadcast(high, typeOf(numbers)), carry(lows, spread));
  Words x = split(lows);
  llvm::append_range(x, split(highs));
  x = encryptPhilox(x, repeat(split(key), blocks));
  Value bits = isLong() ? interleave({join(x[0], x[1]), join(x[2], x[3])})
                        : interleave(x);

  Value nextLow = add(low, like(low, static_cast<double>(blocks)));
  SmallVector<Value> next = {key, nextLow};
  if (hasHigh)
    next.push_back(add(high, carry(nextLow, low)));
  return {packState(next), bits};
}

Results ps::decompose(RngBitGeneratorOp op, Emitter &e) {
  RandomBits bits(op, e);
  return op.getRngAlgorithm() == RngAlgorithm::THREE_FRY ? bits.threefry()
                                                         : bits.philox();
}
