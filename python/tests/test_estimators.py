"""What users do with estimators."""

import pickle

import inkling
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import sklearn
import sklearn.cluster
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

ESTIMATORS = [getattr(inkling, name) for name in inkling._estimators]
PREDICTORS = [m for m in ESTIMATORS if issubclass(m, inkling._base.Predictor)]


@pytest.mark.parametrize("make", ESTIMATORS, ids=lambda m: m.__name__)
def test_pickle_and_clone(make, blobs):
    X, y, _ = blobs
    est = make(n_clusters=3, random_state=4).fit(X, y)
    again = pickle.loads(pickle.dumps(est))
    np.testing.assert_array_equal(again.labels_, est.labels_)
    np.testing.assert_array_equal(again.confidence_, est.confidence_)
    if hasattr(est, "predict"):
        np.testing.assert_array_equal(again.predict(X), est.predict(X))
    fresh = clone(est)
    assert not hasattr(fresh, "labels_") and fresh.get_params() == est.get_params()
    np.testing.assert_array_equal(fresh.fit(X, y).labels_, est.labels_)


@pytest.mark.parametrize("make", PREDICTORS, ids=lambda m: m.__name__)
def test_pipeline_and_grid(make, blobs):
    X, y, truth = blobs
    pipe = make_pipeline(StandardScaler(), make(n_clusters=3)).fit(X, truth)
    assert pipe.predict(X).shape == (len(X),) and pipe.transform(X).shape == (len(X), 3)
    assert pipe.score(X, truth) == pytest.approx(adjusted_rand_score(truth, pipe.predict(X)))


def test_grid_search_in_processes(blobs):
    X, y, truth = blobs
    for make in (inkling.KMeans, inkling.MPCKMeans):
        grid = GridSearchCV(make(), {"n_clusters": [3, 4, 6]}, n_jobs=2, cv=3, error_score="raise").fit(X, truth)
        assert grid.best_params_["n_clusters"] == 3
        np.testing.assert_array_equal(grid.predict(X), make(3).fit(X, truth).predict(X))


@pytest.mark.parametrize("make", PREDICTORS, ids=lambda m: m.__name__)
def test_set_output(make, blobs):
    X, y, _ = blobs
    est = make(n_clusters=3).fit(X, y).set_output(transform="pandas")
    out = est.transform(X)
    assert isinstance(out, pd.DataFrame) and list(out.columns) == [f"{make.__name__.lower()}{h}" for h in range(3)]


def test_distances_and_scores(blobs):
    X, _, _ = blobs
    est = inkling.KMeans(3).fit(X)
    d = np.linalg.norm(X[:, None] - est.cluster_centers_[None], axis=2)
    np.testing.assert_allclose(est.transform(X), d, rtol=1e-9)
    np.testing.assert_array_equal(est.labels_, d.argmin(axis=1))
    assert est.score(X) == pytest.approx(-est.objective_)


def test_integer_labels_keep_their_numbers(blobs):
    X, truth = make_blobs(90, centers=3, cluster_std=0.6, random_state=4)
    known = np.arange(len(X)) % 6 == 0
    for make in (inkling.PCKMeans, inkling.COPKMeans, inkling.ConstrainedKMeans, inkling.GraphCut, inkling.CSP):
        for shift in range(3):
            classes = (truth + shift) % 3
            est = make(n_clusters=3).fit(X, np.where(known, classes, -1))
            np.testing.assert_array_equal(est.labels_, classes)
            if hasattr(est, "predict"):
                np.testing.assert_array_equal(est.predict(X), classes)
                np.testing.assert_array_equal(est.transform(X).argmin(axis=1), classes)
                means = [X[classes == h].mean(axis=0) for h in range(3)]
                np.testing.assert_allclose(est.cluster_centers_, means)
    five = inkling.COPKMeans(n_clusters=5).fit(X, np.where(known, 4 * (truth == 0) + 2 * (truth == 2), -1))
    assert (five.labels_[known & (truth == 0)] == 4).all() and (five.labels_[known & (truth == 2)] == 2).all()
    assert sorted(np.unique(five.labels_)) == [0, 1, 2, 3, 4]


def test_labels_of_any_kind(blobs):
    X, y, _ = blobs
    names = np.array(["low", "mid", "high"])
    words = np.where(y >= 0, names[y], None)
    want = inkling.PCKMeans().fit(X, words)
    assert set(want.cluster_names_) == set(names)
    for unknown in (np.nan, ""):
        given = np.where(y >= 0, names[y].astype(object), unknown)
        np.testing.assert_array_equal(inkling.PCKMeans().fit(X, given).labels_, want.labels_)
    floats = np.where(y >= 0, y, np.nan)
    np.testing.assert_array_equal(inkling.PCKMeans().fit(X, floats).labels_, inkling.PCKMeans().fit(X, y).labels_)
    with pytest.raises(ValueError, match="labels for"):
        inkling.PCKMeans().fit(X, y[:-1])


def test_links(blobs):
    X, _, truth = blobs
    must, cannot = [[0, 1], [2, 3]], [[0, 2, 2.5]]
    est = inkling.COPKMeans(3).fit(X, must_link=must, cannot_link=cannot)
    assert est.labels_[0] == est.labels_[1] and est.labels_[2] == est.labels_[3] and est.labels_[0] != est.labels_[2]
    both = inkling.COPKMeans(3, must_link=inkling.pairs(must[:1], n_rows=len(X))).fit(X, must_link=must[1:], cannot_link=cannot)
    np.testing.assert_array_equal(both.labels_, est.labels_)
    always = {"must_link": inkling.pairs(must, n_rows=len(X)), "cannot_link": inkling.pairs(cannot, n_rows=len(X))}
    in_pipeline = make_pipeline(inkling.COPKMeans(3, **always)).fit(X)
    np.testing.assert_array_equal(in_pipeline[-1].labels_, est.labels_)
    soft = inkling.PCKMeans(3, weight=1e-6).fit(X, cannot_link=[[0, j] for j in range(1, 40)])
    bad = soft.violations_
    assert list(bad.columns) == ["a", "b", "kind", "weight", "penalty", "cost"] and len(bad) > 0
    assert all(soft.labels_[a] == soft.labels_[b] for a, b in zip(bad.a, bad.b))
    believed = inkling.CSP(3).fit(X, beliefs=[[0, 1, 0.5], [0, 2, -1]])
    assert believed.labels_.shape == (len(X),)
    with pytest.raises(inkling.ConstraintError):
        inkling.COPKMeans(3).fit(X, must_link=[[0, 1]], cannot_link=[[0, 1]])
    for wrong, says in (([[0, 500]], "no such rows"), ([[0, -3]], "no such rows"), ([[0, 1, 2, 3]], "shape"), ([0, 1], "shape"), ([[0.5, 1]], "row numbers")):
        with pytest.raises(ValueError, match=says):
            inkling.COPKMeans(3).fit(X, must_link=wrong)


def test_links_by_index_labels(blobs):
    X, y, _ = blobs
    table = pd.DataFrame(X, columns=list("abcd"), index=[f"r{i}" for i in range(len(X))])
    want = inkling.COPKMeans(3).fit(X, must_link=[[0, 1]], cannot_link=[[0, 2]])
    est = inkling.COPKMeans(3).fit(table, must_link=[["r0", "r1"]], cannot_link=[["r0", "r2"]])
    np.testing.assert_array_equal(est.labels_, want.labels_)
    assert list(est.feature_names_in_) == list("abcd")
    part = inkling.COPKMeans(3, must_link=[["r0", "r1"], ["r0", "r119"]]).fit(table.iloc[:60])
    assert part.labels_[0] == part.labels_[1]
    with pytest.raises(ValueError, match="no such rows"):
        inkling.COPKMeans(3).fit(table.iloc[:60], must_link=[["r0", "r119"]])
    bad = inkling.PCKMeans(3, weight=1e-6).fit(table, cannot_link=[["r0", f"r{j}"] for j in range(1, 40)]).violations_
    assert bad.a[0] == "r0" and str(bad.b[0]).startswith("r")


def test_tables(customers):
    table, kind = customers
    y = np.where(np.arange(len(table)) % 4 == 0, kind, -1)
    est = inkling.PCKMeans().fit(table, y)
    assert adjusted_rand_score(kind, est.labels_) > 0.5
    assert {c["column"]: c["role"] for c in est.result_["plan"]}["plan"] == "category"
    assert est.n_features_in_ == 5 and list(est.feature_names_in_) == list(table.columns)
    assert est.predict(table.iloc[:20]).shape == (20,)
    np.testing.assert_array_equal(est.predict(table)[10:30], est.predict(table.iloc[10:30]))
    with pytest.raises(ValueError, match="feature names"):
        est.predict(table[["spent", "visits", "plan", "since", "city"]])
    with pytest.raises(ValueError):
        est.predict(table.drop(columns="spent"))


def test_polars(customers):
    polars = pytest.importorskip("polars")
    table, kind = customers
    y = np.where(np.arange(len(table)) % 4 == 0, kind, -1)
    other = polars.DataFrame({c: [None if pd.isna(v) else v for v in table[c]] for c in table.columns if c != "since"})
    want = inkling.MPCKMeans().fit(table.drop(columns="since"), y)
    est = inkling.MPCKMeans().fit(other, y)
    np.testing.assert_array_equal(est.labels_, want.labels_)
    np.testing.assert_array_equal(est.predict(other), want.predict(table.drop(columns="since")))


def test_sample_weight(blobs):
    X, y, _ = blobs
    est = inkling.KMeans(3).fit(X, sample_weight=np.arange(len(X)) % 3)
    for h in range(3):
        here = est.labels_ == h
        np.testing.assert_allclose(est.cluster_centers_[h], np.average(X[here], axis=0, weights=(np.arange(len(X)) % 3)[here]))
    for make in ESTIMATORS:
        one = make(n_clusters=3).fit(X, y, sample_weight=np.ones(len(X)))
        np.testing.assert_array_equal(one.labels_, make(n_clusters=3).fit(X, y).labels_)
    with pytest.raises(ValueError, match="sample_weight"):
        inkling.KMeans(3).fit(X, sample_weight=np.ones(3))
    with pytest.raises(ValueError, match="[Nn]egative"):
        inkling.KMeans(3).fit(X, sample_weight=-np.ones(len(X)))


def test_metadata_routing(blobs):
    X, _, _ = blobs
    must, cannot = [[0, 1]], [[0, 2]]
    with sklearn.config_context(enable_metadata_routing=True):
        pipe = make_pipeline(StandardScaler(), inkling.COPKMeans(3).set_fit_request(must_link=True, cannot_link=True))
        labels = pipe.fit(X, must_link=must, cannot_link=cannot)[-1].labels_
    assert labels[0] == labels[1] != labels[2]


def test_layouts_and_types(blobs):
    X, _, _ = blobs
    X = np.round(X * 8)
    want = inkling.KMeans(3).fit(X).labels_
    for same in (np.asfortranarray(X), X[::-1][::-1], X.astype(np.int64), X.astype(np.int16), X.tolist(), np.hstack([X, X])[:, :4],
                 pd.DataFrame(X), X.astype(">f8")):
        np.testing.assert_array_equal(inkling.KMeans(3).fit(same).labels_, want)
    big = np.asfortranarray(np.tile(X, (200, 1)))  # through shared memory
    np.testing.assert_array_equal(inkling.KMeans(3).fit(big).labels_, inkling.KMeans(3).fit(np.ascontiguousarray(big)).labels_)


def test_graphs(blobs):
    X, y, _ = blobs
    d = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    a = np.where(d < np.quantile(d, 0.2), np.exp(-d / d.mean()), 0)
    np.fill_diagonal(a, 0)
    for make in (inkling.GraphCut, inkling.Spectral, inkling.CSP, inkling.Inkling):
        dense = make(n_clusters=3, metric="precomputed").fit(a, y)
        sparse = make(n_clusters=3, metric="precomputed").fit(scipy.sparse.coo_array(a), y)
        np.testing.assert_array_equal(dense.labels_, sparse.labels_)
        assert not hasattr(dense, "cluster_centers_")
    with pytest.raises(ValueError, match="square"):
        inkling.GraphCut(3, metric="precomputed").fit(a[:-1])
    a[0, 1] += 1
    with pytest.raises(ValueError, match="other way"):
        inkling.GraphCut(3, metric="precomputed").fit(a)


def test_texts():
    texts = ["the cat sat on the mat", "a cat and a dog", "dogs chase cats", "stocks fell sharply today", "the market and stocks rose",
             "shares and stocks in the market"] * 4
    est = inkling.KMeans(2).fit(texts)
    assert adjusted_rand_score([0, 0, 0, 1, 1, 1] * 4, est.labels_) > 0.5
    assert est.predict(["my cat", "stocks again"]).tolist() == [est.labels_[0], est.labels_[3]]


def test_confidence_suspects_and_report(blobs, tmp_path):
    X, y, truth = blobs
    wrong = y.copy()
    wrong[0] = (y[0] + 1) % 3
    est = inkling.PCKMeans().fit(X, wrong)
    assert est.confidence_.shape == (len(X),) and ((0 <= est.confidence_) & (est.confidence_ <= 1)).all()
    assert (est.second_ != est.labels_).all()
    ranked = inkling.suspects(X, wrong, n_clusters=3)
    assert len(ranked) == (wrong >= 0).sum() and ranked.row[:3].isin([0]).any()
    assert list(est.suspects_.columns) == list(ranked.columns)
    page = est.report(tmp_path / "r.html", title="Three groups")
    assert "Three groups" in (tmp_path / "r.html").read_text() and "<iframe" in page._repr_html_()
    assert "rows" in est._repr_html_() and "PCKMeans" in est._repr_html_()
    text = est.explain(X, 0)
    assert "row" in text.lower() or "cluster" in text.lower()


def test_errors_are_in_the_words_of_python(blobs):
    X, y, _ = blobs
    with pytest.raises(ValueError, match="'init' parameter of KMeans must be .*'random'.* Got 'randm'"):
        inkling.KMeans(3, init="randm").fit(X)
    with pytest.raises(ValueError, match="'effort' parameter of KMeans must be"):
        inkling.KMeans(3, effort="lots").fit(X)
    with pytest.raises(ValueError, match="n_samples=5 should be >= n_clusters=9"):
        inkling.KMeans(9).fit(X[:5])
    with pytest.warns(inkling.InklingWarning, match="n_clusters=2 is below the 3 classes of y"):
        assert inkling.COPKMeans(2).fit(X, y).n_clusters_ == 2


def test_questions(blobs):
    X, _, truth = blobs
    questions = inkling.ask(X, n_clusters=3, budget=12)
    asked = []
    for q in questions:
        asked.append((q.a, q.b))
        q.answer("same" if truth[q.a] == truth[q.b] else "different")
    assert len(asked) == 12 and len(set(asked)) == 12
    assert len(questions.must_link) + len(questions.cannot_link) == 12
    est = inkling.MPCKMeans(3).fit(X, must_link=questions.must_link, cannot_link=questions.cannot_link)
    assert est.labels_.shape == (len(X),)
    questions.undo()
    assert len(questions.answers) == 11 and questions.next() is not None


def test_questions_at_the_prompt(customers):
    table, kind = customers
    lines, keys = [], iter("ynpsxuf")
    q = inkling.ask(table, n_clusters=3).run(read=lambda _: next(keys), write=lines.append)
    assert [w for _, _, w in q.answers] == ["same", "skip", "unsure"]
    assert any("plan" in line for line in lines)


def test_questions_survive_the_engine(blobs):
    import os
    import signal

    X, _, truth = blobs
    questions, others = inkling.ask(X, n_clusters=3, budget=8), inkling.ask(X, n_clusters=3, budget=8)
    for i, q in enumerate(questions):
        if i == 3:
            os.kill(inkling.engine_pid(), signal.SIGTERM)
        q.answer("same" if truth[q.a] == truth[q.b] else "different")
    for q in others:
        q.answer("same" if truth[q.a] == truth[q.b] else "different")
    assert questions.answers == others.answers


@pytest.mark.parametrize("tol", [0, 1e-7, 1e-4, 1e-3, 1e-2, 0.1, 1])
def test_tolerance_is_that_of_scikit_learn(tol):
    """From the same centres runs end after as many iterations as scikit-learn's, in the same clusters."""
    X, _ = make_blobs(3000, centers=6, n_features=4, cluster_std=4.0, random_state=3)
    want = sklearn.cluster.KMeans(6, init=X[:6], n_init=1, tol=tol).fit(X)
    got = inkling.KMeans(6, init=X[:6], n_init=1, tol=tol).fit(X)
    assert got.n_iter_ == want.n_iter_
    np.testing.assert_array_equal(got.labels_, want.labels_)
    np.testing.assert_allclose(got.cluster_centers_, want.cluster_centers_, rtol=1e-12)
