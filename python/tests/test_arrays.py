"""Arrays reach the engine as they are."""

import os
from pathlib import Path

import numpy as np
import pytest

import inkling
from inkling import _base, _client


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize("size", [_client._SMALL + 1, 2 * _client._PART - 3, 2 * _client._PART + 4097, 5 * _client._PART + 1])
def test_files_hold_what_was_written(size, memory, monkeypatch):
    monkeypatch.setattr(_client.Arrays, "memfd", _client.Arrays.memfd and memory)
    content = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8)
    with _client.Arrays() as arrays:
        paths = arrays._parts(memoryview(content))
        parts = [Path(p).read_bytes() for p in paths]
    assert b"".join(parts) == content.tobytes()
    assert all(part and len(part) % _client._PAGES == 0 for part in parts[:-1])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_in_several_files_are_clustered_as_one_table(dtype, order, monkeypatch):
    X = np.random.default_rng(0).normal(size=(7 * _client._PART // 8 // 5, 5)).astype(dtype, order=order)
    X += np.arange(len(X), dtype=dtype)[:, None] % 3 * 9
    labels = inkling.KMeans(n_clusters=3, n_init=1).fit(X).labels_
    monkeypatch.setattr(_client.Arrays, "memfd", False)
    np.testing.assert_array_equal(inkling.KMeans(n_clusters=3, n_init=1).fit(X).labels_, labels)
    assert (labels[:-3] == labels[3:]).all()


@pytest.mark.parametrize("bad, words", [(np.nan, "contains NaN"), (np.inf, "contains infinity")])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_large_arrays_are_refused_as_small_ones_are(bad, words, dtype):
    """The engine finds what is not finite there, scikit-learn's check in small ones."""
    X = np.random.default_rng(0).normal(size=(_base._LARGE // 4 // 8 + 1, 8)).astype(dtype)
    model = inkling.KMeans(n_clusters=2, n_init=1).fit(X[:100])
    X[-7, 3] = bad
    refused = []
    for of in (X, X[-50:]):
        with pytest.raises(ValueError, match=words) as e:
            inkling.KMeans(n_clusters=2, n_init=1).fit(of)
        refused.append(str(e.value))
        for use in (model.predict, model.transform, lambda of: inkling.suspects(of, n_clusters=2, must_link=[(0, 1)])):
            with pytest.raises(ValueError, match=words):
                use(of)
    assert refused[0] == refused[1]


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts open files as Linux lists them")
def test_no_file_stays_open(tmp_path):
    def count():
        return len(os.listdir("/proc/self/fd"))

    before = count()
    with _client.Arrays() as arrays:
        arrays.add(np.zeros((2 * _client._PART // 8, 1)))
    assert count() == before


def test_a_full_disk_is_an_error():
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no /dev/full")
    fd = os.open("/dev/full", os.O_WRONLY)
    try:
        with pytest.raises(OSError):
            _client._write(fd, memoryview(bytes(100)))
    finally:
        os.close(fd)


@pytest.mark.parametrize("memory", [True, False])
def test_large_replies_are_files(memory, monkeypatch):
    """Labels and costs of many rows come back as those of few do, and nothing is left behind."""
    monkeypatch.setattr(_client.Arrays, "memfd", _client.Arrays.memfd and memory)
    made = []
    folder = _client.Arrays.folder
    monkeypatch.setattr(_client.Arrays, "folder", lambda self: made.append(folder(self)) or made[-1])
    X = np.random.default_rng(0).normal(size=(30_000, 2)) + np.arange(30_000)[:, None] % 3 * 9
    model = inkling.KMeans(n_clusters=3, n_init=1).fit(X)
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    np.testing.assert_array_equal(model.predict(X[:50]), model.labels_[:50])
    np.testing.assert_array_equal(model.transform(X)[:50], model.transform(X[:50]))
    assert model.labels_.flags.writeable
    assert len(made) == 3 and not any(os.path.exists(path) for path in made)
