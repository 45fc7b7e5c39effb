"""Every estimator gives the labels of the command line, on five kinds of data."""

import inkling
import numpy as np
import pytest
import scipy.io
import scipy.sparse
from sklearn.neighbors import kneighbors_graph

METHODS = {c._method: c for c in (getattr(inkling, n) for n in inkling._estimators) if c is not inkling.SphericalKMeans and c._method}
K = 3


def test_every_method_has_an_estimator():
    assert set(METHODS) == {m["name"] for m in inkling.methods()}


def knowledge(folder, y):
    """Write labels and links, and return them as both sides take them."""
    rows = np.flatnonzero(y >= 0)
    groups = [rows[y[rows] == h] for h in range(K)]
    must = [[groups[0][0], groups[0][-1] + 1], [groups[1][1], groups[1][2]]]
    cannot = [[groups[0][2], groups[1][3]], [groups[2][1], groups[0][1] + 2]]
    (folder / "labels.csv").write_text("id,label\n" + "".join(f"{i},{y[i]}\n" for i in rows))
    lines = [f"{a},{b},must\n" for a, b in must] + [f"{a},{b},cannot\n" for a, b in cannot]
    (folder / "links.csv").write_text("a,b,kind\n" + "".join(lines))
    return ["--labels", folder / "labels.csv", "--links", folder / "links.csv"], {"must_link": must, "cannot_link": cannot}


def compare(command_line, folder, make, path, flags, X, y, **parameters):
    est = make(n_clusters=K, **parameters)
    given, links = [], {}
    if make._uses:
        files, links = knowledge(folder, y)
        if make._uses == ("labels", "soft-seeds"):
            files, links = files[:2], {}
        given = files
    if "graph" not in flags and make._inputs == ("graph",):
        flags = [*flags, "--knn", 10]
    want = command_line(path, "-k", K, "--method", make._method, *flags, *given)
    est.fit(X, y, **links)
    got = [str(est.cluster_names_[h]) if h >= 0 else "" for h in est.labels_]  # -1 is noise
    assert got == want
    assert len(set(want)) > 1


@pytest.mark.parametrize("method", METHODS)
def test_dense(method, blobs, command_line, tmp_path):
    X, y, _ = blobs
    np.save(tmp_path / "x.npy", X)
    compare(command_line, tmp_path, METHODS[method], tmp_path / "x.npy", [], X, y)


@pytest.mark.parametrize("method", METHODS)
def test_single_precision(method, blobs, command_line, tmp_path):
    X, y, _ = blobs
    X = X.astype(np.float32)
    np.save(tmp_path / "x.npy", X)
    compare(command_line, tmp_path, METHODS[method], tmp_path / "x.npy", [], X, y)


@pytest.mark.parametrize("method", METHODS)
def test_sparse(method, blobs, command_line, tmp_path):
    X, y, truth = blobs
    rng = np.random.default_rng(0)
    words = rng.poisson(0.1 + 1.2 * (np.arange(30) // 10 == truth[:, None]))
    words[:, 0] += 1  # no row without a word
    X = scipy.sparse.csr_array(words.astype(np.float64))
    scipy.io.mmwrite(tmp_path / "x.mtx", X, precision=17)
    compare(command_line, tmp_path, METHODS[method], tmp_path / "x.mtx", ["--as", "vectors"], X, y)


@pytest.mark.parametrize("method", METHODS)
def test_table(method, customers, command_line, tmp_path):
    table, kind = customers
    table.to_csv(tmp_path / "x.csv", index=False)
    y = np.where(np.arange(len(table)) % 6 == 0, kind, -1)
    compare(command_line, tmp_path, METHODS[method], tmp_path / "x.csv", [], table, y)


@pytest.mark.parametrize("method", METHODS)
def test_precomputed(method, blobs, command_line, tmp_path):
    """A graph of neighbours: as it is where the method takes graphs, as a kernel matrix, or as rows."""
    X, y, _ = blobs
    g = kneighbors_graph(X, 8, mode="distance")
    g.data = np.exp(-g.data / g.data.mean())
    g = scipy.sparse.csr_array(g.maximum(g.T))
    make = METHODS[method]
    if "graph" in make._inputs:
        scipy.io.mmwrite(tmp_path / "g.mtx", g, precision=17, symmetry="general")
        compare(command_line, tmp_path, make, tmp_path / "g.mtx", ["--as", "graph"], g, y, metric="precomputed")
    elif "kernel" in make._inputs:
        kernel = g.toarray() + 2 * np.eye(len(X))
        np.save(tmp_path / "k.npy", kernel)
        compare(command_line, tmp_path, make, tmp_path / "k.npy", ["--as", "kernel"], kernel, y, metric="precomputed")
    else:
        scipy.io.mmwrite(tmp_path / "g.mtx", g, precision=17, symmetry="general")
        compare(command_line, tmp_path, make, tmp_path / "g.mtx", ["--as", "vectors"], g, y)


def test_chosen(blobs, customers, command_line, tmp_path):
    """Inkling chooses what the command line chooses where it has to save a model."""
    X, y, _ = blobs
    np.save(tmp_path / "x.npy", X)
    files, links = knowledge(tmp_path, y)
    want = command_line(tmp_path / "x.npy", *files, "--save", tmp_path / "m.ink")
    est = inkling.Inkling().fit(X, y, **links)
    assert [str(est.cluster_names_[h]) for h in est.labels_] == want
    table, _ = customers
    table.to_csv(tmp_path / "x.csv", index=False)
    want = command_line(tmp_path / "x.csv", "-k", "auto")
    est = inkling.Inkling(need_model=False).fit(table)
    assert [str(est.cluster_names_[h]) for h in est.labels_] == want


def test_options(blobs, command_line, tmp_path):
    X, y, _ = blobs
    np.save(tmp_path / "x.npy", X)
    want = command_line(tmp_path / "x.npy", "-k", 4, "--method", "kmeans", "--seed", 7, "--restarts", 2, "--max-iter", 3, "--tol", 0,
                        "--effort", "low", "--scale", "standard", "--init", "random")
    est = inkling.KMeans(4, random_state=7, n_init=2, max_iter=3, tol=0, effort="low", scale="standard", init="random").fit(X)
    assert [str(est.cluster_names_[h]) for h in est.labels_] == want
    np.save(tmp_path / "c.npy", X[:4])
    want = command_line(tmp_path / "x.npy", "-k", 4, "--method", "kmeans", "--init", tmp_path / "c.npy")
    assert [str(c) for c in inkling.KMeans(4, init=X[:4]).fit(X).labels_] == want
