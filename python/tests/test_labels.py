"""Unknown labels, as every library writes them."""

import datetime
import itertools

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
    "pyarrow table": pyarrow.table({"y": ["a", None, "b", None, "b"]}),
    "pandas, astype(str) of numbers": pd.Series([3, NAN, 5, -1, 5]).astype(object).map(str),
    "polars, texts made of NaN": polars.Series(["a", NAN, "b", NAN, "b"], strict=False),
    "numpy masked": np.ma.masked_array([3, 7, 5, 7, 5], [0, 1, 0, 1, 0]),
    "numpy masked texts": np.ma.masked_array(["a", "z", "b", "z", "b"], [0, 1, 0, 1, 0]),
    "numpy masked, its own filling": np.ma.masked_equal([3, 7, 5, 7, 5], 7),
}

# Every container of every library with every unknown label that it can hold.
UNKNOWN = {"-1": -1, "'-1'": "-1", "-1.0": -1.0, "NaN": NAN, "float32 NaN": np.float32("nan"), "None": None, "NA": NA, "NaT": NAT,
           "numpy NaT": np.datetime64("NaT"), "''": ""}
CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "numpy": np.array,
    "numpy object": lambda v: np.array(v, dtype=object),
    "numpy column": lambda v: np.array(v, dtype=object)[:, None],
    "pandas": pd.Series,
    **{f"pandas {t}": lambda v, t=t: pd.Series(v, dtype=t) for t in ("object", "string", "str", "string[pyarrow]", "Int64", "Float64", "category")},
    "pandas DataFrame": lambda v: pd.DataFrame({"y": v}),
    "pandas Index": pd.Index,
    "pandas array": pd.array,
    "polars": polars.Series,
    "polars, not strict": lambda v: polars.Series(v, strict=False),
    "polars Object": lambda v: polars.Series(v, dtype=polars.Object),
    "polars Categorical": lambda v: polars.Series(v, dtype=polars.Categorical),
    "polars DataFrame": lambda v: polars.DataFrame({"y": v}),
    "pyarrow": pyarrow.array,
    "pyarrow, from pandas": lambda v: pyarrow.array(v, from_pandas=True),
    "pyarrow dictionary": lambda v: pyarrow.array(v).dictionary_encode(),
    "pyarrow chunks": lambda v: pyarrow.chunked_array([v[:2], v[2:]]),
    "pyarrow table": lambda v: pyarrow.table({"y": v}),
}
if hasattr(np.dtypes, "StringDType"):
    CONTAINERS["numpy StringDType"] = lambda v: np.array(v, dtype=np.dtypes.StringDType(**({"na_object": None} if None in v else {})))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_with_every_unknown_label(container):
    wrong, held = {}, set()
    for (a, b), (name, unknown) in itertools.product([("a", "b"), (3, 5), (0, 1)], UNKNOWN.items()):
        try:
            y = CONTAINERS[container]([a, unknown, b, unknown, b])
        except (TypeError, ValueError, pyarrow.ArrowException):
            continue  # the library cannot hold it
        held.add(name)
        found = _data.Labels.of(y, 5)
        if (found.rows.tolist(), found.classes.tolist()) != ([0, 2, 4], [0, 1, 1]):
            wrong[a, name] = y
    assert not wrong
    assert len(held) >= 3


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
    (pyarrow.table({"a": [1, 2], "b": [1, 2]}), "2 columns"),
    ([1, 2, 3], "3 labels for 2 rows"),
    ([float("inf"), 1.0], "infinity"),
])
def test_refused(y, words):
    with pytest.raises((ValueError, TypeError), match=words):
        _data.Labels.of(y, 2)


def test_labels_of_pandas_stand_beside_the_rows_that_they_name(blobs):
    X = pd.DataFrame(blobs[0])
    y = pd.Series(blobs[1])
    with pytest.warns(inkling.InklingWarning, match="another order"):
        inkling.SeededKMeans(3).fit(X, y[::-1])
    with pytest.raises(ValueError, match="reindex"):
        inkling.SeededKMeans(3).fit(X, y[y >= 0])


def test_one_class_says_that_every_row_is_in_it(blobs):
    y = [None] * len(blobs[0])
    y[3] = "gold"
    with pytest.warns(inkling.InklingWarning, match="only one class"):
        assert inkling.Inkling().fit(blobs[0], y).n_clusters_ == 1


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
