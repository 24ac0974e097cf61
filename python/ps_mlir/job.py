# SPDX-License-Identifier: Apache-2.0
"""Trains graphs with ps-run, and brings the results back."""

import csv
import os
import pathlib
import re
import shutil
import sys
import tempfile
import weakref

import numpy

from ps_mlir import safetensors
from ps_mlir.data import open_data
from ps_mlir.elements import dtype_of, parse_tensor_type
from ps_mlir.metrics import MetricsFollower, read_metrics
from ps_mlir.programs import INTERRUPTED, JobError, Program, find_program
from ps_mlir.start import complete_model
from ps_mlir.tables import load_rows

__all__ = ["Interrupted", "Job", "JobError", "Result"]


class Result:
    """What a run has trained.

    variables: numpy arrays by name; params: the same in the structure of the
    user's model (a pytree of JAX, a state_dict of PyTorch).
    metrics: the lines of --metrics, dicts with "phase", "step", "loss", ...
    folder: what --save wrote, for ps-run --load. A folder that the user did
    not name is removed with the Result.
    best: the Result of the best evaluation, where train() was to save it and
    there was one; otherwise None.
    """

    def __init__(self, graph, folder, run):
        self.graph, self.folder = graph, folder
        self.metrics = run.read_metrics()
        self.best = None
        self._run = run
        self._variables = None

    @property
    def variables(self):
        if self._variables is None:
            self._variables = safetensors.load(
                pathlib.Path(self.folder) / "model.safetensors")
            for name, kind in self.graph.declared.items():
                self._variables[name] = self._as_variable(name, kind)
        return self._variables

    def rows(self, name):
        """The rows of a table that was declared: a dict of arrays, "ids",
        "values", and what the optimizer and the accessor keep."""
        return load_rows(self.folder, name)

    def _as_variable(self, name, kind):
        """A declared table as evaluation reads it: zeros where no row is."""
        shape, element = parse_tensor_type(kind)
        dense, rows = numpy.zeros(shape, dtype_of(element)), self.rows(name)
        dense[rows["ids"]] = rows["values"]
        return dense

    @property
    def params(self):
        return self.graph.unflatten(self.variables)

    @property
    def losses(self):
        """The loss of each step."""
        return [line["loss"] for line in self.metrics
                if line["phase"] == "train"]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has stopped a run; `result` is what it saved."""

    def __init__(self, result):
        super().__init__("the run was interrupted and has saved")
        self.result = result


class Job:
    """Trains, evaluates and predicts with a Graph."""

    def __init__(self, graph):
        self.graph = graph

    def train(self, data, *, pservers=0, trainers=1, batch_size=None,
              epochs=None, steps=None, eval_data=None, start=None, save=None,
              mode=None, transpile="", on_step=None, every=1, on_eval=None,
              save_best=None, verbose=True, **flags):
        """Trains and returns a Result.

        data, eval_data: arrays in the structure of the graph's batch, whose
            dimension 0 holds all samples, or columns, a pandas DataFrame or a
            Table of pyarrow; batches of any sizes, as an iterable (a
            DataLoader, a tf.data.Dataset), a function that returns one for
            each epoch, a Dataset of pyarrow or its files, such as
            "parquet:day_*.parquet"; or a source as --data has it, such as
            "criteo:day_*.gz".
        pservers, trainers: processes. Without pservers, several trainers
            all-reduce; one trainer without pservers is a run of one process.
        batch_size: samples per step of each trainer.
        start: what training goes on from: a Result, or a folder of --save,
            with the optimizer's state; or other parameters, as `params` of a
            Result has them. None begins with the graph's values.
        save: the folder to save to.
        mode, transpile: "async", and further options of --ps-transpile.
        on_step(line), on_eval(line): called after every `every` steps with
            what the step fetched, and after evaluations with the means, as
            dicts; the run does not wait. StopTraining, when one raises it, ends
            the run, whose Result is returned; any other exception does so,
            too, and is raised.
        save_best: whether to keep the model of the best evaluation, as the
            Result's `best`, or the folder to keep it in.
        verbose: whether the progress and the warnings of ps-run are printed.
        flags: any other flag of ps-run, with underscores for dashes, such as
            shuffle=True, device="cuda", checkpoint="DIR".

        Raises JobError with the error of ps-run. After Ctrl-C raises
        Interrupted, or KeyboardInterrupt where nothing was saved.
        """
        _check_numbers(every=every, trainers=trainers, batch_size=batch_size)
        _check_monitor(self.graph, flags.get("monitor"))
        run = _Run(self.graph)
        saved = _Target("save", save or run.work / "saved")
        best = _Target("save_best",
                       run.work / "best" if save_best is True else save_best)
        if pservers or trainers > 1:
            run.launch(pservers, trainers, mode, transpile)
        elif mode or transpile:
            raise TypeError("mode and transpile are of jobs with several "
                            "processes: give pservers or trainers")
        run.load(start, flags.get("load_partial"), verbose)
        run.add_flags(data=run.open_data(data),
                      eval_data=run.open_data(eval_data),
                      batch_size=batch_size or self.graph.fixed_batch,
                      epochs=epochs, steps=steps, save=saved.folder,
                      save_best=best.folder, **flags)
        interrupted = run.execute(verbose, on_step, every, on_eval)
        if run.exit_code and (run.exit_code != INTERRUPTED or
                              not saved.is_written()):
            raise (KeyboardInterrupt if interrupted else JobError)(
                "the run was interrupted before it saved")
        result = Result(self.graph, saved.folder, run)
        # A run that goes on may have had its best evaluation before.
        if best.is_written() or flags.get("resume") and best.before:
            result.best = Result(self.graph, best.folder, run)
        if interrupted:
            raise Interrupted(result)
        return result

    def evaluate(self, data, model=None, **flags):
        """Means of what the graph fetches over all samples, as a dict.

        model: a Result, a folder of --save, parameters as `params` of a
            Result has them, or None for the initial values.
        """
        run = self._evaluate(data, model, flags)
        line = [line for line in run.read_metrics()
                if line["phase"] == "eval"][-1]
        return {name: line[name]
                for name in [*self.graph.fetches, *self.graph.metrics]
                if name in line}

    def predict(self, data, model=None, **flags):
        """What the graph fetches for each sample, as arrays by name.

        data: as evaluate() takes them; arrays that no prediction is computed
            from, such as labels, may be missing.
        """
        if len(self.graph.fetches) == 1:
            raise JobError("the graph fetches nothing for each sample: have "
                           "the loss return it besides")
        run = self._evaluate(data, model, {**flags, "predictions": True})
        return _read_predictions(run.work / "predictions.csv",
                                 self.graph.fetches)

    def _evaluate(self, data, model, flags):
        run = _Run(self.graph)
        predicts = flags.pop("predictions", False)
        if predicts:
            flags["predictions"] = run.work / "predictions.csv"
        run.load(model, flags.get("load_partial"))
        if isinstance(model, Result) and (self.graph.initial.keys() <
                                          model.graph.initial.keys()):
            # A module that trains has variables that it lacks in evaluation.
            flags.setdefault("load_partial", True)
        run.add_flags(eval_data=run.open_data(data, partial=predicts),
                      batch_size=flags.pop("batch_size",
                                           self.graph.fixed_batch), **flags)
        if run.execute(verbose=False):
            raise KeyboardInterrupt
        return run


def _check_numbers(**numbers):
    for name, value in numbers.items():
        if value is not None and value < 1:
            raise ValueError(f"expected {name} >= 1, found {value}")


def _check_monitor(graph, monitor):
    names = [*graph.metrics, *(
        name for name, kind in graph.fetches.items()
        if all(size == 1 for size in parse_tensor_type(kind)[0]))]
    if monitor and re.sub(":(min|max)$", "", monitor) not in names:
        raise ValueError(f"monitor='{monitor}': expected one of "
                         f"{', '.join(sorted(names))}")


class _Target:
    """A folder that a run saves to, or None, as `argument` names it."""

    def __init__(self, argument, folder):
        self.folder = str(folder) if folder else None
        if "," in (self.folder or ""):
            raise ValueError(f"{argument}='{folder}': a comma separates folders "
                             "that are loaded together, choose another name")
        path = pathlib.Path(self.folder or ".")
        for each in (path, *path.parents):
            if os.path.lexists(each) and not each.is_dir():
                raise ValueError(f"{argument}='{folder}': expected a folder to "
                                 f"save to, found the file '{each}'")
        self.before = self._identity()

    def is_written(self):
        return self._identity() != self.before

    def _identity(self):
        """Changes when a run saves; None if there is no model."""
        try:
            status = os.stat(os.path.join(self.folder, "model.safetensors"))
        except (FileNotFoundError, TypeError):
            return None
        return status.st_ino, status.st_mtime_ns


class _Run:
    """One command of ps-run, with its files in a folder that goes with it."""

    def __init__(self, graph):
        self.graph = graph
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="ps-mlir-"))
        self.cleanup = weakref.finalize(self, shutil.rmtree, self.work,
                                        ignore_errors=True)
        graph.save(self.work / "graph.mlir")
        self.command = [find_program("ps-run"), str(self.work / "graph.mlir")]
        self.metrics = self.work / "metrics.jsonl"
        self.sources = []

    def launch(self, pservers, trainers, mode, transpile):
        options = f"mode={mode} {transpile}" if mode else transpile
        self.command[1:1] = ["launch", f"--pservers={pservers}",
                             f"--trainers={trainers}",
                             f"--log-dir={self.work / 'log'}"]
        if options:
            self.command.append(f"--transpile={options}")

    def load(self, model, is_partial=False, verbose=False):
        """Begins with a Result, a folder, parameters in the user's structure,
        or the graph's initial values, also for what a folder lacks."""
        if not isinstance(model, (str, os.PathLike, Result)):
            self.graph.save_values(self.work / "initial", model)
            model = self.work / "initial"
        self.start = str(getattr(model, "folder", model))
        folders, lines = complete_model(self.graph, self.start, is_partial,
                                        self.work / "start")
        for line in lines if verbose else []:
            print(line, file=sys.stderr)
        self.command.append(f"--load={folders}")

    def open_data(self, data, partial=False):
        """The value of --data for arrays or a source, None for None."""
        if data is None:
            return None
        self.sources.append(open_data(self.graph, data, partial))
        return self.sources[-1].spec

    def add_flags(self, **flags):
        """A list is a flag that is given several times."""
        self.metrics = pathlib.Path(flags.pop("metrics", None) or self.metrics)
        for name, value in flags.items():
            flag = "--" + name.replace("_", "-")
            if value is True:
                self.command.append(flag)
            elif isinstance(value, (list, tuple)):
                self.command += [f"{flag}={item}" for item in value]
            elif value is not None and value is not False:
                self.command.append(f"{flag}={value}")

    def execute(self, verbose, on_step=None, every=1, on_eval=None):
        """Runs the command; returns whether Ctrl-C has stopped it."""
        follower = MetricsFollower(self.metrics, on_step, every,
                                   on_eval) if on_step or on_eval else None
        program = Program([*self.command, f"--metrics={self.metrics}"],
                          _Printer(sys.stdout, self.rephrase) if verbose else
                          _ignore,
                          _Printer(sys.stderr, self.rephrase) if verbose else
                          _ignore, self.hold)
        if follower:
            follower.start(program.interrupt)
        has_failed = False
        try:
            return program.wait()
        except JobError as error:
            has_failed = True
            raise JobError(self.rephrase(str(error))) from None
        finally:
            program.stop()
            self.exit_code = program.process.returncode
            for source in self.sources:
                source.close()
            if follower:
                follower.close()
            if has_failed:
                self.keep_logs()

    def hold(self):
        for source in self.sources:
            source.hold()

    def rephrase(self, text):
        """A message of the run in the user's terms."""
        for source in self.sources:
            text = source.rephrase(text)
        return text.replace(f"'{self.work / 'start'}",
                            f"'{self.start.rpartition(',')[2]}")

    def keep_logs(self):
        """The error of a job names one, to be read after that."""
        logs = self.work / "log"
        if not logs.exists():
            return
        self.cleanup.detach()
        for path in self.work.iterdir():
            if path.is_dir() and path != logs:
                shutil.rmtree(path, ignore_errors=True)
            elif path != logs:
                path.unlink()

    def read_metrics(self):
        return read_metrics(self.metrics)


class _Printer:
    """Prints lines of ps-run, but neither remarks, which the summary of a graph
    has, nor that nothing reports an output, which is what predict() is for."""
    _LEFT_OUT = re.compile(r".*:\d+:\d+: remark: |"
                           r"ps-run: warning: fetch .* it is not reported")
    _CONTINUED = re.compile(r".*:\d+:\d+: note: |\s")

    def __init__(self, file, rephrase):
        self.file, self.rephrase, self.is_left_out = file, rephrase, False

    def __call__(self, line):
        if not self._CONTINUED.match(line):
            self.is_left_out = bool(self._LEFT_OUT.match(line))
        if not self.is_left_out:
            # One write: the other stream's lines come from another thread.
            self.file.write(self.rephrase(line) + "\n")
            self.file.flush()


def _ignore(line):
    pass


def _read_predictions(path, fetches):
    """Columns `p`, or `p[0]`, `p[1]`, ..., as an array per name, in the shape
    and type that it is fetched with."""
    with open(path, newline="", encoding="utf-8") as file:
        header = next(csv.reader(file))
        rows = numpy.loadtxt(file, delimiter=",", ndmin=2,
                             dtype=numpy.longdouble)
    columns = {}
    for i, name in enumerate(header):
        columns.setdefault(re.sub(r"(\[\d+\])+$", "", name), []).append(i)
    predictions = {}
    for name, at in columns.items():
        shape, element = parse_tensor_type(fetches[name])
        predictions[name] = rows[:, at].reshape(-1, *shape[1:]).astype(
            dtype_of(element))
    return predictions
