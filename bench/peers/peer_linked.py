"""The peers with linked pairs: active-semi-supervised-clustering, and any command by its whole process."""

import os
import subprocess
import time

from clock import Clock


def ari(truth, labels):
    import numpy as np
    from sklearn.metrics import adjusted_rand_score

    return float(adjusted_rand_score(np.load(truth), labels))


def timed(command):
    """Seconds and CPU seconds of a command, from its start to its end."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with {child.returncode}")
    return {"seconds": time.perf_counter() - start, "cpu": usage.ru_utime + usage.ru_stime}


def timed_csv(truth, out, *command):
    import pandas as pd

    return timed(command) | {"ari": ari(truth, pd.read_csv(out)["cluster"])}


def timed_weka(truth, out, *command):
    """Its file has a line a point: the number and the cluster."""
    done = timed(command)
    with open(out) as f:
        found = dict(map(int, line.split()[:2]) for line in f if line.strip())
    return done | {"ari": ari(truth, [found[i] for i in range(len(found))])}


def given_pairs(prefix):
    import numpy as np
    import pandas as pd

    x, links = np.load(prefix + ".npy"), pd.read_csv(prefix + ".links.csv")
    return x, *([(a, b) for a, b, kind in links.itertuples(index=False) if kind == which] for which in ("must", "cannot"))


def pairwise(prefix, name):
    from active_semi_clustering.semi_supervised import pairwise_constraints

    x, must, cannot = given_pairs(prefix)
    model = getattr(pairwise_constraints, name)(n_clusters=10)
    clock = Clock()
    model.fit(x, ml=must, cl=cannot)
    return clock.stop() | {"ari": ari(prefix + ".truth.npy", model.labels_)}


TASKS = {"timed-csv": timed_csv, "timed-weka": timed_weka, "pairwise": pairwise}
