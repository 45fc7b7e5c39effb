"""What a fit found is there after pickling, other fits and another engine."""

import os
import pickle
import signal

import inkling
import joblib
import numpy as np
import pytest
from inkling import _base


@pytest.fixture(scope="module")
def fitted(blobs):
    X, y, _ = blobs
    y = y.copy()
    y[6] = (y[6] + 1) % 3  # a wrong label
    return inkling.PCKMeans(3, random_state=2).fit(X, y, cannot_link=[[0, 6]]), X


def everything(model, X):
    return (
        model.labels_.tolist(), model.confidence_.tolist(), model.second_.tolist(), model.suspects_.to_dict(), model.violations_.to_dict(),
        model.report(title="x").html, model.explain(X, 6),
    )


def test_after_pickling(fitted, tmp_path):
    model, X = fitted
    again = pickle.loads(pickle.dumps(model))
    joblib.dump(model, tmp_path / "model")
    wanted = everything(model, X)
    assert everything(again, X) == wanted
    assert everything(joblib.load(tmp_path / "model"), X) == wanted


def test_after_a_hundred_other_fits(fitted):
    model, X = fitted
    wanted = everything(model, X)
    model._suspected = model._details = None
    for seed in range(100):
        inkling.KMeans(2, random_state=seed, n_init=1).fit(X[:20])
    assert everything(model, X) == wanted


@pytest.mark.skipif(os.name == "nt", reason="kills by a signal")
def test_after_the_engine_was_killed(fitted):
    model, X = fitted
    wanted = everything(model, X)
    model._suspected = model._details = None
    os.kill(inkling.engine_pid(), signal.SIGKILL)
    assert everything(model, X) == wanted


def test_large_data_are_carried_on_request(blobs, monkeypatch):
    X, y, _ = blobs
    monkeypatch.setattr(_base, "_CARRIED", 100)
    lost = pickle.loads(pickle.dumps(inkling.PCKMeans(3).fit(X, y)))
    assert lost.confidence_.shape == (len(X),)  # computed by the fit
    with pytest.raises(inkling.NoLongerKept, match='keep="all"'):
        lost.report()
    for keep, works in (("all", True), ("none", False)):
        model = pickle.loads(pickle.dumps(inkling.PCKMeans(3, keep=keep).fit(X, y)))
        if works:
            assert model.report().html
        else:
            with pytest.raises(inkling.NoLongerKept):
                model.report()


def test_changed_data_are_noticed(blobs):
    X = blobs[0].copy()
    model = pickle.loads(pickle.dumps(inkling.KMeans(3).fit(X)))
    model._given.X[:] = np.random.default_rng(0).normal(size=X.shape)
    with pytest.raises(inkling.NoLongerKept, match="changed"):
        model.report()


def test_many_rows(monkeypatch):
    """Confidences of many rows are computed when they are asked for, after pickling too."""
    X = np.random.default_rng(1).normal(size=(3000, 3))
    model = inkling.KMeans(4).fit(X)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.confidence_, model.confidence_)
