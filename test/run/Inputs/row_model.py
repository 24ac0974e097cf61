"""What the tests of tables share: batches of ids as they should never come, a
graph that looks a table up plainly and in bags, and the same graph and its
optimizers in plain Python, in double precision."""

import json
import math
import pathlib
import random
import struct

from job import read_metrics, run

IDS_PER_SAMPLE, WIDTH, INITIAL = 2, 3, 0.5
EXTREMES = [0, -1, -2**63, 2**63 - 1, 2**40]
PLAIN = [[0.5, -0.25, 1.0], [0.75, 0.5, -0.5]]
POOLED = [-1.0, 0.5, 0.25]

OPTIMIZERS = {
    "sgd": "#ps.sgd<learning_rate = 0.125>",
    "adagrad": "#ps.adagrad<learning_rate = 0.125>",
    "row_wise": "#ps.adagrad<learning_rate = 0.125, row_wise = true>",
    "adam": "#ps.adam<learning_rate = 0.125>",
    "momentum": "#ps.momentum<learning_rate = 0.125, momentum = 0.5>",
    # Those that only jobs and one process are compared with.
    "nesterov": "#ps.momentum<learning_rate = 0.0625, momentum = 0.5, use_nesterov = true>",
    "adamw": "#ps.adamw<learning_rate = 0.0625, weight_decay = 0.01>",
    "adamax": "#ps.adamax<learning_rate = 0.0625>",
    "decayed_adagrad": "#ps.decayed_adagrad<learning_rate = 0.0625>",
    "rmsprop": "#ps.rmsprop<learning_rate = 0.0625>",
    "adadelta": "#ps.adadelta<learning_rate = 1.0>",
    "ftrl": "#ps.ftrl<learning_rate = 0.125>",
    "scheduled": "#ps.sgd<learning_rate = #ps.exponential_decay<learning_rate = 0.125, decay_steps = 3, decay_rate = 0.5>>",
}


def graph(optimizer, pool="mean", weighted=True, padding=0, element="f32"):
    """The module's text. The loss is the mean of (prediction - label)^2, the
    prediction a linear function of the rows."""
    weights = f"%w: tensor<?x{element}> {{ps.feed = \"s1.weights\"}}," * weighted
    use = "weights(%w) " * weighted
    types = ", ".join(["tensor<?xi64>", "tensor<?xi64>"]
                      + [f"tensor<?x{element}>"] * weighted)
    attributes = "" if padding is None else f"{{padding_idx = {padding} : i64}} "
    t = lambda shape: f"tensor<{shape}{'x' if shape else ''}{element}>"
    return f"""
module @tables {{
  ps.table @emb : {t("1000000x3")} init(#ps.constant<{INITIAL}>)
  func.func @train(%ids: tensor<?x{IDS_PER_SAMPLE}xi64> {{ps.feed = "ids"}},
                   %s1: tensor<?xi64> {{ps.feed = "s1"}},
                   %o: tensor<?xi64> {{ps.feed = "s1.offsets"}},
                   {weights}
                   %label: {t("?x1")} {{ps.feed = "label"}})
      -> ({t("")} {{ps.fetch = "loss"}}) {{
    %e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> {t("?x2x3")}
    %p = ps.lookup @emb[%s1] segments(%o) pool({pool}) {use}{attributes}: ({types}) -> {t("?x3")}
    %ke = stablehlo.constant dense<{PLAIN}> : {t("2x3")}
    %kp = stablehlo.constant dense<{[[x] for x in POOLED]}> : {t("3x1")}
    %de = stablehlo.dot_general %e, %ke, contracting_dims = [1, 2] x [0, 1] : ({t("?x2x3")}, {t("2x3")}) -> {t("?")}
    %be = stablehlo.broadcast_in_dim %de, dims = [0] : ({t("?")}) -> {t("?x1")}
    %dp = stablehlo.dot_general %p, %kp, contracting_dims = [1] x [0] : ({t("?x3")}, {t("3x1")}) -> {t("?x1")}
    %sum = stablehlo.add %be, %dp : {t("?x1")}
    %error = stablehlo.subtract %sum, %label : {t("?x1")}
    %square = stablehlo.multiply %error, %error : {t("?x1")}
    %zero = stablehlo.constant dense<0.0> : {t("")}
    %total = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : ({t("?x1")}, {t("")}) -> {t("")}
    %batch = stablehlo.get_dimension_size %label, dim = 0 : ({t("?x1")}) -> tensor<i32>
    %count = stablehlo.convert %batch : (tensor<i32>) -> {t("")}
    %loss = stablehlo.divide %total, %count : {t("")}
    ps.minimize %loss using({OPTIMIZERS[optimizer]}) : {t("")}
    return %loss : {t("")}
  }}
}}
"""


def plain_graph(dense, optimizer, ids):
    """Plain lookups of a table of `ids` rows, or the same with a variable and
    one-hot vectors."""
    what = "variable" if dense else "table"
    init = "init(#ps.uniform<min = -0.5, max = 0.5>)"
    lookup = "%e = ps.lookup @emb[%ids] : (tensor<?x2xi64>) -> tensor<?x2x3xf32>"
    if dense:
        lookup = f"""%w = ps.read @emb : tensor<{ids}x3xf32>
    %all = stablehlo.constant dense<{list(range(ids))}> : tensor<{ids}xi64>
    %b0 = stablehlo.broadcast_in_dim %all, dims = [2] : (tensor<{ids}xi64>) -> tensor<?x2x{ids}xi64>
    %b1 = stablehlo.broadcast_in_dim %ids, dims = [0, 1] : (tensor<?x2xi64>) -> tensor<?x2x{ids}xi64>
    %same = stablehlo.compare EQ, %b0, %b1 : (tensor<?x2x{ids}xi64>, tensor<?x2x{ids}xi64>) -> tensor<?x2x{ids}xi1>
    %hot = stablehlo.convert %same : (tensor<?x2x{ids}xi1>) -> tensor<?x2x{ids}xf32>
    %e = stablehlo.dot_general %hot, %w, contracting_dims = [2] x [0] : (tensor<?x2x{ids}xf32>, tensor<{ids}x3xf32>) -> tensor<?x2x3xf32>"""
    return f"""
module @plain {{
  ps.{what} @emb : tensor<{ids}x3xf32> {init}
  func.func @train(%ids: tensor<?x2xi64> {{ps.feed = "ids"}},
                   %label: tensor<?x1xf32> {{ps.feed = "label"}})
      -> (tensor<f32> {{ps.fetch = "loss"}}) {{
    {lookup}
    %k = stablehlo.constant dense<{PLAIN}> : tensor<2x3xf32>
    %d = stablehlo.dot_general %e, %k, contracting_dims = [1, 2] x [0, 1] : (tensor<?x2x3xf32>, tensor<2x3xf32>) -> tensor<?xf32>
    %p = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<?xf32>) -> tensor<?x1xf32>
    %error = stablehlo.subtract %p, %label : tensor<?x1xf32>
    %square = stablehlo.multiply %error, %error : tensor<?x1xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x1xf32>, tensor<f32>) -> tensor<f32>
    ps.minimize %loss using({OPTIMIZERS[optimizer]}) : tensor<f32>
    return %loss : tensor<f32>
  }}
}}
"""


class Sample:
    def __init__(self, label, ids, bag, weights):
        self.label, self.ids = label, ids
        self.bag, self.weights = bag, weights


def make_samples(count, seed=1, ids=60, longest=5):
    """Ids repeat within samples, bags and batches; some bags are empty."""
    draw = random.Random(seed)

    def draw_id():
        if draw.random() < 0.3:
            return draw.choice(EXTREMES)
        return draw.randrange(ids)

    samples = []
    for _ in range(count):
        bag = [draw_id() for _ in range(draw.randrange(longest + 1))]
        samples.append(Sample(
            draw.randrange(-16, 17) / 8,  # exact in f32
            [draw_id() for _ in range(IDS_PER_SAMPLE)], bag,
            [draw.choice([0.5, 1.0, 2.0, 0.25]) for _ in bag]))
    return samples


def write_samples(path, samples):
    """As MultiSlot text; gives the --data string."""
    def slot(values):
        return " ".join(map(str, [len(values), *values]))
    path.write_text("".join(
        f"{slot([s.label])} {slot(s.ids)} {slot(s.bag)} {slot(s.weights)}\n"
        for s in samples))
    return (f"multislot:{path}#slots=label:f,ids:i,s1:i,s1.weights:f#empty")


class Optimizer:
    """One row's update, as the dialect defines it."""

    def __init__(self, name):
        self.name, self.rate = name, 0.125

    def step(self, row, state, gradient):
        if self.name == "row_wise":
            mean = sum(g * g for g in gradient) / len(gradient)
            state["m"] = state.get("m", 0) + mean
            size = math.sqrt(state["m"]) + 1e-6
            row[:] = [w - self.rate * g / size for w, g in zip(row, gradient)]
            return
        for j, g in enumerate(gradient):
            row[j] = getattr(self, self.name)(row[j], state.setdefault(j, {}),
                                              g)

    def sgd(self, w, _, g):
        return w - self.rate * g

    def momentum(self, w, state, g):
        state["v"] = 0.5 * state.get("v", 0) + g
        return w - self.rate * state["v"]

    def adagrad(self, w, state, g):
        state["m"] = state.get("m", 0) + g * g
        return w - self.rate * g / (math.sqrt(state["m"]) + 1e-6)

    def adam(self, w, state, g):
        t = state["t"] = state.get("t", 0) + 1
        m = state["m"] = 0.9 * state.get("m", 0) + 0.1 * g
        v = state["v"] = 0.999 * state.get("v", 0) + 0.001 * g * g
        return w - self.rate * m / (1 - 0.9**t) / (
            math.sqrt(v / (1 - 0.999**t)) + 1e-8)


class Model:
    """The graph in plain Python."""

    def __init__(self, optimizer, pool="mean", weighted=True, padding=0):
        self.optimizer = Optimizer(optimizer)
        self.pool, self.weighted, self.padding = pool, weighted, padding
        self.rows, self.states = {}, {}

    def factors(self, sample):
        """What each id of the bag is multiplied with; None for padding."""
        weights = sample.weights if self.weighted else [1.0] * len(sample.bag)
        weights = [None if id == self.padding else w
                   for id, w in zip(sample.bag, weights)]
        used = [w for w in weights if w is not None]
        divisor = {"sum": 1, "mean": sum(used),
                   "sqrtn": math.sqrt(sum(w * w for w in used))}[self.pool]
        return [None if w is None else w / divisor if divisor else 0.0
                for w in weights]

    def row(self, id, create):
        if create:
            return self.rows.setdefault(id, [INITIAL] * WIDTH)
        return self.rows.get(id, [0.0] * WIDTH)

    def predict(self, sample, create):
        total = 0.0
        for id, k in zip(sample.ids, PLAIN):
            total += sum(a * b for a, b in zip(self.row(id, create), k))
        for id, factor in zip(sample.bag, self.factors(sample)):
            if factor is not None:
                total += factor * sum(
                    a * b for a, b in zip(self.row(id, create), POOLED))
        return total

    def loss(self, samples, create=False):
        return sum((self.predict(s, create) - s.label)**2
                   for s in samples) / len(samples)

    def train(self, samples):
        """One step; gives the loss before it."""
        loss = self.loss(samples, create=True)
        gradients = {}
        for s in samples:
            error = 2 * (self.predict(s, True) - s.label) / len(samples)
            parts = [(id, error, k) for id, k in zip(s.ids, PLAIN)]
            parts += [(id, error * f, POOLED)
                      for id, f in zip(s.bag, self.factors(s))
                      if f is not None]
            for id, factor, k in parts:
                gradient = gradients.setdefault(id, [0.0] * WIDTH)
                for j in range(WIDTH):
                    gradient[j] += factor * k[j]
        self.apply(gradients)
        return loss

    def apply(self, gradients):
        for id, gradient in gradients.items():
            self.update(id, gradient)

    def update(self, id, gradient):
        self.optimizer.step(self.rows[id], self.states.setdefault(id, {}),
                            gradient)


def _read_file(path, names):
    """By id, those columns of one file; the ids whose rows were dropped."""
    data = path.read_bytes()
    size, = struct.unpack_from("<Q", data)
    header = json.loads(data[8:8 + size])

    def read(name):
        begin, end = header[name]["data_offsets"]
        kind = {"F32": "f", "F64": "d", "I64": "q"}[header[name]["dtype"]]
        count = (end - begin) // struct.calcsize(kind)
        flat = struct.unpack_from(f"<{count}{kind}", data, 8 + size + begin)
        _, *width = header[name]["shape"]
        if not width:
            return flat
        return [flat[i:i + width[0]] for i in range(0, count, width[0])]
    rows = {id: row for id, *row in zip(read("ids"), *map(read, names))}
    return rows, read("dropped_ids") if "dropped_ids" in header else ()


def read_columns(folder, *names, table="emb"):
    """By id, what the columns `names` of the table's files hold of its row: a
    number, or a list where a row has several."""
    rows = {}
    for path in sorted(pathlib.Path(folder).glob(f"{table}-*.safetensors")):
        if path.name.endswith(".base.safetensors"):
            continue
        own, dropped = _read_file(path, names)
        base = path.with_suffix(".base.safetensors")
        if base.exists():
            own = _read_file(base, names)[0] | own
            for id in dropped:
                del own[id]
        assert rows.keys().isdisjoint(own), "an id is saved twice"
        rows.update(own)
    return rows


def read_rows(folder, table="emb"):
    """The rows that a run has saved, from all files of the table."""
    return {id: row for id, (row,) in
            read_columns(folder, "values", table=table).items()}


def compare_rows(found, expected, tolerance=1e-5):
    assert sorted(found) == sorted(expected), (sorted(found), sorted(expected))
    for id, row in expected.items():
        for a, b in zip(found[id], row):
            assert abs(a - b) <= tolerance * max(1, abs(b)), (
                f"row {id}: expected {row}, found {found[id]}")


def train_and_compare(folder, text, data, model, samples, batch, steps,
                      tolerance=1e-5, flags=()):
    """Trains locally and by `model`; compares every loss and every row."""
    module = folder / "graph.mlir"
    module.write_text(text)
    run("ps-run", module, f"--data={data}", f"--batch-size={batch}",
        f"--steps={steps}", f"--metrics={folder}/metrics",
        f"--save={folder}/model", *flags)
    records = [r for r in read_metrics(folder / "metrics")
               if r["phase"] == "train"]
    assert len(records) == steps, len(records)
    per_epoch = len(samples) // batch
    for step, record in enumerate(records):
        first = step % per_epoch * batch
        expected = model.train(samples[first:first + batch])
        # Metrics are written with eight digits.
        assert abs(record["loss"] - expected) <= 1e-5 * max(
            1, abs(expected)), f"step {step}: {record['loss']} {expected}"
    compare_rows(read_rows(folder / "model"), model.rows, tolerance)
