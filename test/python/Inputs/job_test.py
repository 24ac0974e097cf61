# SPDX-License-Identifier: Apache-2.0
"""Jobs of Python train what numpy trains, and bring it back."""

import collections
import contextlib
import gc
import io
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy

import ps_mlir
import regression
from ps_mlir.array_files import ArrayFiles

DATA = regression.make_data()
QUIET = {"verbose": False}


def job():
    return ps_mlir.Job(regression.make_graph())


def is_running(pid):
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class TensorBatches:
    """As a dataset of TensorFlow: its tensors have numpy()."""

    class Tensor:

        def __init__(self, values):
            self.values = values

        def numpy(self):
            return self.values

    def __iter__(self):
        for at in range(0, 64, 24):
            yield {name: self.Tensor(array[at:at + 24])
                   for name, array in DATA.items()}


class Frame(dict):
    """As a DataFrame of pandas: its columns have to_numpy()."""

    class Series(collections.namedtuple("Series", "values")):

        def to_numpy(self):
            return self.values

    columns = property(dict.keys)

    def __getitem__(self, name):
        return self.Series(dict.__getitem__(self, name))

    def to_numpy(self):
        raise AssertionError("not all columns are numbers")


def lists_of(array):
    """A column of lists."""
    lists = numpy.empty(len(array), object)
    lists[:] = list(array)
    return lists


class JobTest(unittest.TestCase):

    def assert_close(self, ours, theirs, tolerance=1e-5):
        for name, value in theirs.items():
            numpy.testing.assert_allclose(ours[name], value, rtol=tolerance,
                                          atol=tolerance)

    def test_one_process_trains_what_numpy_trains(self):
        result = job().train(DATA, batch_size=16, epochs=3, **QUIET)
        expected, losses = regression.train(DATA, 12, 16)
        self.assert_close(result.params, expected)
        numpy.testing.assert_allclose(result.losses, losses, rtol=1e-5)

    def test_a_job_trains_what_one_process_trains(self):
        result = job().train(DATA, batch_size=8, epochs=3, pservers=2,
                             trainers=2, **QUIET)
        expected, _ = regression.train(DATA, 12, 16)
        self.assert_close(result.params, expected)

    def test_trainers_without_pservers_all_reduce(self):
        result = job().train(DATA, batch_size=8, epochs=1, trainers=2, **QUIET)
        expected, _ = regression.train(DATA, 4, 16)
        self.assert_close(result.params, expected)

    def test_messages_are_printed_except_about_predictions(self):
        with contextlib.redirect_stderr(io.StringIO()) as messages:
            job().train(DATA, batch_size=16, epochs=1, eval_data=DATA)
            ps_mlir.Job(regression.make_graph(
                "#ps.sgd<learning_rate = 1.0e+15>")).train(
                    DATA, batch_size=16, epochs=3, nan="warn")
        self.assertRegex(messages.getvalue(), "^ps-run: warning: loss is ")

    def test_a_mode_reaches_the_transpiler(self):
        result = job().train(DATA, batch_size=16, epochs=1, pservers=1,
                             trainers=1, mode="async", **QUIET)
        expected, _ = regression.train(DATA, 4, 16)
        self.assert_close(result.params, expected)

    def test_training_goes_on_within_an_epoch(self):
        whole = job().train(DATA, batch_size=16, steps=10, **QUIET)
        first = job().train(DATA, batch_size=16, steps=3, **QUIET)
        second = job().train(DATA, batch_size=16, steps=7, start=first, **QUIET)
        self.assert_close(second.params, whole.params, 0)

    def test_a_run_is_resumed(self):
        with tempfile.TemporaryDirectory() as folder:
            options = {"checkpoint": folder, "checkpoint_every": 3,
                       "batch_size": 16, **QUIET}
            job().train(DATA, steps=5, **options)
            resumed = job().train(DATA, steps=10, resume=True, **options)
            with self.assertRaisesRegex(ps_mlir.JobError, "expected the data"):
                job().train(regression.make_data(80), steps=20, resume=True,
                            **options)
        self.assert_close(resumed.params, job().train(
            DATA, batch_size=16, steps=10, **QUIET).params, 0)

    def test_files_of_arrays_last_as_long_as_a_run_has_them(self):
        arrays = {"x": numpy.arange(6.0).reshape(2, 3)}
        first, second = ArrayFiles(arrays), ArrayFiles(arrays)
        other = ArrayFiles({"x": numpy.arange(6).reshape(2, 3)})
        self.assertEqual(first.paths, second.paths)
        self.assertNotEqual(first.paths, other.paths)
        first.close()
        numpy.testing.assert_array_equal(numpy.load(second.paths["x"]),
                                         arrays["x"])
        second.close()
        other.close()
        self.assertFalse(second.paths["x"].parent.exists())
        with self.assertRaisesRegex(TypeError, "'x' is an array of Python"):
            ArrayFiles({"x": numpy.array(["a", None])})

    def test_files_of_arrays_are_those_of_one_process(self):
        arrays = {"x": numpy.arange(7.0)}
        files = ArrayFiles(arrays)
        child = os.fork()
        if not child:
            files.close()
            os._exit(0)
        os.waitpid(child, 0)
        self.assertTrue(files.paths["x"].exists())
        # Somebody cleans up, and another run begins.
        folder = files.paths["x"].parent
        shutil.rmtree(folder)
        folder.with_suffix(".lock").unlink()
        other = ArrayFiles(arrays)
        files.close()
        self.assertTrue(other.paths["x"].exists())
        other.close()
        self.assertFalse(folder.exists())

    def test_training_goes_on_from_a_result(self):
        graph = regression.make_graph(
            ps_mlir.optimizers.adam(ps_mlir.optimizers.exponential_decay(
                0.1, 4, 0.5)))
        whole = ps_mlir.Job(graph).train(DATA, batch_size=16, steps=8, **QUIET)
        first = ps_mlir.Job(graph).train(DATA, batch_size=16, steps=4, **QUIET)
        second = ps_mlir.Job(graph).train(DATA, batch_size=16, steps=4,
                                          start=first, **QUIET)
        for name in whole.variables:
            numpy.testing.assert_array_equal(second.variables[name],
                                             whole.variables[name])

    def test_batches_train_what_arrays_train(self):
        expected = job().train(DATA, batch_size=16, epochs=3, **QUIET)

        def batches():
            for at in range(0, 64, 20):  # not those of the steps
                yield {name: array[at:at + 20] for name, array in DATA.items()}

        sources = {"a function": batches, "a list": list(batches())}
        for what, source in sources.items():
            for processes in ({}, {"pservers": 1, "trainers": 2}):
                with self.subTest(what, **processes):
                    result = job().train(
                        source, batch_size=16 // processes.get("trainers", 1),
                        epochs=3, **processes, **QUIET)
                    self.assert_close(result.params, expected.params)

    def test_batches_of_tensors_train_what_arrays_train(self):
        expected = job().train(DATA, batch_size=16, epochs=3, **QUIET)
        result = job().train(TensorBatches(), batch_size=16, epochs=3, **QUIET)
        self.assert_close(result.params, expected.params)

    def test_a_data_frame_trains_what_arrays_train(self):
        expected = job().train(DATA, batch_size=16, epochs=3, **QUIET)
        lists = lists_of(DATA["x"])
        frame = Frame({"text": numpy.array(["a"] * 64), "x": lists,
                       "y": DATA["y"][:, 0]})
        result = job().train(frame, batch_size=16, epochs=3, **QUIET)
        self.assert_close(result.params, expected.params)
        lists[5] = [1.0]
        with self.assertRaisesRegex(TypeError, "lists of one length"):
            job().train(frame, **QUIET)

    def test_an_error_in_a_batch_is_that_of_the_run(self):

        def batches():
            yield {name: array[:16] for name, array in DATA.items()}
            raise ValueError("no more disks")

        with self.assertRaisesRegex(ps_mlir.JobError, "no more disks"):
            job().train(batches, batch_size=16, **QUIET)

    def test_callbacks_get_every_nth_step_in_order(self):
        steps = []
        job().train(DATA, batch_size=16, epochs=3, every=4,
                    on_step=lambda line: steps.append(line["step"]), **QUIET)
        self.assertEqual(steps, [3, 7, 11])

    def test_the_exception_of_a_callback_is_raised(self):

        def fail(line):
            raise RuntimeError(f"at step {line['step']}")

        with self.assertRaisesRegex(RuntimeError, "at step 0$"):
            job().train(DATA, batch_size=16, epochs=3, on_step=fail, **QUIET)
        # The run ends by itself.
        with self.assertRaisesRegex(RuntimeError, "at step 0$"):
            job().train(DATA, batch_size=1, epochs=10**6, on_step=fail, **QUIET)

    def test_callbacks_see_evaluations(self):
        steps, losses = [], []

        def note(line):
            steps.append(line["step"])
            losses.append(line["loss"])

        result = job().train(DATA, batch_size=16, epochs=2, eval_data=DATA,
                             eval_every=3, on_eval=note, **QUIET)
        self.assertEqual(steps, [2, 3, 5, 7])
        self.assertEqual(losses[-1], job().evaluate(
            DATA, result, batch_size=16)["loss"])

    def test_callbacks_stop_training(self):

        def stop(line):
            if line["step"] >= 100:
                raise ps_mlir.StopTraining

        for callback in "on_step", "on_eval":
            for processes in ({}, {"pservers": 1, "trainers": 2}):
                with self.subTest(callback, **processes):
                    result = job().train(
                        DATA, batch_size=8, epochs=10**6, eval_data=DATA,
                        eval_every=50, **{callback: stop}, **processes, **QUIET)
                    steps = len(result.losses)
                    self.assertLess(steps, 10**6)
                    self.assertGreater(steps, 100)
                    batch = 8 * processes.get("trainers", 1)
                    expected, _ = regression.train(DATA, steps, batch)
                    self.assert_close(result.params, expected)

    def test_the_best_model_is_kept(self):
        rising = ps_mlir.Job(regression.make_graph(
            "#ps.sgd<learning_rate = 0.9>"))
        losses = []
        result = rising.train(
            DATA, batch_size=16, epochs=20, eval_data=DATA, early_stop=2,
            save_best=True, on_eval=lambda line: losses.append(line["loss"]),
            **QUIET)
        self.assertLess(len(losses), 20)
        self.assertEqual(rising.evaluate(DATA, result.best, batch_size=16)[
            "loss"], min(losses))
        self.assertNotEqual(losses[-1], min(losses))
        self.assertIsNone(rising.train(DATA, batch_size=16, **QUIET).best)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "best"
            result = job().train(DATA, eval_data=DATA, save_best=path, **QUIET)
            self.assertEqual(result.best.folder, str(path))
            self.assert_close(result.best.params, result.params, 0)

    def test_predictions_are_those_of_the_model(self):
        result = job().train(DATA, batch_size=16, epochs=2, **QUIET)
        predicted = job().predict(DATA, result)["prediction"]
        expected = DATA["x"] @ result.params["w"] + result.params["b"]
        self.assertEqual(predicted.dtype, numpy.float32)
        numpy.testing.assert_allclose(predicted, expected, rtol=1e-5, atol=1e-6)

    def test_predictions_need_no_labels(self):
        expected = job().predict(DATA)["prediction"]
        x = DATA["x"]
        for data in ({"x": x}, [{"x": x[:40]}, {"x": x[40:]}],
                     iter([{"x": x}]), Frame(x=lists_of(x))):
            with self.subTest(type(data).__name__):
                numpy.testing.assert_array_equal(
                    job().predict(data)["prediction"], expected)
        with self.assertRaisesRegex(TypeError, "no array for feed 'y'"):
            job().evaluate({"x": x})
        with self.assertRaisesRegex(
                ps_mlir.JobError,
                "prediction 'prediction' depends on feed 'x'$"):
            job().predict({"y": DATA["y"]})

    def test_evaluation_is_the_mean_over_all_samples(self):
        error = DATA["x"] @ regression.WEIGHTS - DATA["y"]
        loss = job().evaluate(DATA)["loss"]
        self.assertAlmostEqual(loss / (error**2).mean(), 1, places=5)

    def test_what_is_saved_is_where_the_user_wants_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model"
            result = job().train(DATA, batch_size=16, save=path, **QUIET)
            self.assertTrue((path / "model.safetensors").exists())
            again = job().evaluate(DATA, model=path)["loss"]
            self.assertEqual(again, job().evaluate(DATA, result)["loss"])

    def test_the_error_of_a_run_is_raised(self):
        with self.assertRaisesRegex(ps_mlir.JobError, "--epochs"):
            job().train(DATA, epochs=-1, **QUIET)
        with self.assertRaisesRegex(ps_mlir.JobError, "did you mean 'async'?"):
            job().train(DATA, pservers=1, mode="asynch", **QUIET)

    def test_what_is_less_than_one_is_refused(self):
        for name in "every", "trainers", "batch_size":
            with self.assertRaisesRegex(ValueError, f"expected {name} >= 1"):
                job().train(DATA, **{name: 0}, **QUIET)

    def test_what_is_monitored_is_reported(self):
        with self.assertRaisesRegex(ValueError, "expected one of loss$"):
            job().train(DATA, eval_data=DATA, early_stop=1, monitor="los:min",
                        **QUIET)
        with self.assertRaisesRegex(ps_mlir.JobError, "cannot open 'nope.csv'"):
            job().train("criteo:nope.csv", **QUIET)

    def test_folders_have_no_comma(self):
        with self.assertRaisesRegex(ValueError, "choose another name"):
            job().train(DATA, save="a,b", **QUIET)

    def test_a_file_is_no_folder_to_save_to(self):
        with tempfile.NamedTemporaryFile() as file:
            for name in "save", "save_best":
                for path in file.name, file.name + "/model":
                    with self.assertRaisesRegex(
                            ValueError, f"^{name}='{path}': expected a folder "
                            f"to save to, found the file '{file.name}'$"):
                        job().train(DATA, **{name: path}, **QUIET)

    def test_the_log_that_an_error_names_is_kept(self):
        with self.assertRaisesRegex(ps_mlir.JobError, "loss is nan") as caught:
            job().train({"x": DATA["x"] * numpy.nan, "y": DATA["y"]},
                        batch_size=16, pservers=1, trainers=2, **QUIET)
        gc.collect()
        log = pathlib.Path(re.search(r"\(see (.*)\)$", str(caught.exception))[1])
        self.assertIn("loss is nan", log.read_text())
        work = log.parents[2]
        self.assertEqual(os.listdir(work), ["log"])
        shutil.rmtree(work)

    def test_errors_of_arrays_name_feeds(self):
        empty = {name: array[:0] for name, array in DATA.items()}
        with self.assertRaisesRegex(ps_mlir.JobError,
                                    "^the array of feed 'x': holds no samples"):
            job().train(empty, **QUIET)
        with tempfile.TemporaryDirectory() as folder:
            options = {"checkpoint": folder, "checkpoint_every": 3, **QUIET}
            job().train(DATA, batch_size=16, **options)
            with self.assertRaisesRegex(
                    ps_mlir.JobError, "its data was arrays [0-9a-f]{8} and is "
                    "arrays [0-9a-f]{8};"):
                job().train(regression.make_data(80), resume=True,
                            batch_size=16, **options)

    def test_a_file_of_metrics_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            path, seen = pathlib.Path(folder) / "metrics.jsonl", []
            result = job().train(DATA, batch_size=16, metrics=path,
                                 on_step=seen.append, set=["learning_rate=0.1"],
                                 **QUIET)
            self.assertTrue(path.exists())
        self.assertEqual(len(result.losses), 4)
        self.assertEqual(len(seen), 4)

    def test_feeds_have_as_many_samples(self):
        with self.assertRaisesRegex(ValueError, "found 64 of 'x', 63 of 'y'"):
            job().train({"x": DATA["x"], "y": DATA["y"][:-1]}, **QUIET)
        with self.assertRaisesRegex(TypeError, "feed 'y' expects .* numbers"):
            job().train({"x": DATA["x"], "y": DATA["y"].astype(str)}, **QUIET)

    def test_arrays_that_do_not_fit_are_refused(self):
        with self.assertRaisesRegex(
                TypeError, "feed 'x' expects an array of Nx4, found 64x3"):
            job().train({"x": DATA["x"][:, :3], "y": DATA["y"]}, **QUIET)

    def test_a_feed_without_an_array_is_named(self):
        with self.assertRaisesRegex(TypeError, "no array for feed 'y'"):
            job().train({"x": DATA["x"]}, **QUIET)

    def test_what_is_no_model_is_refused(self):
        w, b = regression.WEIGHTS, numpy.zeros(1)
        for model, message in (
                (3, "a Result or a folder .* found int$"),
                ({"w": w}, "expected the parameters w, b, found no 'b'$"),
                ({"w": w, "b": b, "c": b}, "w, b, found also 'c'$"),
                ({"w": w[:2], "b": b}, "'w' expects 4x1 of float32, found 2x1"),
                ({"w": w, "b": ["x"]}, "'b' expects 1 of float32, found 1 of")):
            for run in (lambda: job().train(DATA, start=model, **QUIET),
                        lambda: job().evaluate(DATA, model)):
                with self.assertRaisesRegex(TypeError, message):
                    run()

    def test_training_begins_with_given_parameters(self):
        first = job().train(DATA, batch_size=16, steps=3, **QUIET)
        given = {"w": first.params["w"].astype(float),
                 "b": list(first.params["b"])}
        rest = {name: array[48:] for name, array in DATA.items()}
        found = job().train(rest, batch_size=16, steps=1, start=given, **QUIET)
        expected = job().train(DATA, batch_size=16, steps=4, **QUIET)
        self.assert_close(found.params, expected.params, 0)
        self.assertEqual(job().evaluate(DATA, given),
                         job().evaluate(DATA, first))
        numpy.testing.assert_array_equal(
            job().predict(DATA, given)["prediction"],
            job().predict(DATA, first)["prediction"])

    def test_callbacks_get_lines_of_their_own_run(self):
        with tempfile.TemporaryDirectory() as folder:
            metrics = pathlib.Path(folder) / "metrics.jsonl"
            for count in (6, 3):
                lines = []
                job().train(DATA, batch_size=16, steps=count, metrics=metrics,
                            on_step=lines.append, **QUIET)
                self.assertEqual([line["step"] for line in lines],
                                 list(range(count)))

    def test_callbacks_of_a_run_that_resumes_get_its_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            flags = {"metrics": pathlib.Path(folder) / "metrics.jsonl",
                     "checkpoint": f"{folder}/series", "checkpoint_every": 7,
                     "batch_size": 16, **QUIET}
            steps = []
            for count in (20, 40):
                job().train(DATA, steps=count, epochs=1000, resume=True,
                            on_step=lambda line: steps.append(line["step"]),
                            **flags)
            self.assertEqual(steps, [*range(20), *range(14, 40)])

    def test_a_callback_may_end_the_process(self):
        steps = []

        def leave(line):
            steps.append(line["step"])
            sys.exit(3)

        with self.assertRaises(SystemExit) as caught:
            job().train(DATA, batch_size=1, epochs=10**6, on_step=leave,
                        **QUIET)
        self.assertEqual(caught.exception.code, 3)
        self.assertEqual(len(steps), 1)

    def test_modes_are_of_jobs(self):
        with self.assertRaisesRegex(TypeError, "give pservers or trainers"):
            job().train(DATA, mode="async", **QUIET)

    def test_an_interrupt_keeps_what_was_trained(self):
        main = threading.get_ident()
        interrupted = threading.Event()
        # Where SIGINT is ignored, as in a background job, Python leaves it so.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def interrupt(line):
            if not interrupted.is_set():
                interrupted.set()
                signal.pthread_kill(main, signal.SIGINT)

        with self.assertRaises(ps_mlir.Interrupted) as caught:
            job().train(DATA, batch_size=1, epochs=10**6, on_step=interrupt,
                        every=100, **QUIET)
        self.assertIn("w", caught.exception.result.variables)

    def test_a_job_ends_with_the_process_that_started_it(self):
        code = ("import regression, ps_mlir\n"
                "ps_mlir.Job(regression.make_graph()).train("
                "regression.make_data(), batch_size=1, epochs=10**6, every=100,"
                " on_step=lambda line: print('step', flush=True),"
                " verbose=False)\n")
        with subprocess.Popen([sys.executable, "-c", code], text=True,
                              cwd=pathlib.Path(__file__).parent,
                              stdout=subprocess.PIPE) as user:
            user.stdout.readline()
            children = [int(pid) for task in
                        pathlib.Path(f"/proc/{user.pid}/task").iterdir()
                        for pid in (task / "children").read_text().split()]
            user.kill()
        self.assertTrue(children)
        deadline = time.monotonic() + 60
        while any(map(is_running, children)):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_an_interrupt_ends_the_processes_of_a_source_first(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main, steps = threading.get_ident(), []

        def batches():
            while len(steps) < 3:
                yield {name: value[:16] for name, value in DATA.items()}
            threading.Timer(0.02, signal.pthread_kill,
                            (main, signal.SIGINT)).start()
            raise RuntimeError("DataLoader worker exited")

        with self.assertRaises(ps_mlir.Interrupted) as caught:
            job().train(batches, batch_size=16, on_step=steps.append, **QUIET)
        self.assertIn("w", caught.exception.result.variables)


if __name__ == "__main__":
    unittest.main()
