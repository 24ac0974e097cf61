"""Random convolutions of f32 agree with kernels, which compute those of f64: by
oneDNN on the host, and on a device by matrix products."""
# RUN: %python %s %t

import math
import pathlib
import random
import subprocess
import sys

FOLDER = pathlib.Path(sys.argv[1])
FOLDER.mkdir(parents=True, exist_ok=True)
SEEDS, CASES = 3, 40
# How many of them must be computed so at least: the others, such as those of
# holes for oneDNN, and of few elements for products, test nothing.
LEAST = {"exec.convolution": 30, "exec.gemm": 40}


def type_of(shape, element):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


def listed(values):
    return "[" + ", ".join(str(value).lower() for value in values) + "]"


class Case:
    """A convolution, whose dimensions are in any order."""

    def __init__(self, r):
        self.r = r
        while not self.choose():
            pass

    def choose(self):
        """Whether each window has a place."""
        r = self.r
        space = range(r.choice([1, 1, 2, 2, 2, 3]))
        self.features, self.batches = r.choice(
            [(1, 1), (1, 1), (1, 1), (2, 1), (3, 1), (1, 2), (1, 3)])
        self.kernel = [r.randint(1, 4) for _ in space]
        self.input = [r.randint(1, 9) for _ in space]
        self.strides = self.pick([1, 1, 2, 3])
        self.spread = self.pick([1, 1, 2, 3])
        self.dilation = self.pick([1, 1, 2])
        least = r.choice([-1, 0])
        self.pads = [[r.randint(least, 4), r.randint(least, 4)] for _ in space]
        reverse = r.random() < 0.5
        self.reverse = [reverse for _ in space]
        self.output = []
        for size, k, s, a, d, (low, high) in zip(
                self.input, self.kernel, self.strides, self.spread,
                self.dilation, self.pads):
            left = (size - 1) * a + 1 + low + high - ((k - 1) * d + 1)
            if left < 0:
                return False
            self.output.append(left // s + 1)
        return True

    def pick(self, values):
        """Often all ones, as the library wants it for some of its kinds."""
        if self.r.random() < 0.4:
            return [1] * len(self.kernel)
        return [self.r.choice(values) for _ in self.kernel]

    def order(self, letters, sizes):
        names = list(letters) + [str(i) for i in range(len(self.kernel))]
        pairs = list(zip(names, sizes))
        self.r.shuffle(pairs)
        return listed(name for name, _ in pairs), [size for _, size in pairs]

    def constant(self, shape):
        values = [f"{self.r.randint(-4, 4)}.0" for _ in range(math.prod(shape))]
        for size in reversed(shape):
            values = ["[" + ", ".join(values[i:i + size]) + "]"
                      for i in range(0, len(values), size)]
        return f"stablehlo.constant dense<{values[0]}> : {type_of(shape, 'f32')}"

    def text(self, name):
        batch, inputs = self.r.randint(1, 6), self.r.randint(1, 8)
        outputs = self.r.randint(1, 8) * self.features * self.batches
        x_order, x = self.order("bf", [batch * self.batches,
                                       inputs * self.features, *self.input])
        w_order, w = self.order("io", [inputs, outputs, *self.kernel])
        y_order, y = self.order("bf", [batch, outputs, *self.output])
        form = (f"dim_numbers = {x_order}x{w_order}->{y_order}, window = "
                f"{{stride = {self.strides}, pad = {self.pads}, lhs_dilate = "
                f"{self.spread}, rhs_dilate = {self.dilation}, reverse = "
                f"{listed(self.reverse)}}} {{batch_group_count = {self.batches} "
                f": i64, feature_group_count = {self.features} : i64}}")
        lines = [f"%x{name} = {self.constant(x)}",
                 f"%w{name} = {self.constant(w)}"]
        for tensor, shape in (("x", x), ("w", w)):
            lines.append(
                f"%wide_{tensor}{name} = stablehlo.convert %{tensor}{name} : "
                f"({type_of(shape, 'f32')}) -> {type_of(shape, 'f64')}")
        for prefix, element in (("", "f32"), ("wide_", "f64")):
            lines.append(
                f"%{prefix}y{name} = stablehlo.convolution(%{prefix}x{name}, "
                f"%{prefix}w{name}) {form} : ({type_of(x, element)}, "
                f"{type_of(w, element)}) -> {type_of(y, element)}")
        lines.append(f"%expected{name} = stablehlo.convert %wide_y{name} : "
                     f"({type_of(y, 'f64')}) -> {type_of(y, 'f32')}")
        lines.append(f"check.expect_almost_eq %y{name}, %expected{name} : "
                     f"{type_of(y, 'f32')}")
        return "".join(f"  {line}\n" for line in lines)


found = dict.fromkeys(LEAST, 0)
for seed in range(SEEDS):
    r = random.Random(seed)
    file = FOLDER / f"{seed}.mlir"
    file.write_text("func.func @main() {\n" + "".join(
        Case(r).text(i) for i in range(CASES)) + "  return\n}\n")
    for device, option, op in (("cpu", "", "exec.convolution"),
                               ("emulated", "=device=true", "exec.gemm")):
        # The numbers are whole, and small enough for bf16.
        for precision in ("f32", "bf16"):
            subprocess.run(["ps-run", file, "--entry=main",
                            f"--device={device}", f"--precision={precision}"],
                           check=True)
        compiled = subprocess.run(["ps-opt", file, f"--ps-compile{option}"],
                                  check=True, capture_output=True,
                                  text=True).stdout
        found[op] += compiled.count(op)
for op, least in LEAST.items():
    if found[op] < least:
        sys.exit(f"expected at least {least} of {op}, found {found[op]}")
