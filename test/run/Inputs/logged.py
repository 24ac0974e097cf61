"""Jobs whose pservers log their calls (--recovery=log), and are started by
hand."""

import pathlib
import signal

from job import GRAPH, INPUTS, Job, run

STEPS = 8000
FLAGS = ("--batch-size=4", f"--steps={STEPS}", "--deterministic")


class LoggedJob(Job):
    """Two pservers and two trainers; pserver i has its log in `log`-i."""

    def __init__(self, folder):
        super().__init__(folder, 2, 2, options="min-block-size=4")
        self.log = self.folder / "calls"
        self.flags = ("--recovery=log", *FLAGS,
                      f"--checkpoint={self.folder}/checkpoints",
                      f"--checkpoint-every={STEPS // 4}")

    def pserver(self, index, *arguments, **options):
        """The last of two flags counts."""
        return super().pserver(index, *self.flags, "--recover",
                               f"--recovery-log={self.log}-{index}", *arguments,
                               **options)

    def start_all(self, *arguments):
        """Pserver 1, with further `arguments`, and the trainers."""
        self.pserver(0)
        pserver = self.pserver(1, *arguments)
        trainers = [self.trainer(index, *self.flags, *(
            [f"--save={self.folder}/model"] if index == 0 else []))
            for index in range(2)]
        return pserver, trainers

    def is_logging(self):
        """Segments that a checkpoint makes needless are removed."""
        size = 0
        for segment in pathlib.Path(f"{self.log}-1").glob("*.calls"):
            try:
                size += segment.stat().st_size
            except FileNotFoundError:
                pass
        return size > 20000

    def logs(self):
        return [path.name for path in self.folder.glob("calls-*")]

    def lose(self, process):
        """Kills one that is not needed any more."""
        kill(process)
        self.processes.remove(process)


def kill(process):
    process.signal(signal.SIGKILL)
    process.end()


def quiet_model(folder):
    """What a job saves that nothing happens to."""
    saved = folder / "quiet"
    run("ps-run", "launch", GRAPH, f"--data=csv:{INPUTS}/linear.csv", *FLAGS,
        "--pservers=2", "--trainers=2", f"--log-dir={folder}/quiet-log",
        "--transpile=min-block-size=4", "--threads=1", f"--save={saved}")
    return saved
