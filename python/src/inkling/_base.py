"""What all estimators have in common. The estimators themselves are generated: see
``_estimators.py``."""

from __future__ import annotations

import contextlib
import html
import os
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils import assert_all_finite, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names, _check_n_features, _check_sample_weight, check_is_fitted, validate_data

from . import _data
from ._client import Arrays, array_of, call, engine
from ._errors import InklingWarning, InputError, NoLongerKept, words
from ._progress import watching

if TYPE_CHECKING:
    from typing_extensions import Self

_EAGER = 2_000  # rows up to which the fit computes confidences
_LOOKS_WRONG = 0.5  # the score from which on a constraint is called a suspect
_CARRIED = 1 << 24  # bytes of data that a pickle carries, so that what the engine has forgotten can be computed again
_LARGE = 1 << 23  # bytes of an array that only the engine checks
_KIND_OF = {"must": "must-links", "cannot": "cannot-links"}
_DEFAULT_CLUSTERS = 8  # as in scikit-learn, where neither n_clusters nor y say more


class Report:
    """A report on a clustering, which notebooks show. ``save`` writes it as one HTML file."""

    def __init__(self, page: str):
        self.html = page

    def save(self, path: str | os.PathLike) -> None:
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:640px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<inkling report, {len(self.html)} characters; save(path) writes it>"


def _frame(rows: list[dict], columns: list[str]) -> Any:
    """Return a DataFrame, or the rows where pandas is not installed. Numbers of rows stay whole numbers where some have none."""
    try:
        import pandas as pd
    except ImportError:
        return rows
    out = pd.DataFrame(rows, columns=columns)
    for name in columns:
        given = [r[name] for r in rows if r.get(name) is not None]
        if 0 < len(given) < len(rows) and all(isinstance(v, (int, np.integer)) for v in given):
            out[name] = pd.array([r.get(name) for r in rows], dtype="Int64")
    return out


@dataclass
class _Given:
    """What a fit was given, as it was read."""

    X: Any
    form: str  # rows, sparse, table, texts, graph or kernel
    columns: list[str] | None
    rows: _data.Rows
    labels: _data.Labels | None
    weights: np.ndarray | None
    links: list[tuple[str, Any, str]]

    def size(self) -> int:
        """Return about how many bytes a pickle of it has."""
        X = self.X
        if scipy.sparse.issparse(X):
            return X.data.nbytes + X.indices.nbytes
        if isinstance(X, np.ndarray):
            return X.nbytes
        if _data.is_pandas(X):
            return int(X.memory_usage(deep=True).sum())
        if _data.is_polars(X):
            return X.estimated_size()
        return sum(map(len, X))


class Clusterer(ClusterMixin, BaseEstimator):
    """The base of all estimators.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row; -1 for rows without one.
    cluster_names_ : ndarray of shape (n_clusters,)
        The names of the clusters: classes of y, or numbers.
    n_clusters_, sizes_ : int, ndarray
        Their number, and how many rows each has.
    method_, objective_, n_iter_, status_ : str, float, int, str
        How they were found.
    violations_, misplaced_, suspects_ : DataFrame
        Links that are violated, rows that are not in the cluster of their label, constraints that look wrong.
    confidence_, second_ : ndarray of shape (n_samples,)
        How sure each row is of its cluster, and its next best one.
    reliability_ : dict or None
        How reliable the clusters are: level (low, fair or good), why, and what was measured; None where a method was named.
    notes_, result_ : list of str, dict
        Notes of the program, and the result as ``inkling cluster --json`` prints it.
    """

    verbose: int | bool = 0
    keep: str = "auto"

    _method: ClassVar[str] = ""  # its name in the catalog; "": chosen
    _uses: ClassVar[tuple[str, ...]] = ()
    _inputs: ClassVar[tuple[str, ...]] = ("rows",)
    _parameters: ClassVar[dict[str, tuple[str, Any]]] = {}  # by attribute: the name in the catalog, and its default

    # -- what is sent -----------------------------------------------------------------

    def _precomputed(self) -> str:
        """Return what X is where it is not rows: graph or kernel."""
        if getattr(self, "metric", None) != "precomputed" or "metric" in self._parameters:
            return ""
        return "graph" if "graph" in self._inputs else "kernel"

    def _given_parameters(self, arrays: Arrays) -> dict:
        out = {}
        for attribute, (name, default) in self._parameters.items():
            value = getattr(self, attribute)
            if name == "knn" and self._precomputed():
                continue
            if callable(value):
                continue
            if isinstance(value, (np.ndarray, list, tuple)) or _data.is_pandas(value):
                value = self._centres_file(arrays, np.asarray(value, dtype=np.float64))
            elif isinstance(value, np.generic):
                value = value.item()
            if value is not None and (value != default or type(value) is bool and default is not value):
                out[name] = value
        return out

    @staticmethod
    def _centres_file(arrays: Arrays, centres: np.ndarray) -> str:
        import io

        out = io.BytesIO()
        np.save(out, centres)
        return arrays.file(out.getvalue(), ".npy")

    def _options(self, arrays: Arrays, n: int, labels: _data.Labels | None) -> dict:
        o: dict = {"parameters": self._given_parameters(arrays), "no_suspects": True}
        if self._method:
            o["method"] = self._method
        self._count(o, n, labels)
        if self.random_state is not None:
            seed = self.random_state
            if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool):
                seed = check_random_state(seed).randint(np.iinfo(np.int32).max)
            o["seed"] = int(seed)
        if self.n_init != "auto":
            o["restarts"] = int(self.n_init)
        # _fixed: rows join the centres that are given, which stay where they are (partial_fit).
        o["max_iter"], o["tol"] = 0 if getattr(self, "_fixed", False) else int(self.max_iter), float(self.tol)
        for name, option in (("effort", "effort"), ("device", "device"), ("settings", "settings"), ("scale", "scale"), ("robust", "robust"), ("components", "components")):
            if getattr(self, name, None) not in (None, "auto"):
                o[option] = getattr(self, name)
        if self.scale == "auto":
            o["scale"] = "auto"
        if self.timeout is not None:
            o["seconds"], o["best_effort"] = float(self.timeout), True
        if self.n_jobs is not None and self.n_jobs > 0:
            o["workers"] = int(self.n_jobs)
        if getattr(self, "need_model", False) and not self._precomputed():
            o["need_model"] = True
        return o

    def _count(self, o: dict, n: int, labels: _data.Labels | None) -> None:
        """Enter the number of clusters."""
        k = self.n_clusters
        if k is None:
            k = len(labels.values) if labels is not None else _DEFAULT_CLUSTERS if self._method else "auto"
            if labels is not None and k == 1:
                warnings.warn("y has only one class, so every row is in it; n_clusters=2 or more leaves room for others", InklingWarning, stacklevel=8)
        if isinstance(k, str):
            if k != "auto":
                raise ValueError(f'n_clusters must be a number, a range (2, 12), "auto" or None, got {k!r}')
            k = (2, 12)
        if isinstance(k, (tuple, list)):
            o["k_min"], o["k_max"] = (int(x) for x in k)
            return
        if k < 1:
            raise ValueError(f"n_clusters must be at least 1, got {k}")
        if k > n:
            raise ValueError(f"n_samples={n} should be >= n_clusters={k}")
        o["k"] = int(k)

    def _read(self, X: Any, reset: bool) -> tuple[Any, str]:
        """Check X and return it with its form: rows, sparse, table, texts, graph or kernel."""
        if form := self._precomputed():
            X = validate_data(self, X, accept_sparse="csr", dtype=np.float64, reset=reset)
            if X.shape[0] != X.shape[1]:
                raise ValueError(f"Precomputed matrix must be square: a {form} has as many rows as columns, got {X.shape}")
            if form == "kernel" and scipy.sparse.issparse(X):
                X = X.toarray()
            return X, form
        if _data.is_texts(X) and (not reset or self._takes_texts(X)):
            if reset:
                self.n_features_in_ = 1
            return [str(x) for x in X], "texts"
        if _data.is_table(X) or not reset and getattr(self, "_as_table", False) and (_data.is_pandas(X) or _data.is_polars(X)):
            _check_feature_names(self, X, reset=reset)
            _check_n_features(self, X, reset=reset)
            return X, "table"
        # What is large is searched for NaN and infinities by the engine alone, which has more than one thread for it.
        large = isinstance(X, np.ndarray) and X.dtype in (np.float32, np.float64) and X.nbytes >= _LARGE
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=reset, ensure_all_finite=not large)
        if scipy.sparse.issparse(X):
            return X, "sparse"
        return X, "rows"

    @contextlib.contextmanager
    def _refusing(self, X: Any, form: str) -> Iterator[None]:
        """Refuse NaN and infinities, which the engine has found in an array, in the words of scikit-learn."""
        try:
            yield
            return
        except InputError as e:
            found = e
        if form == "rows":
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")
        raise found

    def _takes_texts(self, X: Any) -> bool:
        """Report whether texts are meant: an array of strings may be one of numbers."""
        try:
            np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError):
            return isinstance(X, (list, tuple)) or hasattr(X, "index")
        return False

    def _data_message(self, arrays: Arrays, X: Any, form: str, columns: list[str] | None, rows: _data.Rows | None = None) -> dict:
        d: dict = {"name": "X"}
        if rows is not None and (ids := rows.ids()) is not None:
            d["ids"] = ids
        if form == "rows":
            d["rows"] = arrays.add(X)
        elif form in ("sparse", "graph"):
            d[form] = _data.sparse_message(arrays, X) if form == "sparse" else _data.graph_message(arrays, X)
        elif form == "kernel":
            d["kernel"] = arrays.add(X, np.float64)
        elif form == "texts":
            d["texts"] = X
        else:
            d["table"] = {"path": arrays.file(_data.csv_of(X)), "format": "csv"}
        if columns is not None and form in ("rows", "sparse"):
            d["columns"] = columns
        return d

    def _columns(self) -> list[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else [str(c) for c in names]

    # -- fit --------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Any = None,
        cannot_link: Any = None,
        beliefs: Any = None,
        sample_weight: Any = None,
        row_ids: Any = None,
    ) -> Self:
        """Cluster the rows of X under constraints.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), DataFrame or list of str
            Columns of a DataFrame that are not numbers are categories, dates or texts, as the
            command line recognises them. With ``metric="precomputed"`` a graph or a kernel.
        y : array-like of shape (n_samples,), default=None
            Known labels. -1, NaN, None, NA, NaT, null and "" are unknown, and "-1" beside other texts.
        must_link, cannot_link : array-like of shape (m, 2) or (m, 3), default=None
            Pairs of rows that belong together, or apart, and their weights: row numbers,
            labels of the index of a DataFrame, or ids. They add to those of the constructor.
        beliefs : array-like of shape (m, 3), default=None
            Pairs of rows and how strongly you believe that they belong together, from -1 to 1.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows: a row of weight 2 counts as two rows. None: 1 each.
        row_ids : array-like of shape (n_samples,), default=None
            Ids by which pairs name rows, where X is an array. Routed as metadata they stay with
            their rows under cross-validation.

        Returns
        -------
        self : object
            KeyboardInterrupt ends the fit within a second; the estimator then has the best result
            so far, if there is one, and the exception is raised again.
        """
        self._validate_params()
        for name, value in self.get_params(deep=False).items():
            if isinstance(value, (bool, np.bool_)) and name in ("n_clusters", "n_init", "max_iter", "tol", "n_jobs", "timeout"):
                raise ValueError(f"{name} must be a number, got {value}")
        X = _data.eager(X)
        index = X
        X, form = self._read(X, reset=True)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        self._before_fit(X, form)
        rows = _data.Rows.of(index, n, row_ids)
        _data.check_order(y, index)
        labels = self._usable(_data.Labels.of(y, n))
        weights = None if sample_weight is None else _check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64, ensure_non_negative=True)
        links = [
            (key, list(pairs) if isinstance(pairs, Iterator) else pairs, name)
            for key, pairs, name in (("must", must_link, "must_link"), ("cannot", cannot_link, "cannot_link"), ("beliefs", beliefs, "beliefs"))
        ]
        self._say_unused(links, rows)
        columns = self._columns() if _data.is_pandas(index) or _data.is_polars(index) else None
        given = _Given(X, form, columns, rows, labels, weights, links)
        with self._refusing(X, form), watching(self.verbose, type(self).__name__) as progress:
            reply, interrupted, running = call("fit", lambda arrays: self._request(given, arrays), progress)
        self._as_table, self._named_columns = form == "table", _data.is_pandas(index) or _data.is_polars(index)
        self._take(reply, running, rows, labels)
        self._given = None if self.keep == "none" else given
        self._after_fit(X, form, n)
        if interrupted or reply.get("interrupted"):
            raise KeyboardInterrupt
        return self

    def _say_unused(self, links: list[tuple[str, Any, str]], rows: _data.Rows) -> None:
        """Warn of links that this estimator does not use, and of those of the constructor whose rows X does not have."""
        for key, here, name in links:
            if here is not None and len(here) and _KIND_OF.get(key, key) not in self._uses:
                warnings.warn(f"{type(self).__name__} does not use {name}: they are only checked afterwards", InklingWarning, stacklevel=4)
            always = getattr(self, name, None)
            if always is None or rows.index is None or not len(table := _data.pair_table(always, name)):
                continue
            if (rows.numbers(table[:, :2], name) < 0).all():
                warnings.warn(
                    f"{name} name no row of X, so none of them is used: the first is {table[0, 0]!r}, the first row of X is {rows.names(0)!r}",
                    InklingWarning, stacklevel=4,
                )

    def _before_fit(self, X: Any, form: str) -> None:
        """Check what single estimators check beside what all do."""

    def _after_fit(self, X: Any, form: str, n: int) -> None:
        """Set what single estimators have beside the attributes of all."""

    def _request(self, given: _Given, arrays: Arrays) -> dict:
        """Return the message of a fit."""
        constraints: dict = {}
        if given.labels is not None and self._uses:  # other methods ignore y, as in scikit-learn
            constraints["labels"] = given.labels.message(arrays)
        alone = self.n_clusters == 1 and self._uses
        for key, here, name in () if alone else given.links:
            always, rows, weighted = getattr(self, name, None), given.rows, key == "beliefs"
            messages = [
                _data.pairs_message(arrays, rows, pairs, name, weighted, constructor)
                for pairs, constructor in ((always, True), (here, False))
            ]
            if all(messages):
                messages = [_data.pairs_message(arrays, rows, _joined(always, here), name, weighted, rows.index is not None)]
            for m in messages:
                if m:
                    constraints[key] = m
        data = self._data_message(arrays, given.X, given.form, given.columns, given.rows)
        if given.weights is not None:
            data["weights"] = arrays.add(given.weights)
        return {
            "data": data,
            "constraints": constraints,
            "options": self._options(arrays, given.rows.n, given.labels),
            "details": given.rows.n <= _EAGER,
        }

    def _usable(self, labels: _data.Labels | None) -> _data.Labels | None:
        """Return the labels, unless they are of more classes than there are clusters: what they say cannot be had then."""
        k = self.n_clusters
        if labels is None or not self._uses or not isinstance(k, (int, np.integer)) or k >= len(labels.values):
            return labels
        warnings.warn(f"n_clusters={k} is below the {len(labels.values)} classes of y: the labels are not used", InklingWarning, stacklevel=3)
        return None

    def _take(self, reply: dict, running: Any, rows: _data.Rows, labels: _data.Labels | None) -> None:
        """Set the attributes of a fit."""
        result = reply["result"]
        k = result["k"]
        self._to_label = np.arange(k)  # from clusters of the engine to labels
        names: list = list(result["clusters"])
        if labels is not None:
            value = dict(zip(labels.names, labels.values))
            at = {value[name]: h for h, name in enumerate(names) if name in value}
            names = [value.get(name, name) for name in names]
            if all(isinstance(v, int) and not isinstance(v, bool) and 0 <= v < k for v in labels.values):
                rest = iter([v for v in range(k) if v not in at])
                numbers = {h: v for v, h in at.items()}
                self._to_label = np.array([numbers[h] if h in numbers else next(rest) for h in range(k)])
        order = np.argsort(self._to_label)
        self.cluster_names_ = np.array([names[h] for h in order], dtype=object)
        self.labels_ = self._label(array_of(reply["labels"]))
        if (centres := array_of(reply.get("centers"))) is not None:
            self.cluster_centers_ = centres[order]
        else:
            vars(self).pop("cluster_centers_", None)
        self.n_iter_ = max(int(result["iterations"]), 1)
        self.objective_ = float(result["objective"]["total"])
        self.status_ = "interrupted" if reply.get("interrupted") else result["status"]
        self.method_ = result["method"]
        self.n_clusters_ = int(k)
        self.sizes_ = np.array(result["sizes"])[order]
        self.result_ = result
        self.reliability_ = result.get("reliability")
        self._model = reply.get("model")
        self._handle = (running.pid, reply.get("handle", 0))
        self._details = reply.get("details")
        self._rows = rows if rows.index is not None else None
        self._violated = [
            {"a": a, "b": b, "kind": v["kind"], "weight": v["weight"], "penalty": v["penalty"], "cost": v["cost"]}
            for v, (a, b) in zip(result["violations"] or [], reply["violations"])
        ]
        self._misplaced = [
            {"row": row, "label": v["label"], "cluster": v["cluster"], "weight": v["weight"], "penalty": v["penalty"], "cost": v["cost"]}
            for v, row in zip(result["misplaced"] or [], reply["misplaced"])
        ]
        self._suspected = None if self._uses and _count(result) else []
        self.notes_ = [words(note["text"]) for note in reply["notes"]]
        for note in reply["notes"]:
            if note["warning"]:
                warnings.warn(words(note["text"]), InklingWarning, stacklevel=3)

    def _label(self, clusters: np.ndarray | None) -> np.ndarray:
        assert clusters is not None
        if clusters.dtype == np.int32 and np.array_equal(self._to_label, np.arange(len(self._to_label))):
            return clusters
        return np.append(self._to_label, -1).astype(np.int32)[clusters]  # at -1 stands the last: -1

    # -- what a fit found -------------------------------------------------------------

    def _name_rows(self, rows: list[dict], keys: tuple[str, ...]) -> list[dict]:
        if self._rows is None:
            return rows
        return [{**r, **{key: self._rows.names(r[key]) for key in keys if r.get(key) is not None}} for r in rows]

    @property
    def violations_(self) -> Any:
        """The violated links, most costly first: a DataFrame with the columns a, b, kind, weight, penalty
        and cost (a list of dicts without pandas)."""
        check_is_fitted(self, "labels_")
        return _frame(self._name_rows(self._violated, ("a", "b")), ["a", "b", "kind", "weight", "penalty", "cost"])

    @property
    def misplaced_(self) -> Any:
        """The rows that are not in the cluster of their label, most costly first."""
        check_is_fitted(self, "labels_")
        return _frame(self._name_rows(self._misplaced, ("row",)), ["row", "label", "cluster", "weight", "penalty", "cost"])

    @property
    def suspects_(self) -> Any:
        """The constraints that look wrong, most likely first, judged when they are first asked for;
        `inkling.suspects` ranks all."""
        check_is_fitted(self, "labels_")
        if self._suspected is None:
            reply, _, _ = self._kept("suspects")
            ranked = _suspects(reply["report"]["suspects"], reply["rows"])
            self._suspected = [s for s in ranked if s["score"] > _LOOKS_WRONG]
        return _frame(self._name_rows(self._suspected, ("row", "a", "b")), _SUSPECT_COLUMNS)

    def _detail(self, key: str) -> np.ndarray:
        check_is_fitted(self, "labels_")
        if self._details is None:
            self._details, _, _ = self._kept("details")
        out = array_of(self._details[key])
        assert out is not None
        return out

    @property
    def confidence_(self) -> np.ndarray:
        """How sure each row is of its cluster, from 0 to 1."""
        return self._detail("confidence")

    @property
    def second_(self) -> np.ndarray:
        """The next best cluster of each row, -1 where there is none."""
        return self._label(self._detail("second"))

    def _kept(self, op: str, **fields: Any) -> tuple[dict, bool, Any]:
        """Ask about the result, which the engine keeps for a while; afterwards, or in another process, the fit is made again."""
        pid, handle = self._handle

        def build(_: Arrays) -> dict:
            if not handle or engine().pid != pid:
                raise NoLongerKept
            return {"handle": handle, **fields}

        try:
            return call(op, build)
        except NoLongerKept:
            self._fit_again()
            handle = self._handle[1]
            return call(op, lambda _: {"handle": handle, **fields})

    def _fit_again(self) -> None:
        """Make the fit again, so that the engine has its result: the same bits, from what the estimator keeps."""
        given = getattr(self, "_given", None)
        if given is None:
            raise NoLongerKept('this estimator does not keep its data; with keep="all" it carries them when it is pickled')
        reply, interrupted, running = call("fit", lambda arrays: {**self._request(given, arrays), "keep": True})
        if interrupted:
            raise KeyboardInterrupt
        if not np.array_equal(self._label(array_of(reply["labels"])), self.labels_):
            raise NoLongerKept("X or a parameter was changed after the fit; fit again")
        self._handle = (running.pid, reply.get("handle", 0))

    def report(self, path: str | os.PathLike | None = None, *, title: str = "") -> Report:
        """Return a report on the result, and write it to path if one is given."""
        check_is_fitted(self, "labels_")
        reply, _, _ = self._kept("report", title=title or f"{type(self).__name__} in {self.n_clusters_} clusters")
        page = Report(reply["html"])
        if path is not None:
            page.save(path)
        return page

    # -- scikit-learn -----------------------------------------------------------------

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = bool(self._precomputed())
        return tags

    def _summary_html(self) -> str:
        if not hasattr(self, "labels_"):
            return ""
        cells = "".join(
            f"<tr><td>{html.escape(str(name))}</td><td style='text-align:right'>{size}</td></tr>"
            for name, size in zip(self.cluster_names_, self.sizes_)
        )
        said = [f"{self.method_}, {self.status_} after {self.n_iter_} iterations, objective {self.objective_:.6g}"]
        if broken := len(self._violated) + len(self._misplaced):
            said.append(f"{broken} constraints violated")
        if self._suspected:
            said.append(f"{len(self._suspected)} constraints look wrong")
        text = "<br>".join(html.escape(s) for s in said)
        return f"<div>{text}<table><tr><th>cluster</th><th>rows</th></tr>{cells}</table></div>"

    def _repr_mimebundle_(self, **_: Any) -> dict:
        from sklearn.utils import estimator_html_repr

        return {"text/plain": repr(self), "text/html": estimator_html_repr(self) + self._summary_html()}

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()["text/html"]

    def __getstate__(self) -> dict:
        state = super().__getstate__().copy()
        if "_handle" in state:
            state["_handle"] = (0, 0)  # the engine of another process does not know it
        given = state.get("_given")
        if given is not None and self.keep != "all" and given.size() > _CARRIED:
            state["_given"] = None
        return state


def _count(result: dict) -> int:
    """Return the number of labels and links of a result."""
    return result["labels"]["given"] + result["must"]["given"] + result["cannot"]["given"]


def _joined(a: Any, b: Any) -> np.ndarray:
    a, b = (_data.pair_table(x, "pairs") for x in (a, b))
    width = max(a.shape[1], b.shape[1])
    wide = [x if x.shape[1] == width else np.column_stack([x, np.ones(len(x))]) for x in (a, b)]
    return np.concatenate(wide)


_SUSPECT_COLUMNS = ["kind", "row", "label", "a", "b", "weight", "score", "why"]


def _suspects(list_: list[dict], rows: list[list[int]]) -> list[dict]:
    out = []
    for s, at in zip(list_, rows):
        one = dict.fromkeys(_SUSPECT_COLUMNS)
        one.update(kind=s["kind"], weight=s["weight"], score=s["score"], why=s["why"])
        if s["kind"] == "label":
            one.update(row=at[0], label=s["label"])
        else:
            one.update(a=at[0], b=at[1])
        out.append(one)
    return out


def _has_model(self) -> bool:
    if getattr(self, "need_model", True) and not self._precomputed():
        return True
    if getattr(self, "_model", None) is not None:
        return True
    raise AttributeError(f"{type(self).__name__} cannot place new rows: need_model=True chooses among methods that can")


class Placer(Clusterer):
    """The base of estimators that place new rows."""

    def _place(self, X: Any, **fields: Any) -> dict:
        check_is_fitted(self, "labels_")
        index = X
        X, form = self._read(X, reset=False)

        def build(arrays: Arrays) -> dict:
            columns = self._columns() if self._named_columns else None
            return {"model": self._model, "data": self._data_message(arrays, X, form, columns), **fields}

        with self._refusing(X, form):
            reply, interrupted, _ = call("predict", build)
        if interrupted:
            raise KeyboardInterrupt
        del index
        return reply

    @available_if(_has_model)
    def predict(self, X) -> np.ndarray:
        """Return the cluster of each row of X, without constraints."""
        return self._label(array_of(self._place(X)["labels"]))

    @available_if(_has_model)
    def predict_confidence(self, X) -> np.ndarray:
        """Return how sure each row of X is of its cluster, from 0 to 1."""
        reply = self._place(X, details=True)
        return array_of(reply["details"]["confidence"])  # type: ignore[return-value]

    @available_if(_has_model)
    def explain(self, X, row, other=None, *, y=None, must_link=None, cannot_link=None) -> str:
        """Say why a row of X is in its cluster, or why two rows are together or apart. Rows are numbers, or labels of the
        index; give the constraints of the fit to see them in the explanation."""
        check_is_fitted(self, "labels_")
        index = X
        X, form = self._read(X, reset=False)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        rows, labels = _data.Rows.of(index, n), _data.Labels.of(y, n)
        at = rows.numbers([row] if other is None else [row, other], "rows")
        if ((at < 0) | (at >= n)).any():
            raise ValueError(f"X has no such row: {row!r}" + ("" if other is None else f", {other!r}"))

        def build(arrays: Arrays) -> dict:
            known: dict = {} if labels is None else {"labels": labels.message(arrays)}
            for key, given in (("must", must_link), ("cannot", cannot_link)):
                if message := _data.pairs_message(arrays, rows, given, key + "_link", False, False):
                    known[key] = message
            columns = self._columns() if self._named_columns else None
            data = self._data_message(arrays, X, form, columns, rows)
            return {"model": self._model, "data": data, "constraints": known, "rows": at.tolist()}

        with self._refusing(X, form):
            reply, _, _ = call("explain", build)
        return reply["text"]


class Predictor(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Placer):
    """The base of estimators that place new rows and say what each costs in each cluster."""

    @available_if(_has_model)
    def transform(self, X) -> np.ndarray:
        """Return what each row costs in each cluster: for k-means with Euclidean distances the distance from its
        centre, for other methods the term of the objective."""
        costs = self._costs(X)
        if self._distances():
            costs = np.sqrt(np.maximum(costs, 0))
        return costs

    def _costs(self, X: Any) -> np.ndarray:
        costs = array_of(self._place(X, costs=True)["costs"])
        assert costs is not None
        return costs[:, np.argsort(self._to_label)]

    def _distances(self) -> bool:
        return self.method_ in ("kmeans", "seeded-kmeans", "constrained-kmeans", "cop-kmeans") and (
            self.result_["parameters"].get("distortion", "euclidean") == "euclidean"
        )

    @available_if(_has_model)
    def score(self, X, y=None) -> float:
        """Return the adjusted Rand index of the prediction on the known labels of y, or without such labels the negative
        cost of the rows in their clusters; higher is better."""
        labels = _data.Labels.of(y, X.shape[0] if hasattr(X, "shape") else len(X))
        if labels is None:
            return -float(self._costs(X).min(axis=1).sum())
        pred = self.predict(X)[labels.rows]
        reply, _, _ = call("score", lambda a: {"truth": a.add(labels.classes), "pred": a.add(pred)})
        return float(reply["ari"])

    @property
    def _n_features_out(self) -> int:
        return self.n_clusters_

    def fit_transform(self, X, y=None, **params):
        """Cluster the rows and return ``transform(X)``."""
        return self.fit(X, y, **params).transform(X)
