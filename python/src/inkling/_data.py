"""What users have in their hands, as the engine takes it."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from ._client import Arrays


def is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns") and hasattr(X, "index")


def is_polars(X: Any) -> bool:
    return type(X).__module__.partition(".")[0] == "polars" and hasattr(X, "columns")


def is_table(X: Any) -> bool:
    """Report whether X has columns that are not all plain numbers, or cells that are missing:
    the engine then decides what each column is for."""
    if is_pandas(X):
        kinds = [getattr(t, "kind", "O") for t in X.dtypes]
        plain = all(isinstance(t, np.dtype) for t in X.dtypes) and all(k in "fiu" for k in kinds)
        return not plain or bool(X.isna().to_numpy().any())
    if is_polars(X):
        return not all(t.is_numeric() for t in X.dtypes) or any(X.null_count().row(0))
    return False


def is_texts(X: Any) -> bool:
    """Report whether X is a list, an array or a Series of texts."""
    if isinstance(X, str) or getattr(X, "ndim", 1) != 1 or is_pandas(X) or scipy.sparse.issparse(X):
        return False
    if not isinstance(X, (list, tuple, np.ndarray)) and not hasattr(X, "tolist"):
        return False
    return len(X) > 0 and all(isinstance(x, str) for x in X)


def csv_of(X: Any) -> bytes:
    """Return a table as a CSV file, with numbers that come back to the bit."""
    if is_polars(X):
        return X.write_csv().encode()
    out = io.StringIO()
    X.to_csv(out, index=False, lineterminator="\n")
    return out.getvalue().encode()


def sparse_message(arrays: Arrays, X: Any) -> dict:
    X = scipy.sparse.csr_array(X)
    if not X.has_sorted_indices or not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    if X.indices.dtype != np.int32 and X.shape[1] > np.iinfo(np.int32).max:
        raise ValueError(f"{X.shape[1]} columns are too many")
    return {
        "cols": X.shape[1],
        "start": arrays.add(X.indptr, np.int64),
        "index": arrays.add(X.indices, np.int32),
        "values": arrays.add(X.data, np.float64),
    }


def graph_message(arrays: Arrays, X: Any) -> dict:
    """Return a symmetric matrix of weights, 0 where there is no edge."""
    X = scipy.sparse.csr_array(X, dtype=np.float64)
    if X.nnz and not np.all(X.data):
        X = X.copy()
        X.eliminate_zeros()
    return sparse_message(arrays, X)


@dataclass
class Rows:
    """Names of the rows: numbers from 0, or the labels of a pandas index."""

    n: int
    index: Any = None  # of pandas; None: numbers

    @classmethod
    def of(cls, X: Any, n: int) -> Rows:
        index = X.index if is_pandas(X) else None
        if index is not None and type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1:
            index = None
        return cls(n, index)

    def numbers(self, names: Any, what: str) -> np.ndarray:
        """Return the numbers of named rows, -1 for names that no row has."""
        if self.index is None:
            out = np.asarray(names)
            if out.dtype.kind not in "iu":
                whole = out.astype(np.float64)
                if not np.array_equal(whole, np.trunc(whole)):
                    raise ValueError(f"{what} must be row numbers")
                out = whole
            return out.astype(np.int64)
        if not self.index.is_unique:
            raise ValueError(f"{what} name rows by the index of X, which is not unique")
        flat = np.asarray(names, dtype=object).ravel()
        return np.asarray(self.index.get_indexer(flat), dtype=np.int64).reshape(np.shape(names))

    def names(self, numbers: Any) -> Any:
        return numbers if self.index is None else self.index[numbers]


def pairs_message(arrays: Arrays, rows: Rows, given: Any, what: str, weighted: bool, lenient: bool) -> dict | None:
    """Return links as a message has them. Each is two rows, or two rows and a weight.
    lenient leaves out those on rows that X does not have."""
    if given is None or len(given) == 0:
        return None
    table = given.to_numpy() if hasattr(given, "to_numpy") else np.asarray(given, dtype=object)
    if table.ndim != 2 or table.shape[1] not in (2, 3) or weighted and table.shape[1] != 3:
        form = "rows of a, b and the belief" if weighted else "rows of a and b, or of a, b and a weight"
        raise ValueError(f"{what} must be {form}, got the shape {table.shape}")
    ends = rows.numbers(table[:, :2], what)
    outside = ((ends < 0) | (ends >= rows.n)).any(axis=1)
    if outside.any() and not (lenient and rows.index is not None):
        a, b = table[outside][0, :2]
        raise ValueError(f"{what} name the rows {a!r} and {b!r}, but X has no such rows")
    message = {"rows": arrays.add(ends[~outside])}
    if table.shape[1] == 3:
        message["weights"] = arrays.add(table[~outside, 2].astype(np.float64))
    return message if len(ends[~outside]) else None


@dataclass
class Labels:
    """The labels that y has: row numbers, classes by number, and the classes."""

    rows: np.ndarray
    classes: np.ndarray
    values: list  # the classes, as they stand in y

    @property
    def names(self) -> list[str]:
        return [str(v) for v in self.values]

    @classmethod
    def of(cls, y: Any, n: int) -> Labels | None:
        """Return what y says: -1, NaN, None and "" are unknown."""
        if y is None:
            return None
        y = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1:
            raise ValueError(f"y must be one label for each row, got the shape {y.shape}")
        if len(y) != n:
            raise ValueError(f"y has {len(y)} labels for {n} rows: inconsistent numbers of samples")
        if y.dtype.kind in "iub":
            known = y != -1
        elif y.dtype.kind == "f":
            if np.isinf(y).any():
                raise ValueError("y has a label that is infinity")
            known = ~np.isnan(y) & (y != -1)
        else:
            known = np.array([v is not None and v == v and not (isinstance(v, str) and v == "") and v != -1 for v in y], dtype=bool)
        values: dict = {}
        rows = np.flatnonzero(known)
        classes = np.empty(len(rows), dtype=np.int64)
        for at, v in enumerate(y[rows].tolist()):
            if isinstance(v, float) and v.is_integer():
                v = int(v)
            classes[at] = values.setdefault(v, len(values))
        return cls(rows, classes, list(values)) if len(rows) else None

    def message(self, arrays: Arrays) -> dict:
        return {"rows": arrays.add(self.rows.astype(np.int64)), "classes": arrays.add(self.classes), "names": self.names}
