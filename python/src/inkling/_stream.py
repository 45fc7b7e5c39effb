"""Rows that come in parts: ``partial_fit``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse
from sklearn.base import clone
from sklearn.utils.validation import _check_sample_weight

from . import _data
from ._base import Predictor

if TYPE_CHECKING:
    from typing_extensions import Self


class Streaming(Predictor):
    """The base of estimators whose clusters are centres, which can follow rows that come in parts."""

    _count_of: np.ndarray  # how many rows, by weight, each centre stands for

    def partial_fit(
        self, X: Any, y: Any = None, *, must_link: Any = None, cannot_link: Any = None, sample_weight: Any = None, row_ids: Any = None
    ) -> Self:
        """Move the centres by the rows of X, one part of the data.

        The first part is fitted as ``fit`` does. The rows of each later part join the nearest centres, under their own pairs
        and labels, and each centre moves to the mean of all rows that joined it so far (Sculley 2010, "Web-scale k-means
        clustering", with the mean of a part at once). The same parts in the same order give the same bits. ``labels_`` are
        those of the last part.

        Parameters
        ----------
        X, y, must_link, cannot_link, sample_weight, row_ids : as in ``fit``
            Pairs are between rows of this part. Labels are of classes of the first part, or of new ones while there are
            clusters without a name.

        Returns
        -------
        self : object
        """
        if not hasattr(self, "_count_of"):
            self.fit(X, y, **_given(must_link=must_link, cannot_link=cannot_link), sample_weight=sample_weight, row_ids=row_ids)
            weight = _weights(sample_weight, len(self.labels_))
            self._count_of = np.bincount(self.labels_[self.labels_ >= 0], weight[self.labels_ >= 0], minlength=self.n_clusters_)
            known = _data.Labels.of(y, len(self.labels_))
            self._named = {} if known is None or not self._uses else {
                str(v): h for h, v in enumerate(self.cluster_names_.tolist()) if str(v) in known.names
            }
            return self
        before, named, count = self.cluster_centers_.astype(np.float64), dict(self._named), self._count_of
        names, X = self.cluster_names_, _data.eager(X)
        n = self._read(X, reset=False)[0].shape[0]
        step = self._from(before).fit(X, **_given(must_link=must_link, cannot_link=cannot_link), row_ids=row_ids)
        labels, weight = step.labels_.copy(), _weights(sample_weight, n)
        known = _data.Labels.of(y, n) if self._uses else None
        if known is not None:
            labels[known.rows] = self._clusters_of(known, labels, named)[known.classes]
        after, count = _moved(before, count, step._given.X, labels, weight)
        self._named, self._count_of = named, count
        placed = self._from(after).fit(X)
        for attribute in ("_model", "_handle", "_details", "_given", "result_", "notes_", "_to_label", "objective_", "status_"):
            setattr(self, attribute, getattr(placed, attribute))
        self.cluster_centers_, self.labels_ = after.astype(self.cluster_centers_.dtype), labels
        self.sizes_ = np.bincount(labels[labels >= 0], minlength=self.n_clusters_)
        self.cluster_names_ = names.copy()
        for name, h in named.items():
            self.cluster_names_[h] = next((v for v in (known.values if known is not None else []) if str(v) == name), names[h])
        self.n_iter_ += 1
        return self

    def _from(self, centres: np.ndarray) -> Self:
        """Return an estimator whose clusters are the rows nearest to these centres, which do not move."""
        out = clone(self)
        out.n_clusters, out.n_init, out.effort, out.keep, out.verbose = len(centres), 1, "low", "auto", 0  # type: ignore[attr-defined]
        out.init, out._fixed = centres, True  # type: ignore[attr-defined]
        return out

    def _clusters_of(self, known: _data.Labels, labels: np.ndarray, named: dict[str, int]) -> np.ndarray:
        """Return the cluster of each class. A class that was not seen before names the cluster without a name that most of its rows
        are nearest to."""
        out = np.empty(len(known.values), dtype=np.int64)
        for c, name in enumerate(known.names):
            if name not in named:
                free = np.setdiff1d(np.arange(self.n_clusters_), list(named.values()))
                if not len(free):
                    raise ValueError(f"y has the class {known.values[c]!r}, but all {self.n_clusters_} clusters have names: {', '.join(named)}")
                votes = np.bincount(labels[known.rows[known.classes == c]], minlength=self.n_clusters_)
                named[name] = int(free[np.argmax(votes[free])])
            out[c] = named[name]
        return out


def _given(**pairs: Any) -> dict:
    return {key: value for key, value in pairs.items() if value is not None}


def _weights(sample_weight: Any, n: int) -> np.ndarray:
    return np.ones(n) if sample_weight is None else _check_sample_weight(sample_weight, np.empty((n, 1)), dtype=np.float64)


def _moved(centres: np.ndarray, count: np.ndarray, X: Any, labels: np.ndarray, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres and counts after the rows of a part have joined them."""
    k = len(centres)
    rows = np.flatnonzero(labels >= 0)
    join = scipy.sparse.csr_array((weight[rows], (labels[rows], rows)), shape=(k, X.shape[0]))
    total = count + np.asarray(join.sum(axis=1)).ravel()
    sums = join @ X
    sums = np.asarray(sums.todense() if scipy.sparse.issparse(sums) else sums, dtype=np.float64)
    moved = centres * count[:, None] + sums
    out = centres.copy()
    seen = total > 0
    out[seen] = moved[seen] / total[seen, None]
    return out, total
