"""Compiles random graphs that look tables up, for one process and for jobs.

usage: random_tables.py SEED JOBS

Every stage must take what the one before made (its verifiers say so), each
table that is trained must be fetched and pushed once, and each lookup must have
its gradient in the trainer.
"""

import random
import re
import subprocess
import sys

OPTIMIZERS = (
    "#ps.sgd<learning_rate = 0.1>",
    "#ps.momentum<learning_rate = 0.1, momentum = 0.9>",
    "#ps.adagrad<learning_rate = 0.1>",
    "#ps.adam<learning_rate = 0.1>",
    "#ps.ftrl<learning_rate = 0.1>",
    "#ps.adam<learning_rate = #ps.noam_decay<d_model = 512, "
    "warmup_steps = 4000>>",
)


def ps_opt(text, *options):
    result = subprocess.run(["ps-opt", "--verify-roundtrip", *options],
                            input=text.encode(), capture_output=True)
    if result.returncode:
        sys.exit(f"{text}{options}\n{result.stderr.decode()}")
    return result.stdout.decode()


class Graph:
    """A loss that adds up the elements of some lookups."""

    def __init__(self):
        self.arguments, self.lines, self.parts = {}, [], []
        self.widths = [random.choice((1, 3, 8)) for _ in
                       range(random.randint(1, 3))]
        self.element = random.choice(("f32", "f32", "f64"))
        self.attributes = [self.accessor(width) for width in self.widths]
        for _ in range(random.randint(1, 6)):
            self.look_up(random.randrange(len(self.widths)))

    def argument(self, name, type):
        self.arguments[name] = type
        return f"%{name}"

    def look_up(self, table):
        width = self.widths[table]
        number = len(self.parts)
        padding = random.choice(("", "", " {padding_idx = 0 : i64}",
                                 " {padding_idx = -1 : i64}"))
        operands, types = "", ""
        if random.random() < 0.5:
            bag = random.randrange(2)
            ids = self.argument(f"s{bag}", "?xi64")
            offsets = self.argument(f"s{bag}.offsets", "?xi64")
            operands = (f" segments({offsets})"
                        f" pool({random.choice(('sum', 'mean', 'sqrtn'))})")
            types, shape = "tensor<?xi64>, tensor<?xi64>", "?x"
            if random.random() < 0.5:
                weights = self.argument(f"s{bag}.weights", f"?x{self.element}")
                operands += f" weights({weights})"
                types += f", tensor<?x{self.element}>"
        else:
            shape = random.choice(("?x", "?x2x"))
            types = f"tensor<{shape}i64>"
            ids = self.argument(f"ids{len(shape)}", f"{shape}i64")
            if random.random() < 0.3:
                self.lines.append(f"%j{number} = stablehlo.add {ids}, {ids} : "
                                  f"{types}")
                ids = f"%j{number}"
        result = f"tensor<{shape}{width}x{self.element}>"
        self.lines.append(f"%e{number} = ps.lookup @t{table}[{ids}]{operands}"
                          f"{padding} : ({types}) -> {result}")
        self.lines.append(f"%q{number} = stablehlo.multiply %e{number}, "
                          f"%e{number} : {result}")
        dims = ", ".join(map(str, range(shape.count("x") + 1)))
        self.lines.append(
            f"%p{number} = stablehlo.reduce(%q{number} init: %zero) applies "
            f"stablehlo.add across dimensions = [{dims}] : ({result}, "
            f"tensor<{self.element}>) -> tensor<{self.element}>")
        self.parts.append(table)

    def accessor(self, width):
        """Attributes of a table, shows and clicks among them in some."""
        if random.random() < 0.6:
            return random.choice(("", " {cache_rows = 7 : i64}"))
        self.argument("label", random.choice(("?xi64", "?x1xf32")))
        options = ", show_scale = true" * random.randrange(2)
        if width > 1 and random.random() < 0.5:
            options += f", embedx_from = {random.randrange(1, width)}"
        return (f' {{accessor = #ps.ctr<click = "label"{options}>, '
                "evict_every = 10 : i64}")

    def text(self):
        scalar = f"tensor<{self.element}>"
        tables = "".join(
            f"ps.table @t{i} : tensor<100x{width}x{self.element}> "
            f"init(#ps.constant<0.0>)"
            f"{random.choice(('', ' partition(modulo)'))}"
            f"{attributes}\n"
            for i, (width, attributes) in enumerate(
                zip(self.widths, self.attributes)))
        arguments = ", ".join(f'%{name}: tensor<{type}> {{ps.feed = "{name}"}}'
                              for name, type in self.arguments.items())
        lines = [f"%zero = stablehlo.constant dense<0.0> : {scalar}",
                 *self.lines]
        loss = "%p0"
        if random.random() < 0.5:
            tables += (f"ps.variable @w : {scalar} init(#ps.constant<1.0>)\n")
            lines += [f"%w = ps.read @w : {scalar}",
                      f"%l = stablehlo.multiply %w, {loss} : {scalar}"]
            loss = "%l"
        for i in range(1, len(self.parts)):
            lines.append(f"%l{i} = stablehlo.add {loss}, %p{i} : {scalar}")
            loss = f"%l{i}"
        lines.append(f"ps.minimize {loss} using({random.choice(OPTIMIZERS)}) : "
                     f"{scalar}")
        body = "".join(f"  {line}\n" for line in lines)
        return (f"{tables}func.func @train({arguments}) -> "
                f'({scalar} {{ps.fetch = "loss"}}) {{\n{body}'
                f"  return {loss} : {scalar}\n}}\n")


def count(text, op):
    return len(re.findall(rf"\b{op} ", text))


def check(expected, found, what, text):
    if expected != found:
        sys.exit(f"{text}\nexpected {expected} {what}, found {found}")


def run_job():
    graph = Graph()
    text = graph.text()
    trained = len(set(graph.parts))
    local = ps_opt(text, "--ps-compile=batch-size=4")
    check(trained, count(local, "exec.prefetch"), "prefetches", text)
    check(trained, count(local, "exec.update_rows"), "updates", text)
    forward = ps_opt(text, "--ps-compile=batch-size=4 forward-only=true")
    check(0, count(forward, "exec.lookup_gradient"), "gradients", text)

    servers = random.choice((1, 2, 3))
    endpoints = ",".join(f"h:{i + 1}" for i in range(servers))
    cached = len({table for table in graph.parts
                  if "cache_rows" in graph.attributes[table]})
    mode = random.choice(("sync", "async", "half-async")[:1 if cached else 3])
    job = ps_opt(text, f"--ps-transpile=pservers={endpoints} "
                       f"trainers={random.randint(1, 3)} mode={mode}")
    trainer = ps_opt(job, "--ps-compile=program=trainer function=train "
                          "batch-size=4")
    check(trained, count(trainer, "exec.push_rows"), "pushes", text)
    check(cached, count(trainer, "exec.update_rows"), "updates of copies", text)
    # Equal lookups are one, whose gradient is then added once for each.
    lookups = count(trainer, "exec.lookup")
    check(True, lookups <= count(trainer, "exec.lookup_gradient"),
          "gradients of lookups", text)
    for i in range(servers):
        server = ps_opt(job, f"--ps-compile=program=pserver_{i}")
        check(trained, count(server, "exec.update_rows"), "updates", text)


if __name__ == "__main__":
    random.seed(int(sys.argv[1]))
    for _ in range(int(sys.argv[2])):
        run_job()
