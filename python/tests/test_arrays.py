"""Arrays reach the engine as they are."""

import os

import numpy as np
import pytest

import inkling
from inkling import _client


@pytest.mark.parametrize("size", [0, 1, 2 * _client._PART - 3, 2 * _client._PART + 4097, 5 * _client._PART + 1])
def test_files_hold_what_was_written(size, tmp_path):
    content = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8)
    path = tmp_path / "array"
    fd = os.open(path, os.O_RDWR | os.O_CREAT)
    try:
        _client._write(fd, memoryview(content))
    finally:
        os.close(fd)
    assert path.read_bytes() == content.tobytes()


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
