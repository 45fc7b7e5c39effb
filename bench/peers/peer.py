"""The peers' side: one task in a process of its own.

Prints one JSON object: the seconds of the task alone, and a value by which the
caller sees that both sides did the same work.
"""

import json
import sys
import time


def csv(engine, path):
    import pandas as pd

    if engine == "pyarrow":
        import pyarrow.csv  # noqa: F401  (importing is not reading)
    start = time.perf_counter()
    table = pd.read_csv(path, engine=engine)
    seconds = time.perf_counter() - start
    return seconds, float(table.to_numpy().sum())


def ari(truth, pred):
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    a, b = np.load(truth), np.load(pred)
    start = time.perf_counter()
    value = adjusted_rand_score(a, b)
    return time.perf_counter() - start, float(value)


def score_files(truth, pred):
    """From two files to a score, as one would write it: the whole process counts."""
    import pandas as pd
    from sklearn.metrics import adjusted_rand_score

    a, b = pd.read_csv(truth), pd.read_csv(pred)
    if not (a["id"] == b["id"]).all():
        raise SystemExit("the ids differ")
    return 0.0, float(adjusted_rand_score(a["label"], b["label"]))


def lloyd(points, centres, iterations):
    import warnings

    import numpy as np
    from sklearn.cluster import KMeans

    x, c = np.load(points), np.load(centres)
    model = KMeans(n_clusters=len(c), init=c, n_init=1, max_iter=int(iterations), tol=0, algorithm="lloyd")
    warnings.simplefilter("ignore")  # that it has not converged is the plan
    start = time.perf_counter()
    model.fit(x)
    seconds = time.perf_counter() - start
    if model.n_iter_ != int(iterations):
        raise SystemExit(f"{model.n_iter_} iterations of {iterations}: the times would not compare")
    return seconds, float(model.inertia_)


def versions():
    import platform

    import numpy  # noqa: F401
    import pandas
    import pyarrow
    import sklearn
    from sklearn.cluster import KMeans  # noqa: F401  (loads the thread pools)
    from threadpoolctl import threadpool_info

    print(f"Python {platform.python_version()}, pandas {pandas.__version__}, pyarrow {pyarrow.__version__}, "
          f"scikit-learn {sklearn.__version__}")
    for pool in threadpool_info():
        print(f"  {pool['internal_api']} {pool['version']}, {pool['num_threads']} threads, {pool.get('architecture', '')}")


TASKS = {"csv": csv, "ari": ari, "score-files": score_files, "lloyd": lloyd}

if __name__ == "__main__":
    if sys.argv[1] == "versions":
        versions()
    else:
        seconds, check = TASKS[sys.argv[1]](*sys.argv[2:])
        print(json.dumps({"seconds": seconds, "check": check}))
