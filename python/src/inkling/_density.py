"""Density clustering with noise, which can replace HDBSCAN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._base import Placer
from ._errors import AllNoise

if TYPE_CHECKING:
    from typing_extensions import Self

    from . import _data


class DensityBase(Placer):
    """The base of DensityClusterer."""

    def _count(self, o: dict, n: int, labels: _data.Labels | None) -> None:
        if self.n_clusters is not None:  # type: ignore[attr-defined]
            super()._count(o, n, labels)

    def fit(self, X: Any, y: Any = None, **given: Any) -> Self:
        """Cluster the rows of X under constraints; the parameters are those of the other estimators. Rows without a
        cluster have the label -1. Where there is no cluster at all, every row has it."""
        try:
            return super().fit(X, y, **given)
        except AllNoise:
            self._take_noise(X)
            return self

    def _take_noise(self, X: Any) -> None:
        """Set the attributes where there is no cluster."""
        X, form = self._read(X, reset=True)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        for name in ("_model", "_details", "_given", "_rows", "reliability_"):
            setattr(self, name, None)
        self._to_label, self._as_table, self._named_columns, self._handle = np.arange(0), form == "table", False, (0, 0)
        self._violated, self._misplaced, self._suspected, self.notes_, self.result_ = [], [], [], [], {}
        self.labels_, self.sizes_, self.cluster_names_ = np.full(n, -1, np.int32), np.zeros(0, np.int64), np.zeros(0, object)
        self.n_clusters_, self.n_iter_, self.objective_, self.status_, self.method_ = 0, 1, 0.0, "converged", self._method

    def _detail(self, key: str) -> np.ndarray:
        check_is_fitted(self, "labels_")
        if self.n_clusters_ == 0:
            return np.full(len(self.labels_), {"second": -1, "outlier": 0.0}.get(key, np.nan))
        return super()._detail(key)

    @property
    def probabilities_(self) -> np.ndarray:
        """How strongly each row belongs to its cluster, from 0 to 1; 0 for rows without one."""
        return np.nan_to_num(self._detail("confidence"))

    @property
    def outlier_scores_(self) -> np.ndarray:
        """How far each row is outside of all clusters, from 0 to 1: GLOSH."""
        return self._detail("outlier")

    def predict(self, X: Any) -> np.ndarray:
        """Return the cluster of each row of X, -1 where it would be noise: the rule of ``hdbscan.approximate_predict``."""
        if hasattr(self, "labels_") and self.n_clusters_ == 0:
            X, _ = self._read(X, reset=False)
            return np.full(X.shape[0] if hasattr(X, "shape") else len(X), -1, np.int32)
        return super().predict(X)
