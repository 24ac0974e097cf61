"""Runs random exec programs in random orders on a model of the memory.

usage: random_programs.py PROGRAMS

Each program is planned, sequenced and overlapped with its next step by ps-opt.
Then, in every order of two steps that the tokens and carries allow, all reads
must find what the program's text says. With a token
taken away or a buffer moved, ps-verify-exec must refuse each program for which
the model finds an order that goes wrong.
"""

import random
import re
import subprocess
import sys

KERNELS = """
func.func private @neg(%0: tensor<?xf32>) -> tensor<?xf32> attributes {exec.kernel} {
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func private @sum(%0: tensor<?x4xf32>, %1: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %2 = stablehlo.add %0, %1 : tensor<?x4xf32>
  return %2 : tensor<?x4xf32>
}
func.func private @turn(%0: tensor<?x4xf32>) -> tensor<?x4xf32> attributes {exec.kernel} {
  %1 = stablehlo.reverse %0, dims = [1] : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
ps.variable @w : tensor<4x4xf32> init(#ps.constant<0.0>)
"""
SEPARATOR = "// -----\n"
ELEMENTWISE = {"neg", "sum"}
ROW_BYTES = 16
STEPS = (0, 1)


def ps_opt(texts, passes):
    """Runs passes on each text; returns the process."""
    return subprocess.run(
        ["ps-opt", "-", "--split-input-file",
         f"--pass-pipeline=builtin.module(exec.program({passes}))"],
        input=SEPARATOR.join(texts), capture_output=True, text=True)


# -- Programs ----------------------------------------------------------------


class Generator:
    def __init__(self, rng):
        self.rng = rng
        self.lines = []
        self.rows = {"x": 4, "y": 8, "w": 4}
        self.sends = []

    def buffer(self, rows):
        name = f"b{len(self.rows)}"
        self.rows[name] = rows
        self.lines.append(f"%{name} = exec.buffer : {self.type(name)}")
        return name

    def type(self, *names):
        return ", ".join(f"memref<{self.rows[name]}x4xf32>" for name in names)

    def some(self, rows=None):
        # Mostly young values, so that the old ones die.
        names = [n for n in self.rows if rows in (None, self.rows[n])]
        return self.rng.choice(names[-4:] if self.rng.random() < 0.8 else names)

    def node(self, text):
        self.lines.append(f"%t{len(self.lines)} = exec.{text}")
        return f"t{len(self.lines) - 1}"

    def launch(self):
        kernel = self.rng.choice(["neg", "sum", "turn"])
        ins = [self.some()]
        rows = self.rows[ins[0]]
        if kernel == "sum":
            ins.append(self.some(rows))
        updates = kernel != "turn" and "w" in ins and self.rng.random() < 0.5
        out = "w" if updates else self.buffer(rows)
        count = rows * 4 if kernel == "neg" else rows
        operands = ", ".join("%" + name for name in ins)
        self.node(f"launch @{kernel} rows({count}) ins({operands} : "
                  f"{self.type(*ins)}) outs(%{out} : {self.type(out)})")

    def gemm(self):
        a, b = self.some(), self.some(4)
        c = self.buffer(self.rows[a])
        text = (f"gemm m({self.rows[a]}) n(4) k(4) ins(%{a}, %{b} : "
                f"{self.type(a, b)}) outs(%{c} : {self.type(c)})")
        if self.rng.random() < 0.5:
            d, e = self.some(self.rows[a]), self.buffer(self.rows[a])
            text += (f" epilogue(@sum with %{c}, %{d} : {self.type(c, d)} "
                     f"into %{e} : {self.type(e)})")
        self.node(text)

    def copy(self):
        source = self.some()
        target = self.buffer(self.rows[source])
        self.node(f"copy %{source} to %{target} : {self.type(source, target)}")

    def send(self):
        name = self.some()
        first = self.rng.randrange(self.rows[name])
        count = self.rng.randint(1, self.rows[name] - first)
        self.sends.append(self.node(
            f'send rows({first}, {count}) %{name} to(@pserver_0) block("w") : '
            f"{self.type(name)}"))

    def receive(self):
        first = self.rng.randrange(4)
        count = self.rng.randint(1, 4 - first)
        self.node(f'recv rows({first}, {count}) %w from(@pserver_0) block("r") : '
                  f"{self.type('w')}")

    def barrier(self):
        after = ", ".join("%" + token for token in self.sends)
        self.sends = []
        self.node('send_barrier to([@pserver_0])' +
                  (f" after({after})" if after else ""))

    def generate(self):
        self.lines = [f"%{name} = exec.feed \"{name}\" : {self.type(name)}"
                      for name in ("x", "y")]
        self.lines.append(f"%w = exec.variable @w : {self.type('w')}")
        makers = [self.launch] * 5 + [self.gemm] * 2 + [self.send] * 2 + [
            self.copy, self.receive, self.barrier]
        for _ in range(self.rng.randint(6, 18)):
            self.rng.choice(makers)()
        for name in self.rng.sample(sorted(self.rows), 2):
            self.lines.append(f'exec.fetch "{name}", %{name} : '
                              f"{self.type(name)}")
        return KERNELS + "exec.program @p {\n" + "\n".join(self.lines) + "\n}\n"


# -- The model ---------------------------------------------------------------


class Node:
    """What a line of a program reads and writes: (piece, row) pairs."""

    def __init__(self, program, line):
        self.program = program
        self.kernels = re.findall(r"@(neg|sum|turn)\b", line)
        self.reads, self.writes = [], []
        rows = re.search(r"(?:send|recv) rows\((\d+), (\d+)\) %(\d+)", line)
        copy = re.search(r"exec.copy %(\d+) to %(\d+)", line)
        if rows:
            first, count, name = map(int, rows.groups())
            accesses = self.reads if "send" in line else self.writes
            accesses += [(name, row) for row in range(first, first + count)]
        if copy:
            self.reads = self.whole(copy[1])
            self.writes = self.whole(copy[2])
        for keyword, accesses in (("ins(", self.reads), ("outs(", self.writes),
                                  ("with ", self.reads),
                                  ("into ", self.writes)):
            if keyword in line:
                operands = line.split(keyword)[1].split(" : ")[0]
                for name in re.findall(r"%(\d+)", operands):
                    accesses += self.whole(name)
        # An epilogue reads what its product has just written.
        if "exec.gemm" in line:
            self.reads = [read for read in self.reads
                          if read not in self.writes]
        after = re.search(r"after\((.*?)\)", line)
        self.after = re.findall(r"%(\d+)", after[1]) if after else []

    def whole(self, name):
        return [(int(name), row) for row in range(self.program.rows[int(name)])]


class Program:
    """A program as ps-opt printed it."""

    def __init__(self, text):
        self.rows, self.places, self.nodes, self.fetched = {}, {}, {}, []
        self.carries = {}  # by late node: what comes after it in the next step
        for line in text.splitlines():
            memory = re.search(r"%(\d+) = exec.(feed|variable|buffer)"
                               r"(?: offset\((\d+)\))?.*memref<(\d+)x4", line)
            node = re.match(r" *%(\d+) = exec", line)
            fetch = re.search(r"exec.fetch .*%(\d+)", line)
            carry = re.search(r"exec.carry %(\d+)(?: before\((.*)\))?", line)
            if memory:
                name = int(memory[1])
                self.rows[name] = int(memory[4])
                # The arena is one piece; all else is a piece each.
                self.places[name] = (("arena", int(memory[3]) // ROW_BYTES)
                                     if memory[3] else (name, 0))
            elif node:
                self.nodes[node[1]] = Node(self, line)
            elif carry:
                self.carries[carry[1]] = [carry[1]] + re.findall(
                    r"%(\d+)", carry[2] or "")
            elif fetch:
                name = int(fetch[1])
                self.fetched += [(name, row) for row in range(self.rows[name])]

    def place(self, access):
        piece, begin = self.places[access[0]]
        return piece, begin + access[1]

    def expected(self):
        """Who wrote what each node, and the caller, reads in two steps, by the
        text."""
        writer, expected = {}, {}
        for step in STEPS:
            for name, node in self.nodes.items():
                expected[step, name] = {read: writer.get(read)
                                        for read in node.reads}
                writer.update({write: (step, name) for write in node.writes})
            expected[step, None] = {read: writer.get(read)
                                    for read in self.fetched}
        return expected

    def is_ready(self, step, name, done):
        before = {(step, token) for token in self.nodes[name].after}
        if step:
            before |= {(step - 1, late) for late, after in self.carries.items()
                       if name in after}
        return done >= before

    def goes_wrong(self, rng):
        """Runs the nodes of two steps in one random order; some at the same
        time. The second step begins when only late nodes of the first are
        left."""
        expected = self.expected()
        memory, done, running = {}, set(), []
        waiting = [(0, name) for name in self.nodes]
        awaited = {(0, name) for name in self.nodes if name not in self.carries}
        step = 0

        def lost(accesses):
            return any(memory.get(self.place(access)) !=
                       (writer and (writer, access))
                       for access, writer in accesses)

        while True:
            if step == 0 and done >= awaited:
                if lost(expected[0, None].items()):
                    return True
                step = 1
                waiting += [(1, name) for name in self.nodes]
            if not waiting and not running:
                return lost(expected[1, None].items())
            ready = [each for each in waiting if self.is_ready(*each, done)]
            if ready and (not running or rng.random() < 0.6):
                name = rng.choice(ready)
                node = self.nodes[name[1]]
                waiting.remove(name)
                running.append(name)
                if lost(expected[name].items()):
                    return True
                in_place = {self.place(read): read for read in node.reads}
                for write in node.writes:
                    read = in_place.get(self.place(write))
                    if read and (read[1] != write[1] or
                                 not ELEMENTWISE.issuperset(node.kernels)):
                        return True
                for write in node.writes:
                    memory[self.place(write)] = (name, write)
                continue
            name = rng.choice(running)
            node = self.nodes[name[1]]
            running.remove(name)
            done.add(name)
            # What the node read or wrote was there until its end.
            mine = {self.place(write) for write in node.writes}
            reads = [(read, writer) for read, writer in expected[name].items()
                     if self.place(read) not in mine]
            if lost(reads) or any(
                    memory.get(self.place(write)) not in
                    [(name, other) for other in node.writes
                     if self.place(other) == self.place(write)]
                    for write in node.writes):
                return True


def goes_wrong(text, rng):
    return any(Program(text).goes_wrong(rng) for _ in range(10))


# -- Damage ------------------------------------------------------------------


def drop_token(text, rng, keyword="after"):
    lists = list(re.finditer(rf" {keyword}\((.*?)\)", text))
    if not lists:
        return text
    after = rng.choice(lists)
    tokens = after[1].split(", ")
    tokens.remove(rng.choice(tokens))
    kept = f" {keyword}({', '.join(tokens)})" if tokens else ""
    return text[:after.start()] + kept + text[after.end():]


def drop_carry(text, rng):
    return drop_token(text, rng, "before")


def move_buffer(text, rng):
    places = list(re.finditer(r"offset\((\d+)\)", text))
    if len(places) < 2:
        return text
    place, other = rng.sample(places, 2)
    # The smaller of two offsets is inside the arena for sure.
    offset = min(int(place[1]), int(other[1]))
    return text[:place.start()] + f"offset({offset})" + text[place.end():]


def refused(texts):
    """The numbers of the texts that ps-verify-exec refuses."""
    begin, begins = 1, []
    for text in texts:
        begins.append(begin)
        begin += text.count("\n") + 1
    errors = re.findall(r"<stdin>:(\d+) offset.* error:",
                        ps_opt(texts, "ps-verify-exec").stderr)
    return {sum(begin <= int(line) + 1 for begin in begins) - 1
            for line in errors}


def main():
    rng = random.Random(7)
    texts = [Generator(rng).generate() for _ in range(int(sys.argv[1]))]
    planned = ps_opt(texts, "ps-optimize-memory,ps-sequence-tokens,"
                     "ps-overlap-steps,ps-verify-exec")
    if planned.returncode != 0:
        sys.exit(f"a program is refused:\n{planned.stderr}")
    programs = planned.stdout.split(SEPARATOR)
    assert len(programs) == len(texts)
    for program in programs:
        if goes_wrong(program, rng):
            sys.exit(f"this program can go wrong:\n{program}")

    damaged = [damage(program, rng) for program in programs
               for damage in (drop_token, drop_carry, move_buffer)]
    wrong = {i for i, text in enumerate(damaged) if goes_wrong(text, rng)}
    missed = wrong - refused(damaged)
    for i in sorted(missed)[:1]:
        sys.exit(f"this program is not refused:\n{damaged[i]}")
    print(f"{len(programs)} programs are right, {len(wrong)} damaged ones are "
          "refused")


main()
