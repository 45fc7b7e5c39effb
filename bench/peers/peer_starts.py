"""scikit-learn's KMeans as it comes, from many starts."""

import time
import warnings


def load(path):
    import numpy as np
    import scipy.io

    if path.endswith(".mtx"):
        return scipy.io.mmread(path).tocsr()
    return np.load(path)


def spherical(x, labels, k):
    """Σ (1 − cos) of rows of length 1 to the directions of the means of their clusters."""
    import numpy as np

    total = x.shape[0]
    for h in range(k):
        s = np.asarray(x[np.flatnonzero(labels == h)].sum(axis=0)).ravel()
        total -= float(np.sqrt(s @ s))
    return total


def starts(path, k, distortion, first, count):
    """Single starts from so many seeds: the best of ten of them is what n_init=10 finds."""
    from sklearn.cluster import KMeans

    x, k = load(path), int(k)
    warnings.simplefilter("ignore")
    KMeans(n_clusters=2, n_init=1, max_iter=2).fit(x[:1000])  # warms up
    values, seconds = [], []
    for seed in range(int(first), int(first) + int(count)):
        model = KMeans(n_clusters=k, n_init=1, random_state=seed)
        start = time.perf_counter()
        model.fit(x)
        seconds.append(time.perf_counter() - start)
        values.append(float(model.inertia_) if distortion == "euclidean" else spherical(x, model.labels_, k))
    return {"values": values, "seconds": seconds}


def table(source, out):
    """Writes a table of shared data, CSV or IDX, as numbers in NPY."""
    import gzip

    import numpy as np

    if source.endswith("ubyte.gz"):
        raw = gzip.open(source).read()
        np.save(out, np.frombuffer(raw, np.uint8, offset=16).reshape(-1, 784).astype(np.float64))
    else:
        np.save(out, np.loadtxt(source, delimiter=",", skiprows=1))
    return None


TASKS = {"starts": starts, "table": table}
