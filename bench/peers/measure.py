"""Measures commands in turns, each a process of its own, and prints ratios.

The process that imports this stays small on purpose: a child's peak memory, as
the system counts it, is never below that of its parent at the start.
"""

import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "data"
OURS = DATA / "bin" / "ours"
INKLING = DATA / "bin" / "inkling"

REPS = int(os.environ.get("REPS", 5))
SAME = 1e-9  # sides add up in different orders
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


@dataclasses.dataclass
class Side:
    command: list
    value: str | None = "check"  # what both sides must agree on; None: nothing to compare
    target: float | None = None  # how many times faster ours is to be
    rel: float | None = None  # how near to the value, where not as near as the others
    env: dict = dataclasses.field(default_factory=dict)


def ours(*args, **more):
    return Side([str(OURS), *map(str, args)], **more)


def peer(*args, **more):
    return Side([sys.executable, str(HERE / "peer.py"), *map(str, args)], **more)


def make(group, size, *command):
    """Makes data with a command unless it is there in that size."""
    stamp = DATA / f"{group}.made"
    if stamp.exists() and stamp.read_text() == size:
        return
    print(f"making the data of {group} ...", flush=True)
    stamp.unlink(missing_ok=True)
    subprocess.run([str(a) for a in command], check=True, stdout=subprocess.DEVNULL)
    stamp.write_text(size)


def hold(cores):
    """Keeps a process that is about to start on one core, where the system can."""
    if cores == 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def measure(side, whole, cores):
    """One run: what the process says, and its wall, CPU seconds and peak MB."""
    env = dict(os.environ, **side.env)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "GOMAXPROCS"):
        env[name] = str(cores)
    start = time.perf_counter()
    child = subprocess.Popen(side.command, stdout=subprocess.PIPE, text=True, env=env, preexec_fn=lambda: hold(cores))
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(side.command)} failed with {child.returncode}")
    said = json.loads(out)
    if said.get("threads", cores) != cores:
        raise SystemExit(f"{' '.join(side.command)} uses {said['threads']} threads, not {cores}")
    said["process"] = usage.ru_utime + usage.ru_stime
    if whole:
        said["seconds"], said["cpu"] = wall, said["process"]
    said["peak"] = usage.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return said


class Others:
    """What other processes take of the machine meanwhile, where the system reports it."""

    def __init__(self):
        self.used, self.start, self.busy = 0.0, time.perf_counter(), self.now()

    @staticmethod
    def now():
        try:
            with open("/proc/stat") as f:
                t = list(map(int, f.readline().split()[1:9]))
        except OSError:
            return None
        return (sum(t) - t[3] - t[4]) / os.sysconf("SC_CLK_TCK")  # all but idle and waiting for disks

    def share(self):
        if self.busy is None:
            return 0.0
        span = time.perf_counter() - self.start
        return max(0.0, self.now() - self.busy - self.used) / (span * os.cpu_count())


def compare(title, sides, whole=False, cores=CORES, rel=1e-6, also=None):
    """sides: name -> Side; the first is ours, and the last has the value to agree on.

    also turns the runs of all sides into a line of its own.
    """
    runs, others = {name: [] for name in sides}, Others()
    for _ in range(REPS):
        for name, side in sides.items():
            runs[name].append(measure(side, whole, cores))
            others.used += runs[name][-1]["process"]
    share = others.share()
    print(f"\n{title}{' (whole process)' if whole else ''}, {REPS} times each")
    if not agree(title, sides, runs, rel):
        return
    print(f"  {'':42}{'best s':>10}{'median s':>10}{'CPU s':>9}{'peak MB':>9}   ratio to ours: best, median, CPU, memory")
    mine = next(iter(sides))
    first = summary(runs[mine])
    for name, side in sides.items():
        of = summary(runs[name])
        line = f"  {name:42}{of[0]:10.4f}{of[1]:10.4f}{of[2]:9.3f}{of[3]:9.0f}"
        if name != mine:
            times = ratio(of, first)
            line += "   " + " ".join(f"{r:6.2f}" for r in times) + verdict(side.target, times)
        print(line, flush=True)
    if also:
        print("  " + also(runs))
    marks(runs, share)


def summary(runs):
    seconds = [r["seconds"] for r in runs]
    return min(seconds), statistics.median(seconds), min(r["cpu"] for r in runs), max(r["peak"] for r in runs)


def ratio(of, first):
    """A difference of two times can come out as nothing or less where it is small beside the noise."""
    return [a / b if a > 0 and b > 0 else float("inf" if a > 0 else "nan") for a, b in zip(of, first)]


def verdict(target, times):
    if target is None:
        return ""
    word = {2: "met", 1: "met by one of best and median", 0: "MISSED"}[sum(r >= target for r in times[:2])]
    return f"   target {target:g}: {word}"


differing = []  # titles of the comparisons in which sides found different values


def agree(title, sides, runs, rel):
    values = [(name, r[side.value], side.rel or rel) for name, side in sides.items() if side.value for r in runs[name]]
    if not values:  # each stops where it likes: there is nothing to agree on
        return True
    last, want, _ = values[-1]
    for name, got, near in values:
        if abs(got - want) > near * max(1, abs(want)):
            differing.append(title)
            print(f"  DIFFERS: {name} finds {got}, {last} finds {want}; there is nothing to compare", flush=True)
            return False
    return True


def marks(runs, share):
    spread = max(ratio([max(r["seconds"] for r in of)], [min(r["seconds"] for r in of)])[0] for of in runs.values())
    if share > 0.1:
        print(f"  BUSY: other work took {share:.0%} of the machine meanwhile; these ratios are not to be quoted")
    if not spread <= 1.5:  # or not a number
        often = "nothing or less, by a difference of times" if not spread < float("inf") else f"up to {spread:.1f} times its best"
        print(f"  UNSTEADY: the same task took {often}; these ratios are not to be quoted")
    sys.stdout.flush()
