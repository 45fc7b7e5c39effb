"""Rows that come in parts."""

import inkling
import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

X, TRUTH = make_blobs(1500, n_features=5, centers=4, random_state=7)
PARTS = [slice(i, i + 250) for i in range(0, 1500, 250)]
ESTIMATORS = [inkling.KMeans, inkling.SphericalKMeans, inkling.SeededKMeans, inkling.ConstrainedKMeans, inkling.COPKMeans, inkling.PCKMeans]


def streamed(make, y=None, rows=X, **params):
    model = make(4, **params)
    for part in PARTS:
        model.partial_fit(rows[part], None if y is None else y[part])
    return model


@pytest.mark.parametrize("make", ESTIMATORS, ids=lambda m: m.__name__)
def test_parts_give_the_clusters_of_the_whole(make):
    y = np.array(["a", "b", "c", "d"], dtype=object)[TRUTH]
    y[np.arange(len(y)) % 5 != 0] = None
    model = streamed(make, y if model_uses_labels(make) else None)
    assert adjusted_rand_score(TRUTH, model.predict(X)) > 0.95
    if model_uses_labels(make):
        assert (model.cluster_names_[model.predict(X)] == np.array(["a", "b", "c", "d"])[TRUTH]).mean() > 0.95


def model_uses_labels(make):
    return "labels" in make._uses


def test_centres_are_means_of_all_rows():
    model = streamed(inkling.KMeans)
    joined = inkling.KMeans(4).partial_fit(X[PARTS[0]])
    sums, count = joined.cluster_centers_ * joined._count_of[:, None], joined._count_of.copy()
    for part in PARTS[1:]:
        centres = sums / count[:, None]
        near = np.argmin(((X[part][:, None] - centres) ** 2).sum(axis=2), axis=1)
        for h in range(4):
            sums[h] += X[part][near == h].sum(axis=0)
        count += np.bincount(near, minlength=4)
    np.testing.assert_allclose(model.cluster_centers_, sums / count[:, None], rtol=1e-9)
    assert model._count_of.sum() == len(X)


def test_same_bits():
    a, b = streamed(inkling.KMeans, n_jobs=1), streamed(inkling.KMeans, n_jobs=2)
    np.testing.assert_array_equal(a.cluster_centers_, b.cluster_centers_)
    sparse = streamed(inkling.KMeans, rows=scipy.sparse.csr_array(X))
    np.testing.assert_allclose(sparse.cluster_centers_, a.cluster_centers_, rtol=1e-6)


def test_pairs_of_a_part_hold():
    model = inkling.COPKMeans(4).partial_fit(X[PARTS[0]])
    far = [[0, int(np.flatnonzero(TRUTH[PARTS[1]] != TRUTH[250])[0])]]
    model.partial_fit(X[PARTS[1]], must_link=far)
    assert model.labels_[far[0][0]] == model.labels_[far[0][1]]


def test_what_is_refused():
    model = inkling.KMeans(4).partial_fit(X[PARTS[0]])
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:10, :2])
    named = inkling.SeededKMeans(2).partial_fit(X[:100], np.where(TRUTH[:100] < 2, TRUTH[:100], -1))
    with pytest.raises(ValueError, match="all 2 clusters have names"):
        named.partial_fit(X[100:200], np.full(100, 3))
