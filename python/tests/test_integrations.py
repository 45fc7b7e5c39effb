"""Together with the libraries that people use. Each is skipped where it is not installed."""

import inkling
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

X, TRUTH = make_blobs(240, n_features=4, centers=3, random_state=11)


def test_bertopic_keeps_labels_together():
    bertopic = pytest.importorskip("bertopic", reason="BERTopic is not installed")
    pytest.importorskip("hdbscan", reason="hdbscan is not installed, which BERTopic.transform needs")
    from bertopic.dimensionality import BaseDimensionalityReduction

    topics = ["goal match team striker league", "bread oven flour yeast crust", "planet orbit star comet moon"]
    rng = np.random.default_rng(0)
    docs = [" ".join(rng.choice(topics[t].split(), 6)) for t in TRUTH]
    y = np.full(len(docs), -1)
    known = rng.choice(len(docs), 30, replace=False)
    y[known] = TRUTH[known]
    model = bertopic.BERTopic(hdbscan_model=inkling.ConstrainedKMeans(3), umap_model=BaseDimensionalityReduction(), calculate_probabilities=False)
    found, _ = model.fit_transform(docs, embeddings=X, y=y)
    found = np.array(found)
    for c in range(3):
        assert len(set(found[known[y[known] == c]])) == 1  # labels of one class are one topic
    assert len(set(found[known])) == 3 and adjusted_rand_score(TRUTH, found) > 0.95
    again, _ = model.transform(docs[:5], embeddings=X[:5])
    assert list(again) == list(found[:5])
    assert any(word in topics[TRUTH[0]] for word, _ in model.get_topic(found[0]))


def test_bertopic_finds_topics_by_density():
    bertopic = pytest.importorskip("bertopic", reason="BERTopic is not installed")
    pytest.importorskip("hdbscan", reason="hdbscan is not installed, which BERTopic.transform needs")
    from bertopic.dimensionality import BaseDimensionalityReduction

    topics = ["goal match team striker league", "bread oven flour yeast crust", "planet orbit star comet moon"]
    rng = np.random.default_rng(0)
    docs = [" ".join(rng.choice(topics[t].split(), 6)) for t in TRUTH]
    model = bertopic.BERTopic(hdbscan_model=inkling.DensityClusterer(min_cluster_size=15), umap_model=BaseDimensionalityReduction())
    found, probabilities = model.fit_transform(docs, embeddings=X)
    found = np.array(found)
    placed = found >= 0
    assert placed.mean() > 0.8 and set(found[placed]) == {0, 1, 2} and adjusted_rand_score(TRUTH[placed], found[placed]) > 0.95
    assert probabilities is None or np.asarray(probabilities).shape[0] == len(docs)
    again, _ = model.transform(docs[:9], embeddings=X[:9])
    assert list(again) == list(found[:9])


def test_polars():
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({f"x{j}": X[:, j] for j in range(4)})
    np.testing.assert_array_equal(inkling.KMeans(3).fit(table).labels_, inkling.KMeans(3).fit(X).labels_)
    texts = ["cat dog", "dog cat puppy", "stock market", "market price stock"] * 5
    np.testing.assert_array_equal(inkling.KMeans(2).fit(polars.Series(texts)).labels_, inkling.KMeans(2).fit(texts).labels_)
    with pytest.raises(TypeError, match="collect"):
        inkling.KMeans(3).fit(table.lazy())


def test_pyarrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({f"x{j}": X[:, j] for j in range(4)})
    np.testing.assert_array_equal(inkling.KMeans(3).fit(table).labels_, inkling.KMeans(3).fit(X).labels_)
    texts = ["cat dog", "dog cat puppy", "stock market", "market price stock"] * 5
    np.testing.assert_array_equal(inkling.KMeans(2).fit(pyarrow.array(texts)).labels_, inkling.KMeans(2).fit(texts).labels_)


def test_dask_blocks():
    array = pytest.importorskip("dask.array")
    blocks = array.from_array(X, chunks=(60, 4))
    np.testing.assert_array_equal(inkling.KMeans(3).fit(blocks).labels_, inkling.KMeans(3).fit(X).labels_)
    model = inkling.KMeans(3)
    for block in blocks.blocks:
        model.partial_fit(block)
    assert adjusted_rand_score(TRUTH, model.predict(X)) == 1
    np.testing.assert_array_equal(blocks.map_blocks(model.predict, drop_axis=1, dtype=np.int32).compute(), model.predict(X))


def test_imbalanced_learn():
    pipeline = pytest.importorskip("imblearn.pipeline")
    from imblearn.over_sampling import RandomOverSampler

    few = np.concatenate([np.flatnonzero(TRUTH == c)[: 10 + 20 * c] for c in range(3)])
    model = pipeline.make_pipeline(RandomOverSampler(random_state=0), StandardScaler(), inkling.SeededKMeans(3)).fit(X[few], TRUTH[few])
    assert adjusted_rand_score(TRUTH, model.predict(X)) == 1


def test_metric_learn():
    supervised = pytest.importorskip("metric_learn")
    rng = np.random.default_rng(3)
    rows = rng.integers(0, len(X), (60, 2))
    rows = rows[rows[:, 0] != rows[:, 1]]
    y = np.where(TRUTH[rows[:, 0]] == TRUTH[rows[:, 1]], 1, -1)
    must_link, cannot_link = inkling.pairs(rows, y)
    try:
        rescaled = supervised.MMC(preprocessor=X, init="identity", max_iter=5).fit(rows, y).transform(X)
    except TypeError as e:  # metric-learn 0.7.0 calls scikit-learn by an argument that it no longer has
        assert "force_all_finite" in str(e)
        rescaled = X
    model = inkling.COPKMeans(3).fit(rescaled, must_link=must_link, cannot_link=cannot_link)
    assert (model.labels_[must_link[:, 0]] == model.labels_[must_link[:, 1]]).all()
    assert (model.labels_[cannot_link[:, 0]] != model.labels_[cannot_link[:, 1]]).all()


def test_pipelines_with_frames():
    table = pd.DataFrame(X, columns=list("abcd"), index=[f"r{i}" for i in range(len(X))])
    pipe = make_pipeline(StandardScaler(), inkling.COPKMeans(3, must_link=[["r0", "r1"]])).set_output(transform="pandas")
    out = pipe.fit_transform(table)
    assert list(out.index) == list(table.index) and out.shape == (len(X), 3)
    labels = pipe[-1].labels_
    assert labels[0] == labels[1]
