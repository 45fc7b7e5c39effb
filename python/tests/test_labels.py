"""Unknown labels, as every library writes them."""

import datetime

import inkling
import numpy as np
import pandas as pd
import pytest
from inkling import _data

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")

NAN, NA, NAT = float("nan"), pd.NA, pd.NaT
# (what y is, whether its classes are texts): rows 1 and 3 are unknown, row 0 is of one class, rows 2 and 4 of another.
FORMS = {
    "list, -1 beside texts": ["a", -1, "b", -1, "b"],
    "list, '-1' beside texts": ["a", "-1", "b", "-1", "b"],
    "list, None": ["a", None, "b", None, "b"],
    "list, NaN": ["a", NAN, "b", NAN, "b"],
    "list, ''": ["a", "", "b", "", "b"],
    "list, NA": ["a", NA, "b", NA, "b"],
    "list, NaT": ["a", NAT, "b", NAT, "b"],
    "tuple, None": ("a", None, "b", None, "b"),
    "list, numbers and None": [3, None, 5, None, 5],
    "list, numbers and -1": [3, -1, 5, -1, 5],
    "numpy of texts made of -1": np.array(["a", -1, "b", -1, "b"]),
    "numpy of texts made of NaN": np.array(["a", NAN, "b", NAN, "b"]),
    "numpy bytes": np.array([b"a", b"", b"b", b"", b"b"]),
    "numpy object": np.array(["a", None, "b", NAN, "b"], dtype=object),
    "numpy object, -1": np.array(["a", -1, "b", "-1", "b"], dtype=object),
    "numpy int": np.array([3, -1, 5, -1, 5]),
    "numpy int8": np.array([3, -1, 5, -1, 5], dtype=np.int8),
    "numpy float": np.array([3, NAN, 5, -1, 5]),
    "numpy column": np.array([[3], [-1], [5], [-1], [5]]),
    "numpy object, NaT": np.array(["a", np.datetime64("NaT"), "b", np.datetime64("NaT"), "b"], dtype=object),
    "pandas object": pd.Series(["a", None, "b", NAN, "b"], dtype=object),
    "pandas string": pd.Series(["a", NA, "b", "", "b"], dtype="string"),
    "pandas Int64": pd.Series([3, NA, 5, -1, 5], dtype="Int64"),
    "pandas float": pd.Series([3, NAN, 5, -1, 5]),
    "pandas category": pd.Series(["a", None, "b", None, "b"], dtype="category"),
    "pandas category of numbers": pd.Series(pd.Categorical([3, None, 5, -1, 5])),
    "pandas DataFrame": pd.DataFrame({"y": ["a", None, "b", None, "b"]}),
    "pandas array": pd.array(["a", NA, "b", NA, "b"], dtype="string"),
    "polars String": polars.Series(["a", None, "b", "", "b"]),
    "polars Int64": polars.Series([3, None, 5, -1, 5]),
    "polars Float64": polars.Series([3.0, None, 5.0, NAN, 5.0]),
    "polars Categorical": polars.Series(["a", None, "b", None, "b"], dtype=polars.Categorical),
    "polars DataFrame": polars.DataFrame({"y": ["a", None, "b", None, "b"]}),
    "pyarrow string": pyarrow.array(["a", None, "b", None, "b"]),
    "pyarrow int64": pyarrow.array([3, None, 5, -1, 5]),
    "pyarrow double": pyarrow.array([3.0, None, 5.0, NAN, 5.0]),
    "pyarrow dictionary": pyarrow.array(["a", None, "b", None, "b"]).dictionary_encode(),
    "pyarrow chunks": pyarrow.chunked_array([["a", None], ["b", None, "b"]]),
}


@pytest.mark.parametrize("form", FORMS)
def test_unknown(form):
    found = _data.Labels.of(FORMS[form], 5)
    assert found.rows.tolist() == [0, 2, 4]
    assert found.classes.tolist() == [0, 1, 1]
    assert len(found.values) == 2
    assert all(isinstance(v, (str, int, bytes)) for v in found.values)


def test_nothing_known():
    for y in ([-1] * 4, [None] * 4, np.full(4, NAN), [""] * 4, pd.Series([NA] * 4, dtype="Int64"), polars.Series([None] * 4)):
        assert _data.Labels.of(y, 4) is None


def test_one_class_of_a_number_and_its_text():
    assert _data.Labels.of([1, "1", 2, None], 4).classes.tolist() == [0, 0, 1]


def test_dates_are_classes():
    day = datetime.date(2024, 5, 1)
    assert _data.Labels.of([day, None, day], 3).values == [day]


@pytest.mark.parametrize("y, words", [
    (polars.LazyFrame({"y": [1, 2]}), "collect"),
    (np.zeros((2, 2)), "one label for each row"),
    (pd.DataFrame({"a": [1, 2], "b": [1, 2]}), "2 columns"),
    ([1, 2, 3], "3 labels for 2 rows"),
    ([float("inf"), 1.0], "infinity"),
])
def test_refused(y, words):
    with pytest.raises((ValueError, TypeError), match=words):
        _data.Labels.of(y, 2)


def test_the_example_of_the_package(blobs):
    """What the documentation of the package shows: two labels, the other rows are unknown."""
    X, _, truth = blobs
    for unknown in (-1, None, ""):
        y = [unknown] * len(X)
        for c, name in enumerate(["gold", "silver", "bronze"]):
            for row in np.flatnonzero(truth == c)[:5]:
                y[row] = name
        model = inkling.SeededKMeans().fit(X, y)
        assert set(model.cluster_names_) == {"gold", "silver", "bronze"}
