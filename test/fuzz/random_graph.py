"""Random training graphs, and random jobs to train them in.

Activations stay within a few units, and variables move a little at a time, so
that a job and one process, which add in different orders, stay within rounding
of each other: what tests compare is the compiler, not chaos."""

import collections

SAMPLES = 64
Value = collections.namedtuple("Value", "name dims")  # dims behind the batch
# mode: also accumulate and hybrid, which are sync jobs. Those in which trainers
# keep step are compared with one process; of others the programs are verified.
Job = collections.namedtuple(
    "Job", "options mode keeps_step trainers pservers batch steps accumulate")


def tensor(dims, element="f32"):
    return f"tensor<{''.join(f'{d}x' for d in dims)}{element}>"


class Graph:
    """A chain of random layers, with what branches off it and comes back."""

    def __init__(self, rng, job):
        self.rng, self.job = rng, job
        self.lines, self.helpers, self.variables = [], [], {}
        self.values, self.count = [], 0
        self.features = rng.choice((1, 3, 5, 8))

    # -- text

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def emit(self, op, dims, batched=True):
        """`op` with {t} for the type of its one result, and nothing else."""
        name = self.fresh()
        value = Value(name, tuple(dims))
        self.lines.append(
            f"{name} = stablehlo." + op.replace("{t}", self.type(value, batched)))
        return value

    def type(self, value, batched=True):
        return tensor((("?",) if batched else ()) + value.dims)

    def constant(self, number):
        return self.emit(f"constant dense<{number}> : {{t}}", (), batched=False)

    def broadcast(self, value, dims, along, batched=False):
        """Over the dimensions that `along` does not name."""
        return self.emit(f"broadcast_in_dim {value.name}, dims = {list(along)} : "
                         f"({self.type(value, batched)}) -> {{t}}", dims)

    def unary(self, op, x):
        return self.emit(f"{op} {x.name} : {{t}}", x.dims)

    def binary(self, op, x, y):
        return self.emit(f"{op} {x.name}, {y.name} : {{t}}", x.dims)

    def scalar(self, number, dims):
        """A constant for each element of a batch."""
        return self.broadcast(self.constant(number), dims, ())

    # -- variables

    def variable(self, dims, low, high, share=0.2):
        """Reads a new variable, or one of that type that there is."""
        same = [n for n, v in self.variables.items() if v["dims"] == tuple(dims)]
        if same and self.rng.random() < share:
            name = self.rng.choice(same)
        else:
            base = self.rng.choice(("w", "b", "layer", "w.block", "a b", "x/y"))
            name = f"{base}{len(self.variables)}"
            attributes = {}
            if self.rng.random() < 0.1:
                attributes["learning_rate_scale"] = "0.5 : f64"
            if self.rng.random() < 0.08:
                attributes["trainable"] = "false"
            elif self.job.pservers and self.rng.random() < 0.1:
                server = self.rng.randrange(self.job.pservers)
                attributes["server"] = f"{server} : i64"
            elif self.job.mode == "hybrid" and self.rng.random() < 0.4:
                attributes["sync"] = "all_reduce"
            if self.job.keeps_step and self.rng.random() < 0.05:
                attributes["clip"] = self.rng.choice(CLIPS)
            if self.rng.random() < 0.05:
                attributes["regularize"] = self.rng.choice(REGULARIZERS)
            self.variables[name] = dict(
                dims=tuple(dims), low=low, high=high, attributes=attributes)
        value = Value(self.fresh(), tuple(dims))
        self.lines.append(
            f'{value.name} = ps.read @"{name}" : {tensor(value.dims)}')
        return value

    # -- layers: each takes a value with one dimension behind the batch

    def width(self):
        return self.rng.choice((1, 2, 3, 4, 7, 8, 12, 16))

    def product(self, x, y, width):
        return self.emit(
            f"dot_general {x.name}, {y.name}, contracting_dims = [1] x [0] : "
            f"({self.type(x)}, {tensor(y.dims)}) -> {{t}}", (width,))

    def dense(self, x):
        width = x.dims[0] if self.rng.random() < 0.3 else self.width()
        h = self.dense_to(x, width)
        return self.shift(h) if self.rng.random() < 0.8 else h

    def shift(self, x):
        bias = self.variable(x.dims, 0.1, 0.5)
        return self.binary("add", x, self.broadcast(bias, x.dims, (1,)))

    def scale(self, x):
        factor = self.variable(x.dims, 0.5, 1.5)
        return self.binary("multiply", x, self.broadcast(factor, x.dims, (1,)))

    def scale_all(self, x):
        factor = self.variable((), 0.5, 1.5)
        return self.binary("multiply", x, self.broadcast(factor, x.dims, ()))

    def activation(self, x):
        return self.unary(self.rng.choice(
            ("tanh", "tanh", "logistic", "sine", "cosine")), x)

    def softplus(self, x):
        bounded = self.unary("tanh", x)
        return self.unary("log_plus_one", self.unary("exponential", bounded))

    def relu(self, x):
        return self.binary("maximum", x, self.scalar("0.0", x.dims))

    def clamp(self, x):
        low, high = self.constant("-1.5"), self.constant("1.5")
        return self.emit(f"clamp {low.name}, {x.name}, {high.name} : "
                         f"(tensor<f32>, {self.type(x)}, tensor<f32>) -> {{t}}",
                         x.dims)

    def root(self, x):
        square = self.binary("multiply", x, x)
        one = self.scalar("1.0", x.dims)
        return self.unary("sqrt", self.binary("add", square, one))

    def quotient(self, x):
        return self.binary("divide", x, self.root(x))

    def gate(self, x):
        return self.binary("multiply", x, self.unary("logistic", self.dense_to(
            x, x.dims[0])))

    def dense_to(self, x, width):
        reach = round(1 / max(1, x.dims[0]) ** 0.5, 3)
        return self.product(x, self.variable((x.dims[0], width), -reach, reach),
                            width)

    def residual(self, x):
        other = self.rng.choice(self.values)
        return self.binary("add", x, self.dense_to(other, x.dims[0]))

    def detour(self, x):
        """Through three dimensions and back."""
        width = x.dims[0]
        factors = [f for f in range(1, width + 1) if width % f == 0]
        a = self.rng.choice(factors)
        b = width // a
        h = self.emit(f"reshape {x.name} : ({self.type(x)}) -> {{t}}", (a, b))
        if self.rng.random() < 0.5:
            w = self.variable((b, b), -0.5, 0.5)
            h = self.emit(
                f"dot_general {h.name}, {w.name}, contracting_dims = [2] x [0] :"
                f" ({self.type(h)}, {tensor(w.dims)}) -> {{t}}", (a, b))
        else:
            h = self.emit(f"transpose {h.name}, dims = [0, 2, 1] : "
                          f"({self.type(h)}) -> {{t}}", (b, a))
        return self.emit(f"reshape {h.name} : ({self.type(h)}) -> {{t}}",
                         (width,))

    def cut(self, x):
        width = x.dims[0]
        first = self.rng.randrange(width)
        count = self.rng.randint(1, width - first)
        low = self.emit(f"pad {x.name}, {self.constant('0.5').name}, low = [0, 1]"
                        f", high = [0, 2], interior = [0, 0] : ({self.type(x)}, "
                        f"tensor<f32>) -> {{t}}", (width + 3,))
        high = self.emit(f"reverse {x.name}, dims = [1] : {{t}}", (width,))
        both = self.emit(
            f"concatenate {low.name}, {high.name}, dim = 1 : "
            f"({self.type(low)}, {self.type(high)}) -> {{t}}", (2 * width + 3,))
        w = self.variable((2 * width + 3, count), -0.3, 0.3)
        return self.product(both, w, count)

    def reduce(self, x, op, start):
        zero = self.constant(start)
        return self.emit(
            f"reduce({x.name} init: {zero.name}) applies stablehlo.{op} across "
            f"dimensions = [1] : ({self.type(x)}, tensor<f32>) -> {{t}}", ())

    def normalize(self, x):
        """Minus the mean over its features, by their spread."""
        def over_features(value):
            total = self.reduce(value, "add", "0.0")
            return self.broadcast(
                self.binary("divide", total, self.scalar(
                    float(x.dims[0]), ())), x.dims, (0,), batched=True)
        centered = self.binary("subtract", x, over_features(x))
        spread = over_features(self.binary("multiply", centered, centered))
        spread = self.binary("add", spread, self.scalar("0.5", x.dims))
        return self.binary("multiply", centered, self.unary("rsqrt", spread))

    def attention(self, x):
        """Softmax over the features weighs them."""
        top = self.broadcast(self.reduce(x, "maximum", "0xFF800000"), x.dims,
                             (0,), batched=True)
        weights = self.unary("exponential", self.binary("subtract", x, top))
        total = self.broadcast(self.reduce(weights, "add", "0.0"), x.dims, (0,),
                               batched=True)
        return self.binary("multiply", x, self.binary("divide", weights, total))

    def choose(self, x):
        """Where y is positive, x, else a function of x."""
        y = self.unary("sine", x)
        zero = self.scalar("0.25", x.dims)
        predicate = self.fresh()
        predicates = tensor(("?",) + x.dims, "i1")
        self.lines.append(
            f"{predicate} = stablehlo.compare GT, {y.name}, {zero.name}, FLOAT : "
            f"({self.type(y)}, {self.type(zero)}) -> {predicates}")
        return self.emit(f"select {predicate}, {y.name}, {zero.name} : "
                         f"{predicates}, {{t}}", x.dims)

    def call(self, x):
        """A layer in a function of its own, which reads its variable."""
        lines, self.lines, values = self.lines, [], self.values
        count, self.count, self.values = self.count, 0, []
        argument = Value("%x", x.dims)
        result = self.activation(self.dense(argument))
        name = f"helper{len(self.helpers)}"
        body = "\n".join("    " + line for line in self.lines)
        self.helpers.append(
            f"  func.func private @{name}(%x: {self.type(x)}) -> "
            f"{self.type(result)} {{\n{body}\n    return {result.name} : "
            f"{self.type(result)}\n  }}\n")
        self.lines, self.count, self.values = lines, count, values
        called = Value(self.fresh(), result.dims)
        self.lines.append(f"{called.name} = call @{name}({x.name}) : "
                          f"({self.type(x)}) -> {self.type(called)}")
        return called

    # -- the whole

    def mean(self, total):
        """Of one number per sample."""
        zero = self.constant("0.0")
        total = self.emit(
            f"reduce({total.name} init: {zero.name}) applies stablehlo.add across "
            f"dimensions = [0] : ({self.type(total)}, tensor<f32>) -> {{t}}", (),
            batched=False)
        size, count = self.fresh(), Value(self.fresh(), ())
        self.lines.append(
            f"{size} = stablehlo.get_dimension_size %x, dim = 0 : "
            f"({tensor(('?', self.features))}) -> tensor<i32>")
        self.lines.append(f"{count.name} = stablehlo.convert {size} : "
                          "(tensor<i32>) -> tensor<f32>")
        return self.emit(f"divide {total.name}, {count.name} : {{t}}", (),
                         batched=False)

    def loss(self, x):
        label = self.broadcast(Value("%y", ()), x.dims, (0,), batched=True)
        if self.rng.random() < 0.7:
            error = self.binary("subtract", x, label)
            each = self.binary("multiply", error, error)
        else: # log(1 + exp(-x y))
            margin = self.binary("multiply", self.unary("tanh", x), label)
            each = self.unary("log_plus_one", self.unary(
                "exponential", self.unary("negate", margin)))
        total = self.reduce(each, "add", "0.0")
        share = self.scalar(1 / x.dims[0], ())
        return self.mean(self.binary("multiply", total, share))

    def build(self):
        x = self.dense(Value("%x", (self.features,)))
        layers = [self.dense] * 5 + [self.activation] * 4 + [
            self.shift, self.scale, self.scale_all, self.softplus, self.relu,
            self.clamp, self.root, self.quotient, self.gate, self.detour,
            self.cut, self.normalize, self.attention, self.choose, self.call]
        for _ in range(self.rng.randint(1, 10)):
            self.values.append(x)
            x = self.rng.choice(layers + [self.residual] * 2)(x)
        # A product of bounded values, so that the loss is bounded.
        x = self.dense(self.unary("tanh", x))
        return self.loss(x)

    def text(self, trained):
        """The module. `trained`: the minimize op's text behind the loss."""
        loss = self.build()
        if not any("trainable" not in v["attributes"]
                   for v in self.variables.values()):
            for variable in self.variables.values():
                variable["attributes"].pop("trainable")
        # Options of the job are for variables that pservers have.
        if all(v["attributes"].keys() & {"trainable", "sync"}
               for v in self.variables.values()):
            next(v for v in self.variables.values()
                 if "sync" in v["attributes"])["attributes"].pop("sync")
        declared = list(self.variables.items())
        self.rng.shuffle(declared)
        yield "module @fuzz {\n"
        for name, variable in declared:
            yield (f'  ps.variable @"{name}" : {tensor(variable["dims"])} '
                   f'init(#ps.uniform<min = {variable["low"]}, '
                   f'max = {variable["high"]}>)')
            attributes = ", ".join(
                f"{k} = {v}" for k, v in variable["attributes"].items())
            yield f" {{{attributes}}}\n" if attributes else "\n"
        yield from self.helpers
        yield (f"  func.func @train(%x: {tensor(('?', self.features))} "
               '{ps.feed = "x"}, %y: tensor<?xf32> {ps.feed = "y"}) -> '
               '(tensor<f32> {ps.fetch = "loss"}) {\n')
        for line in self.lines:
            yield f"    {line}\n"
        yield f"    ps.minimize {loss.name} {trained} : tensor<f32>\n"
        yield f"    return {loss.name} : tensor<f32>\n  }}\n}}\n"


SCHEDULE = ("#ps.linear_warmup<learning_rate = #ps.exponential_decay<"
            "learning_rate = 0.05, decay_steps = 2, decay_rate = 0.5>, "
            "warmup_steps = 2, start_lr = 0.01, end_lr = 0.05>")
# Rules that go on smoothly where a gradient is nearly zero: what divides by its
# size makes a large step of a rounding, so it gets a large epsilon. FTRL is left
# to test/run/equality-optimizers.test: where a gradient is small, it computes a
# parameter anew as a difference in which most digits cancel.
OPTIMIZERS = (
    "#ps.sgd<learning_rate = 0.05>",
    "#ps.momentum<learning_rate = 0.02, momentum = 0.9>",
    "#ps.momentum<learning_rate = 0.02, momentum = 0.5, use_nesterov = true>",
    f"#ps.sgd<learning_rate = {SCHEDULE}>",
    "#ps.sgd<learning_rate = #ps.polynomial_decay<learning_rate = 0.05, "
    "decay_steps = 2, end_learning_rate = 0.001, power = 1.0, cycle = true>>",
    "#ps.momentum<learning_rate = #ps.piecewise_decay<boundaries = [1, 2], "
    "values = [0.02, 0.01, 0.03]>, momentum = 0.9>",
    "#ps.momentum<learning_rate = #ps.cosine_decay<learning_rate = 0.02, "
    "step_each_epoch = 2, epochs = 3>, momentum = 0.9>",
    f"#ps.adam<learning_rate = {SCHEDULE}, epsilon = 0.1>",
    "#ps.adamw<learning_rate = 0.02, weight_decay = 0.1, epsilon = 0.1>",
    "#ps.adamax<learning_rate = 0.02, epsilon = 0.5>",
    "#ps.adagrad<learning_rate = 0.05, initial_accumulator_value = 0.5>",
    "#ps.decayed_adagrad<learning_rate = 0.02, epsilon = 0.1>",
    "#ps.rmsprop<learning_rate = 0.02, epsilon = 0.1, momentum = 0.5, "
    "centered = true>",
    "#ps.adadelta<learning_rate = 0.5, epsilon = 0.1>",
    # The two are equal so that the rate is lr with a gradient of zero, too.
    "#ps.lars_momentum<learning_rate = 0.05, momentum = 0.9, lars_coeff = 0.1, "
    "lars_weight_decay = 0.1>",
    "#ps.lamb<learning_rate = 0.02, epsilon = 0.1, lamb_weight_decay = 0.1>",
)
CLIPS = (
    "#ps.clip_by_value<min = -0.1, max = 0.2>",
    "#ps.clip_by_norm<0.2>",
    "#ps.clip_by_global_norm<0.3>",
)
REGULARIZERS = ("#ps.l2_decay<0.1>", "#ps.l1_decay<0.01>")


def random_rule(rng, job):
    """The rule of ps.minimize."""
    optimizer = rng.choice(OPTIMIZERS)
    if job.mode == "geo":
        optimizer = OPTIMIZERS[0]
    rule = f"using({optimizer})"
    if job.keeps_step and rng.random() < 0.4:
        rule += f" clip({rng.choice(CLIPS)})"
    if rng.random() < 0.3:
        rule += f" regularize({rng.choice(REGULARIZERS)})"
    return rule


def random_graph(rng, job):
    """The text of a module, and how many features its samples have."""
    graph = Graph(rng, job)
    text = "".join(graph.text(random_rule(rng, job)))
    return text, graph.features


def random_job(rng):
    trainers, pservers = rng.choice(
        ((2, 2), (2, 2), (1, 1), (1, 3), (3, 1), (3, 2), (2, 5)))
    mode = rng.choice(["sync"] * 9 + ["async", "half-async", "geo",
                                       "collective", "accumulate", "hybrid"])
    options = [f"trainers={trainers}"]
    if mode in ("async", "half-async", "geo", "collective"):
        options.append(f"mode={mode}")
    if mode == "collective":
        pservers = 0
    else:
        endpoints = ",".join(f"127.0.0.1:{6174 + i}" for i in range(pservers))
        options.append(f"pservers={endpoints}")
        options.append("split-method=" + rng.choice(
            ("RoundRobin", "HashName", "SizeBalanced")))
        if rng.random() < 0.2:
            options.append("slice-var-up=false")
        else:
            options.append(f"min-block-size={rng.choice((1, 3, 8, 50))}")
    if mode != "geo" and rng.random() < 0.3:
        options.append(f"bucket-bytes={rng.choice((64, 400, 100000))}")
    accumulate = rng.choice((2, 3)) if mode == "accumulate" else 1
    if accumulate > 1:
        options.append(f"accumulate={accumulate}")
    # A global norm belongs to a step that all trainers take together.
    keeps_step = mode not in ("async", "half-async", "geo")
    batch = rng.choice((1, 3, 8) if accumulate == 1 else (1, 3))
    # Within an epoch: at its end, smaller batches leave fewer samples out.
    steps = min(rng.randint(1, 4), SAMPLES // (batch * trainers * accumulate))
    return Job(" ".join(options), mode, keeps_step, trainers, pservers, batch,
               steps, accumulate)


def random_table(rng, features):
    """Samples, as CSV; the label is the last column."""
    return "".join(
        ",".join(f"{rng.uniform(-1, 1):.3f}" for _ in range(features + 1)) + "\n"
        for _ in range(SAMPLES))
