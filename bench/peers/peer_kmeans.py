"""The peers' k-means: scikit-learn, faiss, and active-semi-supervised-clustering."""

import warnings

from clock import Clock, per_iteration
from peer_linked import ari


def threads():
    from threadpoolctl import threadpool_info

    return max(pool["num_threads"] for pool in threadpool_info())


def pools(name):
    """Which BLAS and OpenMP a peer has brought, and what they take the machine for."""
    import importlib

    from threadpoolctl import threadpool_info

    module = importlib.import_module(name)
    for pool in threadpool_info():
        whose = pool["filepath"].split("site-packages/")[-1].split("/")[0]
        about = [f"{pool['internal_api']} {pool['version'] or ''}".strip(), f"{pool['num_threads']} threads",
                 pool.get("architecture")]
        print(f"  {name} with {whose}: " + ", ".join(a for a in about if a))
    if hasattr(module, "get_compile_options"):
        print(f"  {name} built for: {module.get_compile_options().strip()}")


def inertia(x, centres, labels):
    """In float64, of dense or sparse rows: what scikit-learn says of float32 is added up in float32."""
    import numpy as np

    total = 0.0
    for h, c in enumerate(np.asarray(centres, dtype=np.float64)):
        rows = x[np.flatnonzero(labels == h)].astype(np.float64)
        values = rows.data if hasattr(rows, "nnz") else rows.ravel()
        total += float(values @ values)
        total += rows.shape[0] * (c @ c) - 2 * float(np.asarray(rows.sum(axis=0)).ravel() @ c)
    return float(total)


def sklearn_fit(x, centres, iterations):
    from sklearn.cluster import KMeans

    model = KMeans(n_clusters=len(centres), init=centres, n_init=1, max_iter=iterations, tol=0, algorithm="lloyd")
    warnings.simplefilter("ignore")  # that it has not converged is the plan
    clock = Clock()
    model.fit(x)
    done = clock.stop()
    check = inertia(x, model.cluster_centers_, model.labels_)
    return done | {"check": check, "iterations": model.n_iter_, "threads": threads()}


def each(fit, x, centres, iterations):
    """One iteration: the second to the last of 1 + iterations."""
    fit(x, centres, 1)  # the first warms up
    one, more = fit(x, centres, 1), fit(x, centres, 1 + iterations)
    if more["iterations"] != 1 + iterations:
        raise SystemExit(f"{more['iterations']} iterations of {1 + iterations}: the times would not compare")
    return per_iteration(one, more, iterations)


def sklearn_lloyd(points, centres, iterations):
    import numpy as np

    return each(sklearn_fit, np.load(points), np.load(centres), int(iterations))


def sklearn_full(points, centres, kind, limit):
    """kind is what it computes in, whatever the file holds."""
    import numpy as np

    return sklearn_fit(np.load(points).astype(kind), np.load(centres).astype(kind), int(limit))


def faiss_fit(x, centres, iterations):
    import faiss

    k, d = centres.shape
    # Without this limit it would take 256 points of each cluster and leave the rest out.
    model = faiss.Kmeans(d, k, niter=iterations, max_points_per_centroid=len(x), min_points_per_centroid=1)
    clock = Clock()
    model.train(x, init_centroids=centres)
    done = clock.stop()
    # Its own objective is that of the centres before the last.
    check = inertia(x, model.centroids, model.assign(x)[1])
    return done | {"check": check, "iterations": len(model.obj), "threads": faiss.omp_get_max_threads()}


def faiss_lloyd(points, centres, iterations):
    import numpy as np

    return each(faiss_fit, np.load(points), np.load(centres), int(iterations))


def faiss_full(points, centres, iterations):
    import numpy as np

    return faiss_fit(np.load(points), np.load(centres), int(iterations))


def news(counts, out, centres, k):
    """Makes the TF-IDF matrix of 20 Newsgroups, and the first centres: k means of a hundred rows each.

    Single rows would not do: many a document shares no word with any of them, is equally far from
    all, and goes where rounding sends it, on each side to another one.
    """
    import numpy as np
    import scipy.io
    from sklearn.feature_extraction.text import TfidfTransformer

    x = TfidfTransformer().fit_transform(scipy.io.mmread(counts).tocsr().astype(np.float64))
    rows = np.random.default_rng(1).permutation(x.shape[0])[: 100 * int(k)].reshape(int(k), 100)
    scipy.io.mmwrite(out, x, precision=17)
    np.save(centres, np.vstack([x[r].mean(axis=0) for r in rows]).view(np.ndarray))
    return None


def sparse(matrix, centres, kind, iterations):
    import numpy as np
    import scipy.io

    x, c = scipy.io.mmread(matrix).tocsr().astype(kind), np.load(centres).astype(kind)
    return each(sklearn_fit, x, c, int(iterations))


def seeded(points, labels, truth, method):
    import numpy as np
    from active_semi_clustering.semi_supervised import labeled_data

    x, y = np.load(points), np.load(labels)
    model = getattr(labeled_data, method)(n_clusters=int(y.max()) + 1, max_iter=1000)
    clock = Clock()
    model.fit(x, y=y)
    done = clock.stop()
    return done | {"check": float(((x - model.cluster_centers_[model.labels_]) ** 2).sum()), "ari": ari(truth, model.labels_)}


TASKS = {
    "pools": pools,
    "sklearn-lloyd": sklearn_lloyd, "sklearn-fit": sklearn_full, "faiss-lloyd": faiss_lloyd, "faiss-fit": faiss_full,
    "news": news, "sparse": sparse, "seeded": seeded,
}
