"""Errors, progress, charts and documentation, as users of Python meet them."""

import doctest
import importlib
import pathlib
import pkgutil
import re
import subprocess
import sys

import inkling
import numpy as np
import pandas as pd
import pytest
from inkling import _errors


@pytest.mark.parametrize("params", [{"n_clusters": 2.5}, {"n_clusters": True}, {"n_clusters": 0}, {"n_init": 0}, {"tol": -1}, {"tol": float("nan")},
                                    {"max_iter": 0}, {"n_jobs": 1.5}, {"effort": "much"}, {"timeout": 0}, {"keep": "some"}, {"random_state": "x"}])
@pytest.mark.parametrize("make", [inkling.KMeans, inkling.PCKMeans, inkling.Inkling], ids=lambda m: m.__name__)
def test_parameters_are_checked(make, params, blobs):
    with pytest.raises((ValueError, TypeError), match=next(iter(params))) as e:
        make(**params).fit(blobs[0])
    assert not re.search(r"json|struct|--|/proc|inkling-|map\[", str(e.value))


@pytest.mark.parametrize("fit", [
    lambda: inkling.PCKMeans(2).fit(pd.DataFrame({"a": ["x", "y", "z"], "b": ["1", "2", "three"]})),
    lambda: inkling.COPKMeans(2).fit(np.eye(4), must_link=[[0, 1]], cannot_link=[[0, 1]]),
    lambda: inkling.PCKMeans(2, init="nowhere").fit(np.eye(4)),
    lambda: inkling.MPCKMeans(2, weight=-3).fit(np.eye(4)),
    lambda: inkling.KMeans(3, init=np.eye(2)).fit(np.eye(4)),
    lambda: inkling.PCKMeans(2).fit(np.eye(4), must_link=[["a", "b"]]),
])
def test_errors_are_in_the_words_of_python(fit):
    with pytest.raises(Exception) as e:
        fit()
    assert not re.search(r"\bjson\b|struct|(^|\s)--?[a-z]|/proc/|inkling-\w|map\[|\.csv", str(e.value)), str(e.value)


def test_paths_and_flags_are_translated():
    assert _errors.python_words("/var/inkling-ab12_x.csv:3:4: use --number a or -k 3") == "X:3:4: use number a or n_clusters 3"
    assert _errors.python_words("/proc/12/fd/9: too short, -3 is no weight") == "X: too short, -3 is no weight"


def test_rows_have_their_names(blobs):
    """Errors, explanations and reports call rows as the index does, whatever form the table has; the clusters are the same."""
    X, y, _ = blobs
    plain = pd.DataFrame(X, columns=list("abcd"))
    mixed = plain.assign(kind=np.where(X[:, 0] > 0, "high", "low"))
    for table in (plain, mixed):
        named = table.set_axis([f"c{i}" for i in range(len(X))])
        with pytest.raises(inkling.ConstraintError, match="c3 and c4 cannot be together, yet c3 = c4"):
            inkling.COPKMeans(3).fit(named, must_link=[["c3", "c4"]], cannot_link=[["c3", "c4"]])
        model = inkling.PCKMeans(3).fit(named, y)
        np.testing.assert_array_equal(model.labels_, inkling.PCKMeans(3).fit(table, y).labels_)
        assert model.explain(named, "c5").startswith("c5 is in")
    with pytest.raises(inkling.ConstraintError, match="r3 and r4"):
        inkling.COPKMeans(3).fit(X, row_ids=[f"r{i}" for i in range(len(X))], must_link=[["r3", "r4"]], cannot_link=[["r3", "r4"]])


def test_hints_name_what_there_is_in_python():
    assert _errors.words("a; {method=pc-kmeans} weighs; {best-effort} keeps") == "a; PCKMeans weighs"
    assert _errors.words("left out ({strict} refuses, `inkling check` explains)") == "left out"
    assert _errors.words("method kmeans: few labels ({method} chooses another)") == "method kmeans: few labels"
    assert _errors.words("groups ({method=density} shows them); `inkling check` lists them") == "groups (DensityClusterer shows them); inkling.suspects lists them"
    assert _errors.words("too far; use {scale=none}, {k} or {{x}}") == 'too far; use scale="none", n_clusters or {x}'
    error = _errors.error_of({"kind": "time", "message": "too late", "hint": "allow more time by {timeout}; {best-effort} keeps"})
    assert str(error) == "too late; allow more time by timeout"
    table = pd.DataFrame({"a": [1.0, 2, 8, 9]})
    with pytest.raises(inkling.InputError, match=r"is missing; fill the cell$"):
        inkling.KMeans(2).fit(table).predict(pd.DataFrame({"a": [1.0, None]}))
    with pytest.raises(inkling.InputError, match="not the other way round") as e:
        inkling.GraphCut(2, metric="precomputed").fit(np.triu(np.ones((4, 4))))
    assert "NewGraph" not in str(e.value)


@pytest.mark.parametrize("X, words", [
    ("customers.csv", "read the file"),
    (pathlib.Path("customers.csv"), "read the file"),
    ([{"a": 1.0}, {"a": 2.0}], "DataFrame"),
    (np.zeros(3, dtype=[("a", float)]), "DataFrame"),
    (["cat", None, "dog"], "without one, the first is row 1"),
    (pd.Series(["cat", None, "dog"], dtype="string"), "without one, the first is row 1"),
    (np.ma.masked_greater(np.eye(4), 0.5), "NaN"),
])
def test_what_is_not_rows_is_refused(X, words):
    with pytest.raises((TypeError, ValueError), match=words):
        inkling.Inkling(2).fit(X)


@pytest.mark.parametrize("X, words", [
    (pd.DataFrame(np.eye(4), columns=list("abca")), "a more than once"),
    (pd.DataFrame(np.eye(4), columns=pd.MultiIndex.from_product([["x", "y"], [1, 2]])), "MultiIndex"),
])
def test_tables_that_are_refused(X, words):
    with pytest.raises(ValueError, match=words):
        inkling.KMeans(2).fit(X)


def test_progress(capsys, blobs):
    steps = []
    inkling.PCKMeans(3, verbose=lambda text, share: steps.append((text, share))).fit(blobs[0])
    assert steps and all(isinstance(t, str) and 0 <= s <= 1 for t, s in steps)
    assert [s for _, s in steps] == sorted(s for _, s in steps)
    inkling.PCKMeans(3, verbose=1).fit(blobs[0])
    assert "PCKMeans" in capsys.readouterr().err
    inkling.PCKMeans(3).fit(blobs[0])
    assert capsys.readouterr().err == ""


def test_progress_without_tqdm(capsys, blobs, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
    inkling.PCKMeans(3, verbose=1).fit(blobs[0])
    assert re.search(r"\[PCKMeans\] .* \(\d+%\)", capsys.readouterr().err)


def test_many_clusters_can_be_told_apart():
    pytest.importorskip("matplotlib").use("Agg")
    X = np.random.default_rng(0).normal(size=(300, 2))
    ax = inkling.plot_clusters(inkling.KMeans(25).fit(X), X)
    drawn = [c for c in ax.collections if len(c.get_offsets())]
    assert len({(*c.get_facecolor()[0][:3], c.get_paths()[0].vertices.round(3).tobytes()) for c in drawn}) == len(drawn) == 25
    legend = ax.get_legend()
    assert len(legend.get_texts()) == 20 and all(h.get_facecolor()[0][3] == 1 for h in legend.legend_handles)
    assert "20 largest" in ax.get_title()


def test_charts(blobs):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    X, y, _ = blobs
    model = inkling.PCKMeans(3, weight=1e-6).fit(X, y, cannot_link=[[0, j] for j in range(1, 20)])
    for ax in (inkling.plot_clusters(model, X), inkling.plot_violations(model, X), inkling.plot_suspects(model), inkling.plot_tree(model)):
        assert ax.get_title() and ax.has_data() or "No constraint" in ax.get_title()
        ax.figure.canvas.draw()
    assert len(inkling.plot_violations(model, X).lines) == len(model.violations_) > 0
    near = int(np.flatnonzero(model.labels_ == model.labels_[0])[1])
    one = inkling.PCKMeans(3, weight=1e-6).fit(X, cannot_link=[[0, near]])
    assert inkling.plot_violations(one, X).get_title() == "1 link and 0 labels violated"
    with pytest.raises(ValueError, match="rows of the fit"):
        inkling.plot_clusters(model, X[:5])


def test_suspects_name_rows_by_whole_numbers():
    """Labels have a row and links have two: beside one another, the numbers of neither become fractions."""
    pytest.importorskip("matplotlib").use("Agg")
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=150)
    X = rng.normal(size=(150, 2)) + 20 * truth[:, None] * [1, -1]
    y = np.where(np.arange(150) % 5 == 0, truth, -1)
    wrong = y.copy()
    known, free = int(np.flatnonzero(y >= 0)[0]), np.flatnonzero(y < 0).tolist()
    wrong[known] = (y[known] + 1) % 3
    pairs = list(zip(free[::2], free[1::2]))
    links = {True: [p for p in pairs if truth[p[0]] == truth[p[1]]], False: [p for p in pairs if truth[p[0]] != truth[p[1]]]}
    a, b = links[False].pop()
    model = inkling.PCKMeans(3).fit(X, wrong, must_link=[*links[True], (a, b)], cannot_link=links[False])
    assert set(model.suspects_.kind) == {"label", "must"}
    assert {known, a, b} <= {v for name in ("row", "a", "b") for v in model.suspects_[name].dropna().tolist()}
    for name in ("row", "a", "b"):
        assert all(isinstance(v, int) for v in model.suspects_[name].dropna().tolist())
    assert f"{known}: {wrong[known]}" in [label.get_text() for label in inkling.plot_suspects(model).get_yticklabels()]


@pytest.mark.parametrize("module", [m.name for m in pkgutil.iter_modules(inkling.__path__)])
def test_examples_in_docstrings_run(module):
    failed, _ = doctest.testmod(importlib.import_module(f"inkling.{module}"))
    assert failed == 0


@pytest.mark.parametrize("name", inkling._estimators)
def test_every_estimator_has_an_example(name):
    text = getattr(inkling, name).__doc__
    assert ">>> " in text and "Attributes" in text


def test_a_typed_program():
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = pathlib.Path(__file__).with_name("typed.py")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
