"""A generator of random graphs that look tables up."""

import random

OPTIMIZERS = (
    "#ps.sgd<learning_rate = 0.1>",
    "#ps.momentum<learning_rate = 0.1, momentum = 0.9>",
    "#ps.adagrad<learning_rate = 0.1>",
    "#ps.adagrad<learning_rate = 0.1, row_wise = true>",
    "#ps.adam<learning_rate = 0.1>",
    "#ps.ftrl<learning_rate = 0.1>",
    "#ps.adam<learning_rate = #ps.noam_decay<d_model = 512, "
    "warmup_steps = 4000>>",
)


class Graph:
    """A loss that adds up the squares of the rows of some lookups; with `mean`,
    their mean over the batch. `initial` is what rows begin with."""

    def __init__(self, initial="#ps.constant<0.0>", mean=False):
        self.initial, self.mean = initial, mean
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
        if number == 0:
            self.result = result
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
            f"init({self.initial})"
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
        if self.mean:
            lines += [
                f"%n = stablehlo.get_dimension_size %e0, dim = 0 : "
                f"({self.result}) -> tensor<i32>",
                f"%size = stablehlo.convert %n : (tensor<i32>) -> {scalar}",
                f"%mean = stablehlo.divide {loss}, %size : {scalar}"]
            loss = "%mean"
        lines.append(f"ps.minimize {loss} using({random.choice(OPTIMIZERS)}) : "
                     f"{scalar}")
        body = "".join(f"  {line}\n" for line in lines)
        return (f"{tables}func.func @train({arguments}) -> "
                f'({scalar} {{ps.fetch = "loss"}}) {{\n{body}'
                f"  return {loss} : {scalar}\n}}\n")
