"""Pairs under cross-validation: they constrain the rows that they were made for, or are refused."""

import pickle
import warnings

import inkling
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit, cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

N = 90


@pytest.fixture(scope="module")
def cloud():
    """One cloud without clusters, and pairs that no clustering satisfies by chance: far rows together, near ones apart."""
    rng = np.random.default_rng(4)
    X = rng.normal(size=(N, 3))
    order = np.argsort(X[:, 0])
    must = np.column_stack([order[:12], order[::-1][:12]])
    names = np.array([f"row {i}" for i in rng.permutation(1000)[:N]])
    return X, must, names


class Counting(inkling.COPKMeans):
    """Counts, in each fit, the pairs between rows that the part has, and those that are satisfied."""

    seen: list = []  # noqa: RUF012

    def fit(self, X, y=None, *, row_ids=None):
        super().fit(X, y, row_ids=row_ids)
        ids = X.index if hasattr(X, "index") else row_ids if row_ids is not None else X.row_ids
        at = {name: i for i, name in enumerate(list(ids))}
        both = [(at[a], at[b]) for a, b in self.must_link if a in at and b in at]
        type(self).seen.append((len(both), sum(self.labels_[i] == self.labels_[j] for i, j in both)))
        return self


SPLITTERS = [KFold(5), KFold(5, shuffle=True, random_state=0), ShuffleSplit(4, random_state=1)]


@pytest.mark.parametrize("cv", SPLITTERS, ids=str)
@pytest.mark.parametrize("form", ["frame", "named frame", "with_ids", "row_ids"])
def test_pairs_stay_with_their_rows(cloud, cv, form):
    X, must, names = cloud
    Counting.seen = []
    given, params = X, {}
    pairs = [[names[a], names[b]] for a, b in must]
    if form == "frame":
        given, pairs = pd.DataFrame(X), must.tolist()
    elif form == "named frame":
        given = pd.DataFrame(X, index=names)
    elif form == "with_ids":
        given = inkling.with_ids(X, names)
    else:
        params = {"row_ids": names}
    with sklearn.config_context(enable_metadata_routing=bool(params)):
        model = Counting(3, must_link=pairs)
        if params:
            model.set_fit_request(row_ids=True)
        cross_val_score(model, given, cv=cv, params=params, error_score="raise", scoring=lambda m, X, y=None: 0.0)
    counts = np.array(Counting.seen)
    assert len(counts) == cv.get_n_splits()
    assert (counts[:, 0] > 0).all() and (counts[:, 0] == counts[:, 1]).all(), counts


@pytest.mark.parametrize("cv", SPLITTERS, ids=str)
def test_pairs_by_number_are_refused_after_a_split(cloud, cv):
    X, must, _ = cloud
    for pairs, words in ((must, "inkling.with_ids"), (inkling.pairs(must, n_rows=N), f"array of {N} rows")):
        with pytest.raises(ValueError, match=words):
            cross_val_score(inkling.COPKMeans(3, must_link=pairs), X, cv=cv, error_score="raise")


def test_pairs_for_an_array_of_this_size(cloud):
    X, must, _ = cloud
    pairs = inkling.pairs(must, n_rows=N)
    model = make_pipeline(StandardScaler(), inkling.COPKMeans(3, must_link=pickle.loads(pickle.dumps(pairs)))).fit(X)[-1]
    assert (model.labels_[must[:, 0]] == model.labels_[must[:, 1]]).all()
    with pytest.raises(ValueError, match="constructor"):
        inkling.COPKMeans(3, must_link=must).fit(X)
    table = pd.DataFrame(X, index=np.arange(N) + 500)
    pipe = make_pipeline(StandardScaler(), inkling.COPKMeans(3, must_link=must + 500))
    with pytest.raises(ValueError, match="set_output"):  # the scaler takes the index away
        pipe.fit(table)
    labels = pipe.set_output(transform="pandas").fit(table)[-1].labels_
    assert (labels[must[:, 0]] == labels[must[:, 1]]).all()


def test_grid_search_keeps_pairs(cloud):
    X, must, names = cloud
    Counting.seen = []
    pairs = [[names[a], names[b]] for a, b in must]
    search = GridSearchCV(Counting(3, must_link=pairs), {"n_clusters": [2, 3]}, cv=3, error_score="raise")
    search.fit(inkling.with_ids(X, names))
    assert all(both == kept for both, kept in Counting.seen) and max(both for both, _ in Counting.seen) == len(must)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_fewer_clusters_than_classes_score_low(blobs):
    X, y, _ = blobs
    with pytest.warns(inkling.InklingWarning, match="below the 3 classes"):
        search = GridSearchCV(inkling.SeededKMeans(), {"n_clusters": [2, 3]}, cv=3).fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all() and scores[0] < scores[1] and search.best_params_ == {"n_clusters": 3}


def test_ids_stay_with_rows(cloud):
    X, _, names = cloud
    named = inkling.with_ids(X, names)
    a, b = train_test_split(named, random_state=0)
    for part in (a, b):
        for row, name in zip(np.asarray(part), part.row_ids):
            np.testing.assert_array_equal(row, X[list(names).index(name)])
    np.testing.assert_array_equal(named[3:9, 1:].row_ids, names[3:9])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(named)).row_ids, names)
    assert getattr(named * 2, "row_ids", None) is None and named[3].shape == (3,)
    with pytest.raises(TypeError, match="set_axis"):
        inkling.with_ids(pd.DataFrame(X), names)
    for wrong, words in ((names[:5], "one for each"), (["a"] * N, "different")):
        with pytest.raises(ValueError, match=words):
            inkling.with_ids(X, wrong)


def test_pair_k_fold(cloud):
    X, must, names = cloud
    pairs = [[names[a], names[b]] for a, b in must]
    cv = inkling.PairKFold(4, must_link=pairs, cannot_link=[[names[0], names[1]]])
    tested = []
    for train, test in cv.split(inkling.with_ids(X, names)):
        assert len(np.intersect1d(train, test)) == 0 and len(train) + len(test) == N
        assert abs(len(test) - N / 4) <= 3
        inside = np.isin(must, test)
        assert (inside[:, 0] == inside[:, 1]).all()
        tested.extend(test)
    assert sorted(tested) == list(range(N))
    assert np.isfinite(cross_val_score(inkling.PCKMeans(3, must_link=pairs), inkling.with_ids(X, names), cv=cv)).all()
    with pytest.raises(ValueError, match="too few"):
        next(inkling.PairKFold(2, must_link=[[0, 1], [1, 2]]).split(np.zeros((3, 1))))
    with pytest.raises(ValueError, match="n_splits"):
        next(inkling.PairKFold(1).split(X))


def test_pairs_of_other_forms(cloud):
    """Sets, iterators and names that are tuples, of an index with levels."""
    X, must, _ = cloud
    wanted = inkling.COPKMeans(3).fit(X, must_link=must).labels_
    pairs = [tuple(p) for p in must.tolist()]
    np.testing.assert_array_equal(inkling.COPKMeans(3).fit(X, must_link=zip(*must.T)).labels_, wanted)
    for form in (set(pairs), tuple(pairs)):
        labels = inkling.COPKMeans(3).fit(X, must_link=form).labels_
        assert (labels[must[:, 0]] == labels[must[:, 1]]).all()
    table = pd.DataFrame(X, index=pd.MultiIndex.from_arrays([np.arange(N) % 2, np.arange(N)]))
    labels = inkling.COPKMeans(3).fit(table, must_link=[[(a % 2, a), (b % 2, b)] for a, b in pairs]).labels_
    assert (labels[must[:, 0]] == labels[must[:, 1]]).all()
    with pytest.raises(ValueError, match="third column of must_link"):
        inkling.PCKMeans(3).fit(X, must_link=[[0, 1, "x"]])


def test_texts_with_an_index():
    """Texts of a Series are named by its index, as rows of a DataFrame are."""
    texts = pd.Series(["cat dog", "dog cat puppy", "stock market", "market price stock"] * 3, index=range(50, 62))
    labels = inkling.COPKMeans(2).fit(texts, must_link=[[50, 52], [51, 53]]).labels_
    assert labels[0] == labels[2] and labels[1] == labels[3]
    with pytest.raises(ValueError, match="no such rows"):
        inkling.COPKMeans(2).fit(texts, must_link=[[0, 2]])


def test_links_that_are_not_used_are_said(cloud):
    X, must, names = cloud
    with pytest.warns(inkling.InklingWarning, match="KMeans does not use must_link"):
        inkling.KMeans(3).fit(X, must_link=must)
    with pytest.warns(inkling.InklingWarning, match="COPKMeans does not use beliefs"):
        inkling.COPKMeans(3).fit(X, beliefs=[[0, 1, 0.5]])
    pairs = [[names[a], names[b]] for a, b in must]
    with pytest.warns(inkling.InklingWarning, match="name no row of X"):  # the index was forgotten
        inkling.PCKMeans(3, must_link=pairs).fit(pd.DataFrame(X))
    with warnings.catch_warnings():
        warnings.simplefilter("error", inkling.InklingWarning)
        inkling.PCKMeans(3, must_link=pairs).fit(pd.DataFrame(X, index=names), cannot_link=[[names[0], names[1]]])


def test_pairs_of_metric_learn():
    must, cannot = inkling.pairs([[0, 1], [2, 3], [4, 5]], [1, -1, 1])
    assert must.tolist() == [[0, 1], [4, 5]] and cannot.tolist() == [[2, 3]]
    for args, words in ((([[0, 1]], [2]), "1 .* or -1"), (([[0, 1]], [1, 1]), "one for each"), ((np.zeros((2, 2, 3)), [1, 1]), "points")):
        with pytest.raises(ValueError, match=words):
            inkling.pairs(*args)


def test_two_arrays_of_ends(cloud):
    X, must, _ = cloud
    with pytest.raises(ValueError, match="column_stack"):
        inkling.COPKMeans(3).fit(X, must_link=(must[:, 0], must[:, 1]))
