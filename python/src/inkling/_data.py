"""The inputs of users, as the engine takes them."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from ._client import Arrays
from ._errors import InklingWarning


def is_pandas(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "columns") and hasattr(X, "index")


def is_polars(X: Any) -> bool:
    return type(X).__module__.partition(".")[0] == "polars" and hasattr(X, "columns")


def is_arrow(X: Any) -> bool:
    return type(X).__module__.partition(".")[0] == "pyarrow"


def is_series(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "index") and not hasattr(X, "columns")


def eager(X: Any) -> Any:
    """Return X as something that has its rows: a table of Arrow becomes one of pandas, a column of texts a list, blocks of Dask are
    computed. What has no rows is refused."""
    kind = type(X).__module__.partition(".")[0]
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X must hold its rows, got a LazyFrame: give X.collect()")
    if isinstance(X, (str, os.PathLike)):
        raise TypeError(f"X must hold its rows, got a path or a text, {str(X)[:80]!r}: read the file, for example by pandas.read_csv")
    if isinstance(X, (list, tuple)) and len(X) and isinstance(X[0], dict) or isinstance(X, np.ndarray) and X.dtype.names:
        raise TypeError("X must be an array, a table or texts, got records: give pandas.DataFrame(X)")
    if kind == "dask":
        return X.compute()
    if is_arrow(X) and hasattr(X, "to_pandas") and hasattr(X, "column_names"):
        return X.to_pandas()
    if isinstance(X, np.ma.MaskedArray):
        return X.astype(np.float64).filled(np.nan) if np.ma.is_masked(X) else X.data
    if is_arrow(X) and hasattr(X, "to_pylist"):
        X = X.to_pylist()
    elif kind == "polars" and not hasattr(X, "columns") and hasattr(X, "to_list") and str(X.dtype) == "String":
        X = X.to_list()
    if getattr(X, "ndim", 1) == 1 and (isinstance(X, (list, tuple)) or is_series(X)) and any(isinstance(x, str) for x in X):
        missing = [i for i, x in enumerate(X) if not isinstance(x, (str, int)) and _is_unknown(x)]
        if missing:
            raise ValueError(f"X must have a text in every row, got {len(missing)} without one, the first is row {missing[0]}: fill them with ''")
    if hasattr(X, "columns") and is_pandas(X):
        if getattr(X.columns, "nlevels", 1) > 1:
            raise ValueError("X must have one level of column names, got a MultiIndex: join the levels, or give X.to_numpy()")
        if not X.columns.is_unique:
            twice = sorted({str(c) for c in X.columns[X.columns.duplicated()]})
            raise ValueError(f"the columns of X must have different names, got {', '.join(twice)} more than once")
    return X


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


def check_order(y: Any, X: Any) -> None:
    """Say so where labels of pandas stand beside other rows than those that they name: as in scikit-learn they count by position."""
    if not (is_series(y) or is_pandas(y)) or not (is_series(X) or is_pandas(X)) or y.index.equals(X.index):
        return
    if not (y.index.is_unique and X.index.is_unique and y.index.isin(X.index).all()):
        return
    if len(y) != len(X):
        raise ValueError(f"y has {len(y)} labels for {len(X)} rows, which its index names: y.reindex(X.index) has one for each row")
    warnings.warn("y has the index of X in another order, but labels count by position: give y.reindex(X.index)", InklingWarning, stacklevel=4)


class NamedRows(np.ndarray):
    """An array whose rows have ids, which stay with them when rows are taken. Made by `with_ids`."""

    row_ids: np.ndarray | None

    def __array_finalize__(self, of: Any) -> None:
        self.row_ids = None  # what is computed from the rows has no ids

    def __getitem__(self, key: Any) -> Any:
        out = super().__getitem__(key)
        if isinstance(out, NamedRows) and self.row_ids is not None and out.ndim == self.ndim:
            rows = key[0] if isinstance(key, tuple) else key
            if rows is not Ellipsis and rows is not None:
                out.row_ids = self.row_ids[np.asarray(rows) if not isinstance(rows, slice) else rows]
            elif rows is Ellipsis:
                out.row_ids = self.row_ids
        return out if isinstance(out, NamedRows) else np.asarray(out)[()]

    def take(self, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> Any:
        return self[np.asarray(indices)] if axis == 0 and out is None else np.asarray(self).take(indices, axis, out, mode)

    def __reduce__(self) -> Any:
        return with_ids, (np.asarray(self), self.row_ids)


def with_ids(X: Any, ids: Any) -> NamedRows:
    """Return the array X with an id for each row.

    Pairs of a constructor then name rows by id and stay with their rows under ``train_test_split``,
    ``KFold`` and ``GridSearchCV``; pairs on rows that a part does not have are left out. A DataFrame does the
    same by its index.

    >>> import numpy as np, inkling
    >>> X = inkling.with_ids(np.arange(6.0).reshape(3, 2), ["a", "b", "c"])
    >>> X[1:].row_ids.tolist()
    ['b', 'c']
    """
    if is_pandas(X):
        raise TypeError("X must be an array, got a DataFrame, whose index names its rows: give X.set_axis(ids)")
    if is_polars(X) or is_arrow(X) or scipy.sparse.issparse(X):
        raise TypeError(f"X must be an array, got a {type(X).__name__}: give row_ids=ids to fit")
    rows = np.asarray(X)
    if rows.ndim != 2:
        raise ValueError(f"X must have two dimensions, got {rows.ndim}")
    names = ids if isinstance(ids, np.ndarray) and ids.dtype != object else np.array(list(ids), dtype=object)
    if names.shape != (len(rows),):
        raise ValueError(f"ids must be one for each of {len(rows)} rows, got {len(names)}")
    if len(set(names.tolist())) != len(names):
        raise ValueError("ids must be different for every row")
    out = rows.view(NamedRows)
    out.row_ids = names
    return out


class Pairs(np.ndarray):
    """Pairs of rows by number, made for an array of ``n_rows`` rows."""

    n_rows: int | None = None

    def __array_finalize__(self, of: Any) -> None:
        self.n_rows = getattr(of, "n_rows", None)

    def __reduce__(self) -> Any:
        return _pairs_again, (np.asarray(self), self.n_rows)


def _pairs_again(table: np.ndarray, n_rows: int | None) -> Pairs:
    out = table.view(Pairs)
    out.n_rows = n_rows
    return out


def pairs(pairs: Any, y: Any = None, *, n_rows: int | None = None) -> Any:
    """Return pairs of rows as the estimators take them.

    Without ``y``: the pairs, remembering that they name rows of an array of ``n_rows`` rows by number, so that a
    constructor can take them; a fit on an array with another number of rows is refused. With ``y``, as metric-learn has
    pairs: 1 for two rows of one class, -1 for two of different ones; returns ``must_link`` and ``cannot_link``.

    >>> import inkling
    >>> must_link, cannot_link = inkling.pairs([[0, 1], [2, 3]], [1, -1])
    >>> must_link.tolist(), cannot_link.tolist()
    ([[0, 1]], [[2, 3]])
    """
    table = np.asarray(pairs.to_numpy() if hasattr(pairs, "to_numpy") else pairs)
    if table.ndim == 3:
        raise ValueError(f"pairs must be row numbers or ids, got points of the shape {table.shape}: give the rows, not their values")
    if table.ndim != 2 or table.shape[1] not in (2, 3):
        raise ValueError(f"pairs must be rows of a and b, or of a, b and a weight, got the shape {table.shape}")
    if y is None:
        return _pairs_again(table, n_rows)
    kinds = np.asarray(y)
    if kinds.shape != (len(table),):
        raise ValueError(f"y must be one for each of {len(table)} pairs, got the shape {kinds.shape}")
    if not np.isin(kinds, (1, -1)).all():
        raise ValueError(f"y must be 1 (same class) or -1 (different), got {sorted(set(kinds.tolist()) - {1, -1})[0]!r}")
    return tuple(_pairs_again(table[kinds == kind], n_rows) for kind in (1, -1))


_NAMED = 1 << 20  # rows up to which messages name them


@dataclass
class Rows:
    """Names of the rows: numbers from 0, the labels of a pandas index, or ids."""

    n: int
    index: Any = None  # of pandas, or a _Ids; None: numbers

    @classmethod
    def of(cls, X: Any, n: int, row_ids: Any = None) -> Rows:
        if row_ids is None:
            row_ids = getattr(X, "row_ids", None)
        if row_ids is not None:
            return cls(n, _Ids(row_ids, n))
        return cls(n, X.index if is_pandas(X) or is_series(X) else None)

    def numbers(self, names: Any, what: str) -> np.ndarray:
        """Return the numbers of named rows, -1 for names that no row has."""
        if self.index is None:
            out = np.asarray(names)
            if out.dtype.kind not in "iu":
                try:
                    whole = out.astype(np.float64)
                except (TypeError, ValueError):
                    raise ValueError(f"{what} must be row numbers, got {out.ravel()[0]!r}; names of rows need an index of pandas, inkling.with_ids or row_ids") from None
                if not np.array_equal(whole, np.trunc(whole)):
                    raise ValueError(f"{what} must be row numbers, got {whole[whole != np.trunc(whole)][0]:g}")
                out = whole
            return out.astype(np.int64)
        if not self.index.is_unique:
            raise ValueError(f"{what} name rows by their ids, the index of X or row_ids, which must be different for every row")
        flat = np.asarray(names, dtype=object).ravel()
        return np.asarray(self.index.get_indexer(flat), dtype=np.int64).reshape(np.shape(names))

    def ids(self) -> list[str] | None:
        """Return what messages call the rows; None where that is their number."""
        i = self.index
        if i is None or self.n > _NAMED or type(i).__name__ == "RangeIndex" and (i.start, i.step) == (0, 1):
            return None
        out = [str(i[at]) for at in range(self.n)] if isinstance(i, _Ids) else [str(name) for name in i]
        return out if len(set(out)) == self.n else None

    def names(self, numbers: Any) -> Any:
        return numbers if self.index is None else self.index[numbers]


class _Ids:
    """Ids of rows, with what an index of pandas has."""

    def __init__(self, ids: Iterable, n: int):
        self._ids = list(ids.tolist() if hasattr(ids, "tolist") else ids)
        if len(self._ids) != n:
            raise ValueError(f"row_ids must be one for each of {n} rows, got {len(self._ids)}")
        self._numbers = {name: i for i, name in enumerate(self._ids)}

    @property
    def is_unique(self) -> bool:
        return len(self._numbers) == len(self._ids)

    def get_indexer(self, names: Any) -> list[int]:
        return [self._numbers.get(name, -1) for name in (names.tolist() if hasattr(names, "tolist") else names)]

    def __getitem__(self, number: int) -> Any:
        return self._ids[number]


def pairs_message(arrays: Arrays, rows: Rows, given: Any, what: str, weighted: bool, constructor: bool) -> dict | None:
    """Return links as a message has them. Each is two rows, or two rows and a weight. Those of a constructor may name rows
    that X does not have, which are left out, but only where rows have names: numbers mean other rows after a split."""
    if given is None:
        return None
    table = pair_table(given, what, weighted)
    if len(table) == 0:
        return None
    made_for = getattr(given, "n_rows", None)
    if rows.index is None and made_for is not None and made_for != rows.n:
        raise ValueError(f"{what} name rows of an array of {made_for} rows, but X has {rows.n}: after a split they would constrain other "
                         f"rows. Give X as a DataFrame or by inkling.with_ids, so that pairs name rows by id")
    if rows.index is None and constructor and made_for is None:
        raise ValueError(f"{what} of the constructor must name rows of a DataFrame, of inkling.with_ids(X, ids) or of row_ids, got X "
                         f"as an array without ids: numbers would mean other rows after a split. Give the pairs to fit, or "
                         f"inkling.pairs({what}, n_rows=len(X)) to the constructor; in a pipeline set_output(transform=\"pandas\") keeps an index")
    ends = rows.numbers(table[:, :2], what)
    outside = ((ends < 0) | (ends >= rows.n)).any(axis=1)
    if outside.any() and not (constructor and rows.index is not None):
        a, b = table[outside][0, :2]
        raise ValueError(f"{what} name the rows {a!r} and {b!r}, but X has no such rows")
    message = {"rows": arrays.add(ends[~outside])}
    if table.shape[1] == 3:
        try:
            message["weights"] = arrays.add(table[~outside, 2].astype(np.float64))
        except (TypeError, ValueError) as e:
            raise ValueError(f"the third column of {what} must be numbers: {e}") from None
    return message if len(ends[~outside]) else None


def pair_table(given: Any, what: str, weighted: bool = False) -> np.ndarray:
    """Return pairs as a table of two columns, or of three with weights."""
    if isinstance(given, (tuple, list)) and len(given) == 2 and all(isinstance(g, np.ndarray) and g.ndim == 1 and len(g) > 3 for g in given):
        raise ValueError(f"{what} must be rows of a and b, got two arrays of ends: give np.column_stack({what})")
    if isinstance(given, (set, frozenset)):
        given = sorted(given, key=repr)
    elif isinstance(given, Iterator):
        given = list(given)
    if hasattr(given, "to_numpy"):
        table = given.to_numpy()
    elif isinstance(given, (list, tuple)) and len(given) and isinstance(given[0], (list, tuple)) and any(isinstance(e, tuple) for e in given[0]):
        table = np.empty((len(given), len(given[0])), dtype=object)  # names are tuples, of an index with levels
        for i, pair in enumerate(given):
            for j, end in enumerate(pair):
                table[i, j] = end
    else:
        table = np.asarray(given, dtype=object)
    if table.size == 0:
        return np.empty((0, 3), dtype=object)
    if table.ndim != 2 or table.shape[1] not in (2, 3) or weighted and table.shape[1] != 3:
        form = "rows of a, b and the belief" if weighted else "rows of a and b, or of a, b and a weight"
        raise ValueError(f"{what} must be {form}, got the shape {table.shape}")
    return table


_UNKNOWN_TEXTS = {"", "-1", "-1.0", "nan", "NaN", "<NA>", "NaT"}  # also as astype(str) writes them
_CONVERTED = {"None", "null"}  # what NumPy makes of missing values in a list of texts; elsewhere names of classes


def _is_unknown(v: Any) -> bool:
    """Report whether a label is unknown: -1, NaN, None, NA, NaT and "", also as texts."""
    if v is None or type(v).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(v, str):
        return v in _UNKNOWN_TEXTS
    return bool(v != v) or isinstance(v, (int, float, np.number)) and not isinstance(v, bool) and v == -1


def _listed(y: Any) -> Any:
    """Return labels as an array, without making texts of numbers that stand beside texts."""
    if type(y).__name__ == "LazyFrame":
        raise TypeError("y must hold its labels, got a LazyFrame: give y.collect()")
    if type(y).__module__.partition(".")[0] == "dask":
        y = y.compute()
    if is_arrow(y) and hasattr(y, "column_names"):
        if len(y.column_names) != 1:
            raise ValueError(f"y must be one label for each row, got {len(y.column_names)} columns")
        y = y.column(0)
    if hasattr(y, "to_pylist"):  # pyarrow
        y = y.to_pylist()
    if isinstance(y, np.ma.MaskedArray):
        y, hidden = np.array(y.data, dtype=object), np.ma.getmaskarray(y)
        y[hidden] = None
    if is_polars(y) or is_pandas(y):
        if len(y.columns) != 1:
            raise ValueError(f"y must be one label for each row, got {len(y.columns)} columns")
        y = y[y.columns[0]] if is_polars(y) else y.iloc[:, 0]
    if type(y).__module__.partition(".")[0] == "polars":
        y = y.to_list()
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    if isinstance(y, (list, tuple)):
        plain = all(isinstance(v, (int, float, np.number)) for v in y)
        if not plain and not any(isinstance(v, (list, tuple, np.ndarray)) for v in y):
            out = np.empty(len(y), dtype=object)
            out[:] = y
            return out
    return np.asarray(y)


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
        """Return what y says: -1 (also as a text), NaN, None, NA, NaT, null and "" are unknown."""
        if y is None:
            return None
        y = _listed(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1:
            raise ValueError(f"y must be one label for each row, got the shape {y.shape}")
        if len(y) != n:
            raise ValueError(f"y has {len(y)} labels for {n} rows: inconsistent numbers of samples")
        if y.dtype.kind in "iub":
            known = y != -1 if y.dtype.kind == "i" else np.ones(n, dtype=bool)
        elif y.dtype.kind == "f":
            if np.isinf(y).any():
                raise ValueError("y has a label that is infinity")
            known = ~np.isnan(y) & (y != -1)
        elif y.dtype.kind in "UST":
            y = y.astype(object if y.dtype.kind == "T" else str)
            known = np.array([not _is_unknown(v) and v not in _CONVERTED for v in y.tolist()], dtype=bool)
        else:
            known = np.array([not _is_unknown(v) for v in y], dtype=bool)
        numbers: dict = {}
        values = []
        rows = np.flatnonzero(known)
        classes = np.empty(len(rows), dtype=np.int64)
        for at, v in enumerate(y[rows].tolist()):
            if isinstance(v, float) and v.is_integer():
                v = int(v)
            number = numbers.setdefault(str(v), len(numbers))  # 1 and "1" are one class
            if number == len(values):
                values.append(v)
            classes[at] = number
        return cls(rows, classes, values) if len(rows) else None

    def message(self, arrays: Arrays) -> dict:
        return {"rows": arrays.add(self.rows.astype(np.int64)), "classes": arrays.add(self.classes), "names": self.names}
