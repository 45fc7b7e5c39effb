"""scikit-learn on graphs: 10-NN graphs of points, and spectral clustering of them."""

from clock import Clock


def knn(prefix, neighbours):
    """Makes a graph without weights: two points are joined if one is among the nearest of the other."""
    import numpy as np
    import scipy.io
    import scipy.sparse
    from sklearn.neighbors import kneighbors_graph

    a = kneighbors_graph(np.load(prefix + ".npy"), int(neighbours), include_self=False, n_jobs=-1)
    a = a.maximum(a.T)
    scipy.sparse.save_npz(prefix + ".npz", a.tocsr())
    scipy.io.mmwrite(prefix + ".mtx", scipy.sparse.coo_matrix(a), symmetry="symmetric", precision=3)
    return None


def normalized_cut(a, labels):
    import numpy as np

    degree, cut = np.asarray(a.sum(axis=1)).ravel(), 0.0
    for h in np.unique(labels):
        inside = labels == h
        volume = degree[inside].sum()
        cut += (volume - a[inside][:, inside].sum()) / volume
    return float(cut)


def spectral(prefix, k, solver):
    import numpy as np
    import scipy.sparse
    from sklearn.cluster import spectral_clustering
    from sklearn.metrics import adjusted_rand_score

    a, truth = scipy.sparse.load_npz(prefix + ".npz"), np.load(prefix + ".truth.npy")
    clock = Clock()
    labels = spectral_clustering(a, n_clusters=int(k), eigen_solver=solver, random_state=0)
    return clock.stop() | {"cut": normalized_cut(a, labels), "ari": float(adjusted_rand_score(truth, labels))}


TASKS = {"knn": knn, "spectral": spectral}
