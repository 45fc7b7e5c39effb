"""The peers' side: one fit in a process of its own, after a small one that compiles what is compiled."""
import json
import os
import resource
import sys
import warnings

import numpy as np

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "peers"))
from clock import Clock

warnings.filterwarnings("ignore")


def estimator(name, samples, size):
    jobs = int(os.environ["OMP_NUM_THREADS"])
    if name == "hdbscan":
        import hdbscan

        return hdbscan.HDBSCAN(min_samples=samples, min_cluster_size=size, approx_min_span_tree=False, core_dist_n_jobs=jobs)
    if name == "fast_hdbscan":
        import fast_hdbscan

        return fast_hdbscan.HDBSCAN(min_samples=samples, min_cluster_size=size)
    if name == "sklearn":
        import sklearn.cluster

        return sklearn.cluster.HDBSCAN(min_samples=samples + 1, min_cluster_size=size, n_jobs=jobs, copy=True)
    import evoc

    return evoc.EVoC(base_min_cluster_size=size)


def limit_from_here():
    """What was compiled does not count against the limit."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    ends = int(used.ru_utime + used.ru_stime) + int(os.environ["LIMIT"])
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (ends, max(ends, most)))


def main(name, path, d, samples, size):
    x = np.fromfile(path).reshape(-1, int(d))
    if name == "evoc":
        x = x.astype(np.float32)  # it takes no other
    make = lambda: estimator(name, int(samples), int(size))
    make().fit(x[:: max(1, len(x) // 5000)].copy())
    limit_from_here()
    clock = Clock()
    fit = make().fit(x)
    out = clock.stop() | {"clusters": int(fit.labels_.max()) + 1}
    tree = getattr(fit, "_min_spanning_tree", None)
    if tree is not None:
        out["check"] = float(np.asarray(tree)[:, 2].astype(float).sum())
    print(json.dumps(out))


main(*sys.argv[1:])
