"""DensityClusterer, in the place of HDBSCAN."""

import inkling
import numpy as np
import pytest
from sklearn.cluster import HDBSCAN
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV

X, TRUTH = make_moons(300, noise=0.06, random_state=0)
FAR = np.vstack([X, [[40.0, 40.0], [-30.0, 8.0]]])


def test_finds_the_number_and_leaves_noise():
    model = inkling.DensityClusterer().fit(FAR)
    assert model.n_clusters_ == 2 and list(model.labels_[-2:]) == [-1, -1]
    assert adjusted_rand_score(TRUTH, model.labels_[:-2]) > 0.98
    assert ((model.probabilities_ > 0) == (model.labels_ >= 0)).all() and model.probabilities_.max() == 1
    assert model.outlier_scores_[-2:].min() > 0.9 and model.outlier_scores_.max() <= 1
    np.testing.assert_array_equal(model.predict(FAR), model.labels_)
    assert list(model.predict([[100.0, 0.0]])) == [-1]
    joined = inkling.DensityClusterer(noise="join").fit(FAR)
    assert (joined.labels_ >= 0).all() and joined.n_clusters_ == 2


@pytest.mark.parametrize("min_samples", [4, 9])
def test_same_clusters_as_scikit_learn(min_samples):
    rows, _ = make_blobs(400, centers=4, n_features=3, cluster_std=[0.5, 1, 1.5, 0.8], random_state=3)
    ours = inkling.DensityClusterer(min_cluster_size=12, min_samples=min_samples).fit(rows)
    theirs = HDBSCAN(min_cluster_size=12, min_samples=min_samples + 1, copy=True).fit(rows)  # which counts the row itself
    assert adjusted_rand_score(theirs.labels_, ours.labels_) > 0.99
    assert abs(theirs.probabilities_ - ours.probabilities_).mean() < 0.01


def test_exactly_so_many_clusters():
    for k in (2, 3, 5):
        assert inkling.DensityClusterer(k).fit(X).n_clusters_ == k
    with pytest.raises(inkling.OptionError, match="only"):
        inkling.DensityClusterer(200).fit(X)


def test_labels_are_never_noise_and_links_count():
    y = np.full(len(FAR), -1)
    y[[0, 5, 9]], y[-2:] = [0, 1, 0], [0, 2]
    model = inkling.DensityClusterer().fit(FAR, y)
    known = y >= 0
    np.testing.assert_array_equal(model.labels_[known], y[known])
    assert len(model.misplaced_) == 0
    linked = inkling.DensityClusterer().fit(FAR, must_link=[[0, 300]], cannot_link=[[1, 301]])
    assert linked.labels_[300] == linked.labels_[0] and len(linked.violations_) == 0


def test_no_cluster_at_all():
    model = inkling.DensityClusterer(min_cluster_size=50).fit(np.random.default_rng(0).random((60, 2)))
    assert model.n_clusters_ == 0 and set(model.labels_) == {-1} and set(model.predict(X[:, :2])) == {-1}
    assert model.probabilities_.sum() == 0 and len(model.outlier_scores_) == 60


def test_grid_search():
    grid = GridSearchCV(inkling.DensityClusterer(), {"min_cluster_size": [5, 20]}, scoring="adjusted_rand_score", cv=3).fit(X, TRUTH)
    assert grid.best_score_ > 0.9
