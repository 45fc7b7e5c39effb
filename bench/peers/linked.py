"""COP-KMeans and the HMRF family beside their peers: points with linked pairs."""

import os
import pathlib
import subprocess

from measure import DATA, HERE, INKLING, OURS, SAME, compare, make, ours, peer

MPC = [int(n) for n in os.environ.get("MPC", "10000 30000").split()]
PC = int(os.environ.get("PC", 10_000))
WEKAUT = os.environ.get("WEKAUT")


def pairs(n, seed=5, prefix=None):
    prefix = prefix or DATA / f"pairs{n}"
    make(prefix.name, f"{n} {seed}", OURS, "make-pairs", prefix, n, seed)
    return prefix


def quality(runs):
    """The worst and the best ARI of each side; peers draw other starts each time."""
    least, most = ({name: pick(r["ari"] for r in of) for name, of in runs.items()} for pick in (min, max))
    spread = [f"{name} {least[name]:.3f}" + (f" to {most[name]:.3f}" if most[name] - least[name] > 5e-4 else "") for name in runs]
    mine = min(y for name, y in least.items() if name.startswith("inkling"))
    best = max(y for name, y in most.items() if not name.startswith("inkling"))
    return f"ARI: {', '.join(spread)}   target at least the best peer's: {'met' if mine >= best - SAME else 'MISSED'}"


def mpc():
    """Whole processes, from files to labels, in CPU seconds: a Java machine starts several threads of its own."""
    if not WEKAUT:
        print("\nmpc: left out, WEKAUT does not name the folder wekaUT of a clone of github.com/pipifuyj/wekax")
        return
    classes = DATA / "wekaut"
    subprocess.run([HERE / "wekaut", pathlib.Path(WEKAUT).resolve(), classes], check=True)
    for n in MPC:
        prefix = pairs(n)
        mine, theirs = f"{prefix}.ours.csv", f"{prefix}.wekaut"
        compare(f"MPC-KMeans, diagonal metric, blobs of {n} × 16, k = 10, {n // 10} pairs, files to labels, one core", {
            "inkling cluster --method mpc-kmeans --no-suspects": peer(
                "timed-csv", f"{prefix}.truth.npy", mine,
                INKLING, "cluster", f"{prefix}.npy", "--links", f"{prefix}.links.csv", "-k", 10,
                "--method", "mpc-kmeans", "--restarts", 1, "--no-suspects", "--quiet", "-o", mine, value=None),
            "WekaUT MPCKMeans": peer(
                "timed-weka", f"{prefix}.truth.npy", theirs,
                "java", "-cp", f"{classes}:{classes}/jama.jar", "weka.clusterers.MPCKMeans",
                "-D", f"{prefix}.arff", "-C", f"{prefix}.constraints", "-O", theirs, "-R", 42, value=None, target=10.0),
        }, cores=1, also=quality)


def one_start(method, name, target=None):
    prefix = pairs(PC)
    compare(f"{method}, blobs of {PC} × 16, k = 10, {PC // 10} pairs, one start, one core", {
        f"inkling {method.lower()}": ours("linked", prefix, method.lower(), value=None),
        f"active-semi-supervised {name}": peer("pairwise", prefix, name, value=None, target=target),
    }, cores=1, also=quality)


def cop():
    one_start("COP-KMeans", "COPKMeans")


def pc():
    one_start("PC-KMeans", "PCKMeans", target=100.0)
