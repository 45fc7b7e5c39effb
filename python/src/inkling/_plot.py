"""Charts of a clustering, on axes of matplotlib, which is imported when one is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.cluster.hierarchy
import scipy.sparse
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.utils.validation import check_is_fitted

from . import _data

_MANY = 20_000  # points that are drawn at most
_LISTED = 20  # clusters in the legend at most
_MARKERS = "os^Dv"  # with ten colours each


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None
    return plt.subplots(figsize=(6.4, 4.8), layout="constrained")[1]


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _plane(X: Any) -> np.ndarray:
    """Return a place on the plane for each row: two columns as they are, more by their principal components."""
    if _data.is_pandas(X) or _data.is_polars(X):
        X = X.select_dtypes("number") if _data.is_pandas(X) else X.select([c for c in X.columns if X[c].dtype.is_numeric()])
        X = np.nan_to_num((X - X.mean()).to_numpy() if _data.is_pandas(X) else X.to_numpy().astype(float))
        spread = X.std(axis=0)
        X = X / np.where(spread > 0, spread, 1)
    if scipy.sparse.issparse(X):
        return TruncatedSVD(2, random_state=0).fit_transform(X)
    X = np.asarray(X, dtype=np.float64)
    if X.ndim != 2 or X.shape[1] == 0:
        raise ValueError("X must have columns of numbers to be drawn")
    if X.shape[1] == 1:
        return np.column_stack([X[:, 0], np.zeros(len(X))])
    return X if X.shape[1] == 2 else PCA(2, random_state=0).fit_transform(X)


def plot_clusters(model: Any, X: Any, *, ax: Any = None) -> Any:
    """Draw the rows of X on the plane, coloured by cluster; paler where the cluster is less sure. Returns the axes."""
    check_is_fitted(model, "labels_")
    ax, at, labels = _axes(ax), _plane(X), model.labels_
    if len(at) != len(labels):
        raise ValueError(f"X must be the {len(labels)} rows of the fit, got {len(at)}")
    shown = np.arange(len(at))
    if len(at) > _MANY:
        shown = np.sort(np.random.default_rng(0).choice(len(at), _MANY, replace=False))
    sure = model.confidence_ if len(at) <= _MANY else np.ones(len(at))
    largest = set(np.argsort(-model.sizes_, kind="stable")[:_LISTED].tolist())
    for h, name in enumerate(model.cluster_names_):
        rows = shown[labels[shown] == h]
        alpha = np.clip(0.25 + 0.75 * np.nan_to_num(sure[rows]), 0, 1)
        look: dict = {"s": 14, "color": f"C{h % 10}", "marker": _MARKERS[h // 10 % len(_MARKERS)], "linewidths": 0}
        ax.scatter(*at[rows].T, alpha=alpha, **look)
        if h in largest:
            ax.scatter([], [], label=f"{name} ({model.sizes_[h]})", **look)  # for the legend, where no row is pale
    rest = shown[labels[shown] < 0]
    if len(rest):
        ax.scatter(*at[rest].T, s=10, color="0.6", marker="x", label=f"no cluster ({int((labels < 0).sum())})")
    ax.legend(fontsize="small", framealpha=0.85, edgecolor="none")  # what it covers must not be read with it
    left = f", the {_LISTED} largest listed" if model.n_clusters_ > _LISTED else ""
    ax.set_title(f"{model.method_}: {_count(model.n_clusters_, 'cluster')}{left}")
    ax.set_xticks([])
    ax.set_yticks([])
    return ax


def _lines(ax: Any, at: np.ndarray, rows: Any, ends: list[tuple[Any, Any, bool, float]]) -> None:
    """Draw links: solid for must-links, dashed for cannot-links, wider the more they count."""
    top = max((w for *_, w in ends), default=1) or 1
    for a, b, must, weight in ends:
        i, j = (rows.numbers([x], "pairs")[0] if rows is not None else x for x in (a, b))
        style = {"color": "#1b7837", "linestyle": "-"} if must else {"color": "#b2182b", "linestyle": "--"}
        ax.plot(*at[[i, j]].T, linewidth=0.7 + 1.8 * weight / top, alpha=0.8, **style)


def plot_violations(model: Any, X: Any, *, ax: Any = None) -> Any:
    """Draw the rows of X with the violated links, wider the more it would cost to satisfy them, and a ring around rows that are not
    in the cluster of their label. Returns the axes."""
    ax = plot_clusters(model, X, ax=ax)
    at = _plane(X)
    _lines(ax, at, None, [(v["a"], v["b"], v["kind"] == "must-link" or v["kind"] == "must", max(float(v["cost"] or 0), 0)) for v in model._violated])
    rows = [v["row"] for v in model._misplaced]
    if rows:
        ax.scatter(*at[rows].T, s=60, facecolors="none", edgecolors="#b2182b")
    ax.set_title(f"{_count(len(model._violated), 'link')} and {_count(len(rows), 'label')} violated")
    return ax


def plot_suspects(model: Any, *, ax: Any = None) -> Any:
    """Draw the constraints that look wrong, most likely on top. Returns the axes."""
    check_is_fitted(model, "labels_")
    ax, listed = _axes(ax), model.suspects_
    rows = listed.to_dict("records") if hasattr(listed, "to_dict") else listed
    rows = rows[:20][::-1]
    names = [f"{r['row']}: {r['label']}" if r["kind"] == "label" else f"{r['a']} – {r['b']} ({r['kind']})" for r in rows]
    ax.barh(np.arange(len(rows)), [r["score"] for r in rows], color="#b2182b")
    ax.set_yticks(np.arange(len(rows)), names)
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability that it is wrong")
    ax.set_title("No constraint looks wrong" if not rows else f"{_count(len(listed), 'constraint')} look{'s' if len(listed) == 1 else ''} wrong")
    return ax


def plot_tree(model: Any, *, ax: Any = None) -> Any:
    """Draw which clusters are near each other: the tree that joins their centres (average linkage). Returns the axes."""
    check_is_fitted(model, "labels_")
    if not hasattr(model, "cluster_centers_") or model.n_clusters_ < 2:
        raise ValueError(f"plot_tree needs at least two clusters with centres, which {type(model).__name__} has not found")
    ax = _axes(ax)
    joined = scipy.cluster.hierarchy.linkage(model.cluster_centers_, "average")
    names = [f"{name} ({size})" for name, size in zip(model.cluster_names_, model.sizes_)]
    scipy.cluster.hierarchy.dendrogram(joined, labels=names, ax=ax, orientation="right", color_threshold=0, above_threshold_color="0.3")
    ax.set_xlabel("distance between centres")
    ax.set_title("Clusters by distance")
    return ax
