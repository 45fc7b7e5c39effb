"""The engine: one for each process, through forks, threads, crashes and interruptions."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import inkling
import numpy as np
import pytest

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")


def rows(n=200, d=4, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def gone(pid, within=5.0):
    """Report whether a process ends within so many seconds."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as f:
                if f.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


def test_one_engine():
    X = rows()
    inkling.KMeans(3).fit(X)
    first = inkling.engine_pid()
    inkling.MPCKMeans(3).fit(X)
    assert inkling.engine_pid() == first


@posix
def test_fork():
    X = rows()
    want = inkling.KMeans(3).fit(X).labels_
    ours = inkling.engine_pid()
    r, w = os.pipe()
    child = os.fork()
    if child == 0:
        ok = b"n"
        try:
            same = np.array_equal(inkling.KMeans(3).fit(X).labels_, want)
            ok = b"y" if same and inkling.engine_pid() != ours else b"n"
        finally:
            os.write(w, ok)
            os._exit(0)
    os.close(w)
    assert os.read(r, 1) == b"y"
    os.waitpid(child, 0)
    assert inkling.engine_pid() == ours
    np.testing.assert_array_equal(inkling.KMeans(3).fit(X).labels_, want)


@posix
def test_forked_processes_do_not_keep_the_engine_alive():
    code = (
        "import os, time, numpy as np, inkling\n"
        "inkling.KMeans(2).fit(np.arange(20.0).reshape(10, 2))\n"
        "print(inkling.engine_pid(), flush=True)\n"
        "if os.fork() == 0:\n    time.sleep(30); os._exit(0)\n"
        "os._exit(0)\n"
    )
    # The child keeps our stdout: read one line only.
    p = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        pid = int(p.stdout.readline())
        p.wait(20)
        assert gone(pid)
    finally:
        os.killpg(p.pid, signal.SIGKILL)
        p.stdout.close()


@posix
def test_engine_dies_with_its_parent():
    code = (
        "import os, signal, numpy as np, inkling, threading\n"
        "X = np.random.default_rng(0).normal(size=(60000, 16))\n"
        "inkling.KMeans(2).fit(X[:50])\n"
        "print(inkling.engine_pid(), flush=True)\n"
        "threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()\n"
        "inkling.KMeans(60, n_init=500, effort='high').fit(X)\n"
    )
    p = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, timeout=60)
    assert p.returncode == -signal.SIGKILL
    assert gone(int(p.stdout))


def test_threads():
    data = [rows(seed=s) for s in range(8)]
    want = [inkling.MPCKMeans(3).fit(X).labels_ for X in data]
    ours = inkling.engine_pid()
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            for got, w in zip(pool.map(lambda X: inkling.MPCKMeans(3).fit(X).labels_, data), want):
                np.testing.assert_array_equal(got, w)
    assert inkling.engine_pid() == ours


@posix
def test_killed_engine_is_replaced():
    X = rows()
    est = inkling.KMeans(3).fit(X)
    pid = inkling.engine_pid()
    os.kill(pid, signal.SIGKILL)
    np.testing.assert_array_equal(est.predict(X), est.labels_)  # the model is Python's
    assert inkling.engine_pid() != pid
    with pytest.raises(ProcessLookupError):  # nor is it left behind as a zombie
        os.kill(pid, 0)
    np.testing.assert_array_equal(inkling.KMeans(3).fit(X).labels_, est.labels_)
    assert est.report().html  # from a fit that is made again


@posix
def test_killed_in_the_middle_of_a_fit():
    X = rows(20000, 16)
    want = inkling.KMeans(30, n_init=3).fit(X).labels_
    killer = threading.Timer(0.1, os.kill, (inkling.engine_pid(), signal.SIGKILL))
    killer.start()
    np.testing.assert_array_equal(inkling.KMeans(30, n_init=3).fit(X).labels_, want)
    killer.join()


def test_engine_that_cannot_be_started(monkeypatch):
    code = "import numpy as np, inkling\ninkling.KMeans(2).fit(np.eye(4))"
    for path, says in (("no such program", "cannot start"), (sys.executable, "is not responding")):
        p = subprocess.run([sys.executable, "-c", code], env={**os.environ, "INKLING_BINARY": path}, capture_output=True, text=True)
        assert p.returncode == 1 and "EngineError" in p.stderr and says in p.stderr, p.stderr


@posix
def test_keyboard_interrupt_keeps_the_best_so_far():
    X = rows(60000, 16)
    sent = []

    def interrupt(text, share):
        if share > 0 and not sent:  # a run has been made
            sent.append(text)
            os.kill(os.getpid(), signal.SIGINT)

    est = inkling.KMeans(60, n_init=1_000_000, effort="high", verbose=interrupt)
    with pytest.raises(KeyboardInterrupt):
        est.fit(X)
    assert sent
    assert est.labels_.shape == (len(X),) and len(np.unique(est.labels_)) > 1
    assert est.status_ == "interrupted"
    np.testing.assert_array_equal(inkling.KMeans(3).fit(X[:100]).labels_.shape, (100,))  # and it goes on


@posix
def test_interrupted_in_the_middle_of_a_message():
    """Half a message costs the engine its life, and nothing else."""
    from inkling import _client

    X = rows()
    want = inkling.KMeans(3).fit(X).labels_
    running = _client.engine()
    pipe = running._process.stdin

    class Interrupted:
        def write(self, content):
            pipe.write(content[:7])
            running._process.stdin = Interrupting()
            return 7

    class Interrupting:
        def write(self, content):
            running._process.stdin = pipe
            raise KeyboardInterrupt

    running._process.stdin = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        inkling.KMeans(3).fit(X)
    np.testing.assert_array_equal(inkling.KMeans(3).fit(X).labels_, want)
    assert _client.engine() is not running


def open_files():
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs /proc")
def test_nothing_leaks():
    X = rows(5000, 8)  # large enough for shared memory
    inkling.KMeans(3).fit(X)
    before = open_files()
    for _ in range(30):
        inkling.KMeans(3, max_iter=2, n_init=1).fit(X)
    with pytest.raises(inkling.InklingError):
        inkling.COPKMeans(3).fit(X, must_link=[[0, 1]], cannot_link=[[0, 1]])
    assert open_files() == before
    fds = f"/proc/{inkling.engine_pid()}/maps"
    with open(fds) as f:
        assert sum("inkling" in line and "memfd" in line for line in f) <= 16


def test_arrays_in_files(monkeypatch):
    """Where shared memory cannot be used there are files, which do not stay."""
    from inkling._client import Arrays

    X = rows(5000, 8)
    want = inkling.KMeans(3).fit(X).labels_
    monkeypatch.setattr(Arrays, "memfd", False)
    np.testing.assert_array_equal(inkling.KMeans(3).fit(X).labels_, want)
    with Arrays() as a:
        path = a.add(X)["path"]
        assert os.path.exists(path)
    assert not os.path.exists(path)



def test_no_shared_memory_and_no_temporary_folder(monkeypatch):
    """A machine without shared memory or without a temporary folder is enough; without both, the message says so."""
    import tempfile

    from inkling._client import Arrays

    def refuse(*_args, **_named):
        raise OSError(38, "not here")

    X = rows(100_000, 8)  # the reply is large too
    want = inkling.KMeans(3, max_iter=2, n_init=1).fit(X)
    fit = inkling.KMeans(3, max_iter=2, n_init=1).fit
    monkeypatch.setattr(Arrays, "memfd", Arrays.memfd)
    if Arrays.memfd:
        with monkeypatch.context() as m:  # memory, and no folder
            m.setattr(tempfile, "mkstemp", refuse)
            m.setattr(tempfile, "mkdtemp", refuse)
            np.testing.assert_array_equal(fit(X).labels_, want.labels_)
            m.setattr(os, "memfd_create", refuse)  # neither
            with pytest.raises(inkling.EngineError, match="a large array could not be written: .*set TMPDIR"):
                fit(X)
        Arrays.memfd = True
    monkeypatch.setattr(os, "memfd_create", refuse, raising=False)
    np.testing.assert_array_equal(fit(X).labels_, want.labels_)
    assert not Arrays.memfd
