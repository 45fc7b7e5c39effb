"""Runs ours and the peers side by side and prints ratios.

Every measurement is a process of its own, sides take turns, and both sides must
arrive at the same value. This process stays small on purpose: a child's peak
memory, as the system counts it, is never below that of its parent at the start.
"""

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

ROWS = int(os.environ.get("ROWS", 1_000_000))
LABELS = int(os.environ.get("LABELS", 10_000_000))
POINTS = int(os.environ.get("POINTS", 100_000))
ITERATIONS = int(os.environ.get("ITERATIONS", 20))
REPS = int(os.environ.get("REPS", 5))


def ours(*args):
    return [str(OURS), *map(str, args)]


def peer(*args):
    return [sys.executable, str(HERE / "peer.py"), *map(str, args)]


def measure(command, whole, value):
    """One run: seconds, CPU seconds and peak MB of the process, and the value to agree on."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with {child.returncode}")
    said = json.loads(out)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    cpu = usage.ru_utime + usage.ru_stime
    return wall if whole else said["seconds"], cpu, usage.ru_maxrss / unit, said[value]


def compare(title, sides, whole=False):
    """sides: name -> (command, key of the value); the first is ours."""
    times, cpus, memory, values = {}, {}, {}, {}
    for _ in range(REPS):
        for name, (command, value) in sides.items():
            seconds, cpu, peak, got = measure(command, whole, value)
            times.setdefault(name, []).append(seconds)
            cpus.setdefault(name, []).append(cpu)
            memory[name] = max(memory.get(name, 0), peak)
            values[name] = got
    names = list(sides)
    want = values[names[-1]]
    for name, got in values.items():
        if abs(got - want) > 1e-6 * max(1, abs(want)):
            raise SystemExit(f"{title}: {name} finds {got}, {names[-1]} finds {want}")
    print(f"\n{title}{' (whole process)' if whole else ''}, {REPS} times each")
    print(f"  {'':34}{'best s':>9}{'median s':>10}{'CPU s':>8}{'peak MB':>9}   ratio to ours: best, median, memory")
    best, median = min(times[names[0]]), statistics.median(times[names[0]])
    for name in names:
        b, m = min(times[name]), statistics.median(times[name])
        line = f"  {name:34}{b:9.3f}{m:10.3f}{min(cpus[name]):8.2f}{memory[name]:9.0f}"
        if name != names[0]:
            line += f"   {b / best:6.2f} {m / median:6.2f} {memory[name] / memory[names[0]]:6.2f}"
        print(line, flush=True)
    spread = max(max(t) / min(t) for t in times.values())
    if spread > 1.5:
        print(f"  UNSTEADY: the same task took up to {spread:.1f} times its best; these ratios are not to be quoted")


def make_data():
    stamp, size = DATA / "sizes", f"{ROWS} {LABELS} {POINTS}"
    if stamp.exists() and stamp.read_text() == size:
        return
    print("making the data ...", flush=True)
    stamp.unlink(missing_ok=True)
    subprocess.run(ours("make", DATA, ROWS, LABELS, POINTS), check=True, stdout=subprocess.DEVNULL)
    stamp.write_text(size)


def main():
    load = os.getloadavg()[0]  # before we add to it
    make_data()
    subprocess.run(peer("versions"), check=True)
    subprocess.run(["go", "version"], check=True)
    print(f"{os.cpu_count()} processors. A ratio above 1 means that ours is faster, or smaller.")
    if load > 0.25 * os.cpu_count():
        print(f"BUSY: the load was {load:.1f} before the start; run again when nothing else runs.")
    table = DATA / "table.csv"
    compare(f"read a CSV of {ROWS} × 32", {
        "inkling dataio.Open": (ours("csv", table), "check"),
        "pandas.read_csv": (peer("csv", "c", table), "check"),
        'pandas.read_csv(engine="pyarrow")': (peer("csv", "pyarrow", table), "check"),
    })
    labels = DATA / "truth.npy", DATA / "pred.npy"
    compare(f"adjusted Rand index of {LABELS} labels in memory", {
        "inkling score.ARI": (ours("ari", *labels), "check"),
        "inkling, all scores": (ours("card", *labels), "check"),
        "sklearn adjusted_rand_score": (peer("ari", *labels), "check"),
    })
    files = DATA / "truth.csv", DATA / "pred.csv"
    compare(f"the same from two CSV files of {LABELS} rows", {
        "inkling score --json": ([str(INKLING), "score", *map(str, files), "--json"], "ari"),
        "pandas + sklearn": (peer("score-files", *files), "check"),
    }, whole=True)
    points = DATA / "points.npy", DATA / "centres.npy"
    compare(f"{ITERATIONS} iterations of Lloyd, {POINTS} × 32, k = 100", {
        "inkling kmeans": (ours("lloyd", *points, ITERATIONS), "check"),
        'sklearn KMeans(algorithm="lloyd")': (peer("lloyd", *points, ITERATIONS), "check"),
    })


if __name__ == "__main__":
    main()
