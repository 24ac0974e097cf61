# SPDX-License-Identifier: Apache-2.0
"""Shapes with a batch dimension, and views of them.

In the types of ps-mlir `?` is the batch size and nothing else, while models
also have dimensions of several times the batch size, such as the tokens of all
samples, which `x.view(-1, width)` makes. Here a dimension of a tensor is
therefore a tuple of factors, outermost first: (8,), (BATCH,), or (BATCH, 10)
for ten times the batch. In MLIR each factor is a dimension of its own, so that
such a view is the same value with other dimensions.
"""

import math
from dataclasses import dataclass

BATCH = None  # the factor that stands for the batch size

Dim = tuple  # of factors: integers and at most one BATCH


class Unsupported(Exception):
    """What an importer cannot translate, in one line."""


@dataclass(frozen=True)
class Multiple:
    """A size of `factor` times the batch size.

    It is multiplied and divided like the integers beside it; other arithmetic
    is refused.
    """
    factor: int

    def __mul__(self, other):
        if isinstance(other, Multiple):
            raise Unsupported("a product of batch sizes")
        return Multiple(self.factor * int(other)) if other else 0

    __rmul__ = __mul__

    def __floordiv__(self, other):
        if isinstance(other, Multiple):
            quotient, rest = divmod(self.factor, other.factor)
        else:
            quotient, rest = divmod(self.factor, int(other))
        if rest:
            raise Unsupported("a fraction of the batch size")
        return quotient if isinstance(other, Multiple) else Multiple(quotient)

    def __int__(self):
        raise Unsupported("the batch size as a number")


def dim_of(size):
    """The dimension of a size: an integer or a Multiple."""
    if not isinstance(size, Multiple):
        return (int(size),)
    return (BATCH,) if size.factor == 1 else (BATCH, size.factor)


def size_of(dim):
    """The size of a dimension: an integer or a Multiple."""
    product = math.prod(factor for factor in dim if factor is not BATCH)
    return Multiple(product) if BATCH in dim else product


def normalize(factors):
    """The dimension with the given factors."""
    if BATCH not in factors:
        return (math.prod(factors),)
    return tuple(factor for factor in factors if factor != 1)


def flatten(dims):
    """All factors: the shape in MLIR."""
    return tuple(factor for dim in dims for factor in dim)


def show(dims):
    """Dimensions as messages print them."""
    def name(size):
        if isinstance(size, Multiple):
            return "B" if size.factor == 1 else f"{size.factor}*B"
        return str(size)
    return "[" + ", ".join(name(size_of(dim)) for dim in dims) + "]"


def refine(left, right):
    """The coarsest dimension whose factors group to both of two of one size."""
    if left == right:
        return left
    factors, a, b = [], list(left), list(right)
    while a or b:
        if a and b and a[0] is BATCH and b[0] is BATCH:
            factors.append(BATCH)
            a.pop(0), b.pop(0)
            continue
        x = 1 if not a or a[0] is BATCH else a.pop(0)
        y = 1 if not b or b[0] is BATCH else b.pop(0)
        step = math.gcd(x, y)
        if step == 1:
            raise Unsupported(f"the dimensions {show([left])} and "
                              f"{show([right])} order samples differently")
        factors.append(step)
        if x > step:
            a.insert(0, x // step)
        if y > step:
            b.insert(0, y // step)
    return normalize(factors)


def _segments(factors):
    """Products of the static factors before, between and after BATCH."""
    products = [1]
    for factor in factors:
        if factor is BATCH:
            products.append(1)
        else:
            products[-1] *= factor
    return products


def split_view(dims, sizes):
    """Dimensions of the given sizes over the elements of `dims`, in order.

    Static factors around each BATCH are shared out: those left over when the
    static sizes before it are taken belong to the dimension with the BATCH.
    """
    left = _segments(flatten(dims))
    result, position = [], 0

    def refuse():
        raise Unsupported(f"cannot view {show(dims)} as "
                          f"{show([dim_of(size) for size in sizes])}")

    for size in sizes:
        if not isinstance(size, Multiple):
            if size and left[position] % size:
                refuse()
            left[position] //= size or 1
            result.append((size,))
            continue
        before = left[position]
        if position + 1 == len(left) or size.factor % before:
            refuse()
        after = size.factor // before
        left[position] = 1
        position += 1
        if left[position] % after:
            refuse()
        left[position] //= after
        result.append(normalize((before, BATCH, after)))
    if position + 1 != len(left) or any(rest > 1 for rest in left):
        refuse()
    return tuple(result)


def broadcast_dims(shapes):
    """The dimensions that tensors of the given dimensions broadcast to."""
    rank = max(len(dims) for dims in shapes)
    result = []
    for axis in range(-rank, 0):
        dim = (1,)
        for dims in shapes:
            if len(dims) < -axis or dims[axis] == (1,):
                continue
            if dim == (1,):
                dim = dims[axis]
            elif size_of(dim) != size_of(dims[axis]):
                raise Unsupported("cannot combine shapes " + " and ".join(
                    show(dims) for dims in shapes))
            else:
                dim = refine(dim, dims[axis])
        result.append(dim)
    return tuple(result)


def axes_of(dims, axis):
    """The dimensions in MLIR of dimension `axis`."""
    first = len(flatten(dims[:axis]))
    return list(range(first, first + len(dims[axis])))
