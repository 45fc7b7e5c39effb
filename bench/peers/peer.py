"""The peers' side: one task in a process of its own.

Prints one JSON object: the seconds and CPU seconds of the task alone, and a
value by which the caller sees that both sides did the same work.
"""

import json
import sys

import peer_cobras
import peer_estimators
import peer_graph
import peer_kmeans
import peer_linked
import peer_starts
from clock import Clock


def csv(engine, path):
    import pandas as pd

    if engine == "pyarrow":
        import pyarrow.csv  # noqa: F401  (importing is not reading)
    clock = Clock()
    table = pd.read_csv(path, engine=engine)
    return clock.stop() | {"check": float(table.to_numpy().sum())}


def ari(truth, pred):
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    a, b = np.load(truth), np.load(pred)
    clock = Clock()
    value = adjusted_rand_score(a, b)
    return clock.stop() | {"check": float(value)}


def score_files(truth, pred):
    """From two files to a score, as one would write it: the whole process counts."""
    import pandas as pd
    from sklearn.metrics import adjusted_rand_score

    a, b = pd.read_csv(truth), pd.read_csv(pred)
    if not (a["id"] == b["id"]).all():
        raise SystemExit("the ids differ")
    return {"check": float(adjusted_rand_score(a["label"], b["label"]))}


def versions():
    import platform
    from importlib.metadata import version

    names = "numpy scipy pandas pyarrow scikit-learn faiss-cpu active-semi-supervised-clustering".split()
    print(f"Python {platform.python_version()}, " + ", ".join(f"{name} {version(name)}" for name in names))


def main(name, *args):
    tasks = {"csv": csv, "ari": ari, "score-files": score_files, "versions": versions} | peer_kmeans.TASKS | peer_starts.TASKS | peer_linked.TASKS | peer_graph.TASKS | peer_estimators.TASKS | peer_cobras.TASKS
    said = tasks[name](*args)
    if said is not None:
        print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
