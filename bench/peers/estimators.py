"""The estimators of the Python package beside their peers, and beside the command line: what the way through Python costs."""

import os
import subprocess
import sys

from kmeans import FAR, MAX_ITER, NEAR, POINTS, coretype, points
from linked import pairs, quality
from measure import DATA, HERE, INKLING, Side, compare, make, ours, peer

LINKED = int(os.environ.get("LINKED", 2_000))
FITS = int(os.environ.get("FITS", 200))
PYTHON, GO, COMMAND = "inkling.KMeans in Python", "inkling.Cluster in Go", "inkling cluster, its fit"
MOST = 0.005  # seconds that the way through Python may cost
SHARE = 1.05  # of the command line's time that a large fit may take


def install():
    """Builds the wheel of this platform and installs it beside the peers."""
    wheels = DATA / "wheel"
    for old in wheels.glob("*.whl"):
        old.unlink()
    print("building and installing the wheel ...", flush=True)
    subprocess.run([HERE.parents[1] / "release" / "build", "--wheel-only", "--platform", "here", "-o", wheels],
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall",
                    *wheels.glob("*.whl")], check=True)


def python():
    install()
    iris()
    fit()
    linked()


def iris():
    x = DATA / "iris.npy"
    make("iris", "1", *peer("make-iris", x).command)
    compare(f"fit on Iris, k = 3, one start: the median of {FITS} after the first", {
        PYTHON: peer("small-fits", "inkling", x, FITS),
        GO: ours("small-fits", x, FITS),
        "sklearn KMeans": peer("small-fits", "sklearn", x, FITS, value=None),
    }, also=overhead)


def overhead(runs):
    best = {name: min(r["seconds"] for r in of) for name, of in runs.items()}
    extra = best[PYTHON] - best[GO]
    return (f"the way through Python costs {extra * 1e3:.2f} ms   target below {MOST * 1e3:g}: {'met' if extra < MOST else 'MISSED'}"
            f" (the first call takes {min(r['first'] for r in runs[PYTHON]) * 1e3:.0f} ms: it starts the engine)")


def fit():
    n, d, k = POINTS, 32, 100
    x, centres = points(n, d, k)["float32"]
    command = Side([*peer("command-fit").command, str(INKLING), str(x), str(centres), str(k), str(MAX_ITER)])
    compare(f"a fit of {MAX_ITER} iterations at most from Python, {n} × {d}, k = {k}, float32", {
        PYTHON: peer("estimator-fit", x, centres, MAX_ITER),
        COMMAND: command,
        "faiss Kmeans": peer("faiss-fit", x, centres, MAX_ITER, rel=FAR, env=coretype()),
        "sklearn KMeans": peer("sklearn-fit", x, centres, "float32", MAX_ITER, rel=FAR),
    }, rel=NEAR, also=through_python)


def through_python(runs):
    best = {name: min(r["seconds"] for r in of) for name, of in runs.items()}
    times = best[PYTHON] / best[COMMAND]
    of = max(runs[PYTHON], key=lambda r: r["shared"] + r["python"])
    once = of["shared"] < 1.01 * of["x"] and of["python"] < 0.5 * of["x"]
    whole = best[PYTHON] / min(r["whole"] for r in runs[COMMAND])
    return (f"{times:.3f} of the fit of the command line   target {SHARE:g}: {'met' if times <= SHARE else 'MISSED'}\n"
            f"  {whole:.3f} of its whole process, which reads a file and writes the labels\n"
            f"  X has {of['x']:.0f} MB; {of['shared']:.0f} MB were shared with the engine, Python took {of['python']:.0f} MB more for "
            f"labels and messages   target one copy of X: {'met' if once else 'MISSED'}\n"
            f"  the engine took {of['engine']:.0f} MB of its own, the command line {max(r['most'] for r in runs[COMMAND]):.0f} MB with X")


def linked():
    prefix = pairs(LINKED)
    for name in "PCKMeans", "MPCKMeans":
        compare(f"{name} from Python, blobs of {LINKED} × 16, k = 10, {LINKED // 10} pairs", {
            f"inkling.{name}, n_init=1": peer("estimator-linked", prefix, name, 1, value=None),
            f"inkling.{name}": peer("estimator-linked", prefix, name, "auto", value=None),
            f"active-semi-supervised {name}": peer("pairwise", prefix, name, value=None, target=10.0),
        }, also=quality)
