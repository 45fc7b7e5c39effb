"""Runs ours and the peers side by side and prints ratios: the tasks, and their sizes."""

import os
import subprocess
import sys

import estimators
import graph
import kmeans
import linked
import measure
import questions
import starts
from measure import CORES, DATA, INKLING, OURS, Side, compare, make, ours, peer

ROWS = int(os.environ.get("ROWS", 1_000_000))
LABELS = int(os.environ.get("LABELS", 10_000_000))


def csv():
    table = DATA / "table.csv"
    make("csv", str(ROWS), OURS, "make-table", table, ROWS)
    compare(f"read a CSV of {ROWS} × 32", {
        "inkling dataio.Open": ours("csv", table),
        "pandas.read_csv": peer("csv", "c", table),
        'pandas.read_csv(engine="pyarrow")': peer("csv", "pyarrow", table),
    })


def score():
    make("score", str(LABELS), OURS, "make-labels", DATA, LABELS)
    labels = DATA / "truth.npy", DATA / "pred.npy"
    compare(f"adjusted Rand index of {LABELS} labels in memory", {
        "inkling score.ARI": ours("ari", *labels),
        "inkling, all scores": ours("card", *labels),
        "sklearn adjusted_rand_score": peer("ari", *labels),
    })
    files = DATA / "truth.csv", DATA / "pred.csv"
    compare(f"the same from two CSV files of {LABELS} rows", {
        "inkling score --json": Side([str(INKLING), "score", *map(str, files), "--json"], value="ari"),
        "pandas + sklearn": peer("score-files", *files),
    }, whole=True)


TASKS = {"csv": csv, "score": score, "lloyd": kmeans.lloyd, "fit": kmeans.fit, "sparse": kmeans.sparse, "starts": starts.starts,
         "seeded": kmeans.seeded, "big": kmeans.big, "mpc": linked.mpc, "cop": linked.cop, "pc": linked.pc, "graph": graph.graph,
         "spectral": graph.spectral, "python": estimators.python, "cobras": questions.cobras}


def main(names):
    for name in names:
        if name not in TASKS:
            raise SystemExit(f"there is no task {name!r}; there are {' '.join(TASKS)}")
    load = os.getloadavg()[0]  # before we add to it
    subprocess.run(peer("versions").command, check=True)
    subprocess.run(peer("pools", "sklearn.cluster").command, check=True)
    subprocess.run(peer("pools", "faiss").command, check=True, env=dict(os.environ, **kmeans.coretype()))
    subprocess.run(["go", "version"], check=True)
    print(f"{CORES} processors. A ratio above 1 means that ours is faster, or smaller.")
    print(f"The load was {load:.1f} before the start.")
    if load > 0.25 * CORES:
        print("BUSY: run again when nothing else runs.")
    for name in names or TASKS:
        TASKS[name]()
    if measure.differing:
        raise SystemExit(f"different values in: {'; '.join(measure.differing)}")


if __name__ == "__main__":
    main(sys.argv[1:])
