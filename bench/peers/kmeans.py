"""The k-means family beside its peers."""

import json
import os
import pathlib
import pty
import subprocess
import sys
import time

from linked import quality
from measure import CORES, DATA, HERE, INKLING, OURS, compare, make, ours, peer

POINTS = int(os.environ.get("POINTS", 1_000_000))
BLOBS = int(os.environ.get("BLOBS", 10_000))
BIG = int(os.environ.get("BIG", 10_000_000))
ITERATIONS = int(os.environ.get("ITERATIONS", 10))
MAX_ITER = int(os.environ.get("MAX_ITER", 100))
NEWS = pathlib.Path(os.environ.get("INKLING_DATA", HERE.parents[2] / "shared" / "data")) / "20news" / "data.mtx.gz"

# Rows, features, centres, and how many times faster ours is to be in float32.
SHAPES = [(POINTS, 32, 100, 3.0), (POINTS // 10, 128, 256, 2.0)]
NEAR = 1e-5  # sides in float32 round differently, and a label at a tie may differ
FAR = 1e-3  # after many iterations that adds up to another descent
LABELS = "inkling, labels alone"  # the kernel: all rows searched again, nothing else


def coretype():
    """The BLAS in the wheel of faiss is older than many machines, takes them for
    the oldest there is, and would make faiss slower than it has to be."""
    try:
        flags = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return {}
    for flag, name in ("avx512dq", "SKYLAKEX"), ("avx2", "HASWELL"):
        if f" {flag} " in flags:
            return {"OPENBLAS_CORETYPE": name}
    return {}


def points(n, d, k):
    name = f"points{d}"
    make(name, f"{n} {d} {k}", OURS, "make-points", DATA / name, n, d, k)
    return {kind: (DATA / f"{name}.{kind}.npy", DATA / f"{name}.{kind}.centres.npy") for kind in ("float32", "float64")}


def both():
    """The numbers of cores to measure on."""
    return [(CORES, f"all {CORES} cores"), (1, "one core")] if CORES > 1 else [(1, "one core")]


def peak(runs):
    """The share of what the cores can do at most that labels alone take, by the clock and by the CPU seconds used."""
    runs = runs[LABELS]
    rate, cores = max(r["peak_gflops"] for r in runs), runs[0]["workers"]

    def share(key, cores):
        return f"{runs[0]['gflop'] / min(r[key] for r in runs) / rate / cores:.0%}"

    return (f"labels alone, of the FMA peak ({cores} × {rate:.0f} GFLOP/s, {runs[0]['level']}), by the clock and by CPU seconds: "
            f"{share('seconds', cores)}, {share('cpu', 1)} (aim: above 60%)")


def lloyd():
    for n, d, k, target in SHAPES:
        files = points(n, d, k)
        for kind in files:
            for cores, where in both():
                sides = {
                    "inkling kmeans": ours("kmeans", *files[kind], ITERATIONS),
                    LABELS: ours("labels", *files[kind], ITERATIONS, value=None),
                }
                goal = target if kind == "float32" else 2.0
                if kind == "float32":
                    sides["faiss Kmeans"] = peer("faiss-lloyd", *files[kind], ITERATIONS, target=goal, env=coretype())
                sides["sklearn KMeans"] = peer("sklearn-lloyd", *files[kind], ITERATIONS, target=goal)
                compare(f"one Lloyd iteration, {n} × {d}, k = {k}, {kind}, {where}", sides, cores=cores, rel=NEAR, also=peak)


def fit():
    for n, d, k, target in SHAPES:
        files = points(n, d, k)
        for kind in files:
            goal = target if kind == "float32" else 2.0
            sides = {"inkling kmeans": ours("fit", *files[kind], MAX_ITER)}
            if kind == "float32":
                # Ours must find what float64 finds; those that add up in float32 may take other ways.
                sides["faiss Kmeans"] = peer("faiss-fit", *files[kind], MAX_ITER, target=goal, rel=FAR, env=coretype())
                sides["sklearn KMeans"] = peer("sklearn-fit", *files[kind], "float32", MAX_ITER, target=goal, rel=FAR)
            sides["sklearn KMeans, in float64"] = peer("sklearn-fit", *files[kind], "float64", MAX_ITER, target=goal)
            compare(f"a fit of {MAX_ITER} iterations at most, {n} × {d}, k = {k}, {kind}", sides, rel=NEAR,
                    also=lambda runs: "iterations: " + ", ".join(f"{name} {of[0]['iterations']}" for name, of in runs.items()))


def sparse():
    if not NEWS.exists():
        print(f"\nsparse: left out, there is no {NEWS} (INKLING_DATA names the folder of 20news)")
        return
    matrix, centres = DATA / "news.mtx", DATA / "news.centres.npy"
    make("news", "20", *peer("news", NEWS, matrix, centres, 20).command)
    for cores, where in both():
        compare(f"one iteration on 20 Newsgroups, TF-IDF, k = 20, {where}", {
            "inkling kmeans, cosine": ours("sparse", matrix, centres, "cosine", ITERATIONS, value=None),
            "inkling kmeans, euclidean": ours("sparse", matrix, centres, "euclidean", ITERATIONS),
            "sklearn KMeans, float32": peer("sparse", matrix, centres, "float32", ITERATIONS, target=3.0),
            "sklearn KMeans, float64": peer("sparse", matrix, centres, "float64", ITERATIONS, target=3.0),
        }, cores=cores, rel=NEAR)


def seeded():
    x, y, truth = DATA / "blobs.npy", DATA / "blobs.labels.npy", DATA / "blobs.truth.npy"
    make("blobs", f"{BLOBS} with truth", OURS, "make-blobs", x, y, truth, BLOBS)
    for method in "Seeded", "Constrained":
        compare(f"{method}-KMeans, blobs of {BLOBS} × 16, k = 10, 10 % labelled, one core", {
            f"inkling {method.lower()}-kmeans": ours("seeded", x, y, truth, method),
            f"active-semi-supervised {method}KMeans": peer("seeded", x, y, truth, method + "KMeans", target=50.0),
        }, cores=1, rel=NEAR, also=quality)


def big():
    """Our command line on a file, its messages on a terminal."""
    x, out, k, iterations, most = DATA / "big.npy", DATA / "big.csv", 100, 20, 2.5
    make("big", str(BIG), OURS, "make-big", x, BIG, 16, k)
    command = [str(INKLING), "cluster", str(x), "-k", str(k), "--method", "kmeans", "--max-iter", str(iterations),
               "--tol", "0", "--restarts", "1", "--json", "-o", str(out)]
    screen, end = pty.openpty()
    start = time.perf_counter()
    with (DATA / "big.json").open("w") as f:
        child = subprocess.Popen(command, stdout=f, stderr=end)
    os.close(end)
    shown = b""
    while True:
        try:
            part = os.read(screen, 1 << 16)
        except OSError:  # how Linux says that the other end is closed
            part = b""
        if not part:
            break
        shown += part
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    os.close(screen)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with {child.returncode}: {shown.decode(errors='replace')}")
    said = json.loads((DATA / "big.json").read_text())
    report_big(said, wall, usage, shown, most)


def report_big(said, wall, usage, shown, most):
    gigabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1 << 10) / 1e9
    lines = [s.strip() for s in shown.decode(errors="replace").replace("\x1b[K", "").split("\r")]
    lines = [s for s in lines if ", iteration " in s]
    print(f"\n{said['n']} × {said['dim']} in float32, k = {said['k']}, {said['iterations']} iterations by the command line")
    print("  seconds: " + ", ".join(f"{name} {s:.1f}" for name, s in said["seconds"].items())
          + f"; whole process {wall:.1f}, CPU {usage.ru_utime + usage.ru_stime:.1f}")
    print(f"  peak memory {gigabytes:.2f} GB   target below {most}: {'met' if gigabytes < most else 'MISSED'}")
    print(f"  progress was drawn {len(lines)} times" + (f", at last: {lines[-1]}" if lines else ": MISSED"), flush=True)
