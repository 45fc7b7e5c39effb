"""Cross-validation that keeps linked rows together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.utils import check_random_state

from . import _data


class PairKFold:
    """K folds that leave whole components out: rows that are linked, directly or through others, are in one fold.

    A pair whose two rows are in different folds constrains neither part. Rows without pairs are components of their own. Pass it
    as ``cv`` to ``cross_val_score`` and ``GridSearchCV``, with X as a DataFrame or by ``inkling.with_ids``.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds.
    must_link, cannot_link : array-like of shape (m, 2) or (m, 3), default=None
        The pairs, by label of the index of X, by id, or by row number where X is a plain array.
    random_state : int, default=0
        Seed of the order in which components are divided among the folds.

    Examples
    --------
    >>> import numpy as np, inkling
    >>> X = np.zeros((6, 1))
    >>> cv = inkling.PairKFold(2, must_link=[[0, 5]])
    >>> all((0 in test) == (5 in test) for _, test in cv.split(X))
    True
    """

    def __init__(self, n_splits: int = 5, *, must_link: Any = None, cannot_link: Any = None, random_state: Any = 0):
        self.n_splits, self.must_link, self.cannot_link, self.random_state = n_splits, must_link, cannot_link, random_state

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the row numbers of each training part and of the fold that is left out."""
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        if not 2 <= self.n_splits <= n:
            raise ValueError(f"n_splits must be 2 to {n}, the number of rows, got {self.n_splits}")
        component = self._components(_data.Rows.of(X, n))
        sizes = np.bincount(component)
        order = check_random_state(self.random_state).permutation(len(sizes))
        fold_of, fill = np.empty(len(sizes), dtype=np.int64), np.zeros(self.n_splits, dtype=np.int64)
        for c in order[np.argsort(-sizes[order], kind="stable")]:
            fold_of[c] = int(np.argmin(fill))
            fill[fold_of[c]] += sizes[c]
        if (fill == 0).any():
            raise ValueError(f"the pairs join the rows into {len(sizes)} components, too few for {self.n_splits} folds")
        fold = fold_of[component]
        for f in range(self.n_splits):
            yield np.flatnonzero(fold != f), np.flatnonzero(fold == f)

    def _components(self, rows: _data.Rows) -> np.ndarray:
        ends = []
        for name in ("must_link", "cannot_link"):
            if (given := getattr(self, name)) is not None and len(given):
                numbers = rows.numbers(_data.pair_table(given, name)[:, :2], name)
                ends.append(numbers[((numbers >= 0) & (numbers < rows.n)).all(axis=1)])
        pairs = np.concatenate(ends) if ends else np.empty((0, 2), dtype=np.int64)
        graph = scipy.sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(rows.n, rows.n))
        return scipy.sparse.csgraph.connected_components(graph, directed=False)[1]
