"""One engine for each process: started when it is first needed, restarted when it has
ended, and never shared with a process that was forked off."""

from __future__ import annotations

import atexit
import base64
import contextlib
import itertools
import json
import mmap
import os
import queue
import shutil
import struct
import subprocess
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import numpy as np

from ._errors import EngineError, _ArrayError, error_of

PROTOCOL = "engine/1"
_PART = 1 << 23  # bytes of a large array that are worth a thread
_PAGES = 1 << 20  # bytes, a multiple of the pages of any machine
_SMALL = 1 << 16  # bytes of an array that stands in the message
_TYPES = {np.dtype("<f8"), np.dtype("<f4"), np.dtype("<i8"), np.dtype("<i4")}


def binary() -> str:
    """Return the path of the program: that of the environment variable INKLING_BINARY, the
    one of this package, or the one on the PATH."""
    if named := os.environ.get("INKLING_BINARY"):
        return named
    name = "inkling.exe" if os.name == "nt" else "inkling"
    ours = Path(__file__).parent / "bin" / name
    if ours.exists():
        return str(ours)
    if found := shutil.which("inkling"):
        return found
    raise EngineError(
        "the program inkling is neither part of this installation nor on the PATH; "
        "install a wheel for this platform, or set INKLING_BINARY to the path of the program"
    )


class Arrays:
    """The arrays of one request. Small ones stand in the message; large ones are
    copied once, into memory that the engine maps."""

    memfd = hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd")

    def __init__(self) -> None:
        self._close = contextlib.ExitStack()
        self.large = False  # something was too large for the message

    def __enter__(self) -> Arrays:
        return self

    def __exit__(self, *_: object) -> None:
        self._close.close()

    def add(self, a: Any, dtype: Any = None) -> dict:
        """Return an array as a message has it."""
        a = np.asarray(a)
        to = np.dtype(a.dtype if dtype is None else dtype).newbyteorder("<")
        if to not in _TYPES:
            raise TypeError(f"arrays of type {to} are not supported")
        message: dict = {"dtype": to.str, "shape": list(a.shape)}
        size = a.size * to.itemsize
        if size <= _SMALL:
            message["bytes"] = base64.b64encode(np.ascontiguousarray(a, dtype=to).tobytes()).decode()
            return message
        self.large = True
        if a.flags.c_contiguous and a.dtype == to:
            paths = self._parts(memoryview(a).cast("B"))
            message |= {"path": paths[0]} if len(paths) == 1 else {"paths": paths}
        else:  # one copy, whatever the layout
            fd, message["path"] = self._file()
            os.ftruncate(fd, size)
            with mmap.mmap(fd, size) as m:
                copy = np.frombuffer(m, dtype=to).reshape(a.shape)
                copy[...] = a
                del copy
        return message

    def _parts(self, content: memoryview) -> list[str]:
        """Return files that hold the content. In memory most of the time goes into new pages, one file at a time:
        so there it is several files, which are written side by side."""
        parts = max(1, min(4, len(content) // _PART)) if Arrays.memfd and (os.cpu_count() or 1) > 1 else 1
        borders = [len(content) * i // parts & -_PAGES for i in range(parts)] + [len(content)]
        files = [self._file() for _ in range(parts)]
        contents = [content[a:b] for a, b in itertools.pairwise(borders)]
        if parts == 1:
            _write(files[0][0], content)
        else:
            with ThreadPoolExecutor(parts) as pool:
                # Descriptors of their own: a second KeyboardInterrupt may leave a part running when these are closed.
                list(pool.map(_write_and_close, [os.dup(fd) for fd, _ in files], contents))
        return [path for _, path in files]

    def file(self, content: bytes, suffix: str = "") -> str:
        """Return the path of a file with this content."""
        fd, path = self._file(suffix)
        _write(fd, memoryview(content))
        return path

    def folder(self) -> str | None:
        """Return a folder for the arrays of the reply, in memory where there is such a file system; None where there is
        no place for one: then they stand in the message."""
        memory = "/dev/shm" if Arrays.memfd and os.access("/dev/shm", os.W_OK) else None
        try:
            path = tempfile.mkdtemp(prefix="inkling-", dir=memory)
        except OSError:
            return None
        self._close.callback(shutil.rmtree, path, ignore_errors=True)
        return path

    def _file(self, suffix: str = "") -> tuple[int, str]:
        if Arrays.memfd and not suffix:
            try:
                fd = os.memfd_create("inkling")
            except OSError:  # a sandbox may refuse it
                Arrays.memfd = False
            else:
                self._close.callback(os.close, fd)
                return fd, f"/proc/{os.getpid()}/fd/{fd}"
        try:
            fd, path = tempfile.mkstemp(prefix="inkling-", suffix=suffix)
        except OSError as e:
            raise EngineError(f"a large array could not be written: {e}; set TMPDIR to a folder with free space") from e
        self._close.callback(_remove, path)
        self._close.callback(os.close, fd)
        return fd, path


def _write(fd: int, content: memoryview) -> None:
    """Fill a new file."""
    while len(content):
        content = content[os.write(fd, content[: 1 << 30]) :]


def _write_and_close(fd: int, content: memoryview) -> None:
    try:
        _write(fd, content)
    finally:
        os.close(fd)


_unremoved: list[str] = []  # Windows does not remove a file that the engine still maps


def _remove(path: str) -> None:
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError:
        _unremoved.append(path)


def array_of(message: dict | None) -> np.ndarray | None:
    """Return the array of a reply, which can be written to."""
    if message is None:
        return None
    if "numbers" in message:
        return message["numbers"]
    content = base64.b64decode(message.get("bytes", ""))
    return np.frombuffer(content, dtype=message["dtype"]).reshape(message["shape"]).copy()


_ARRAYS = ("labels", "centers", "costs", "details", "confidence", "second", "margin")


def _load(reply: Any) -> None:
    """Read the arrays of a reply that are files, before these are removed."""
    if not isinstance(reply, dict):
        return
    if "dtype" in reply and "path" in reply:
        reply["numbers"] = np.fromfile(reply.pop("path"), dtype=reply["dtype"]).reshape(reply["shape"])
        return
    for key in _ARRAYS:
        _load(reply.get(key))


class _Ended(Exception):
    """The engine has ended in the middle of a request."""


class Engine:
    """A running engine. Its methods may be called by several threads."""

    def __init__(self) -> None:
        # A session of its own: Ctrl-C is for Python, which asks the engine for the best so far.
        apart: dict = {"start_new_session": True}
        if os.name == "nt":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
        command = [binary(), "engine"]
        try:
            self._process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **apart)
        except OSError as e:
            raise EngineError(f"cannot start {command[0]}: {e}") from e
        self._writing = threading.Lock()
        self._lock = threading.Lock()
        self._waiting: dict[int, queue.SimpleQueue] = {}
        self._ids = itertools.count(1)
        self.ended = False
        try:
            hello = json.loads(self._read())
        except (_Ended, ValueError) as e:
            self.close()
            raise EngineError(f"{command[0]} is not responding as an engine") from e
        if hello.get("inkling") != PROTOCOL:
            self.close()
            raise EngineError(f"{command[0]} speaks {hello.get('inkling')!r}, this package {PROTOCOL!r}")
        self.version: str = hello["version"]
        threading.Thread(target=self._listen, name="inkling engine", daemon=True).start()

    @property
    def pid(self) -> int:
        """The id of the process of the engine."""
        return self._process.pid

    def _exactly(self, n: int) -> bytes:
        content = bytearray(n)
        rest = memoryview(content)
        while len(rest):
            got = self._process.stdout.readinto(rest)  # type: ignore[union-attr]
            if not got:
                raise _Ended
            rest = rest[got:]
        return bytes(content)

    def _read(self) -> bytes:
        return self._exactly(struct.unpack("<I", self._exactly(4))[0])

    def _listen(self) -> None:
        """Pass each reply to the thread that waits for it."""
        with contextlib.suppress(_Ended, OSError, ValueError):
            while True:
                reply = json.loads(self._read())
                with self._lock:
                    waiting = self._waiting.get(reply["id"])
                if waiting is not None:
                    waiting.put(reply)
        with self._lock:
            self.ended = True
            for waiting in self._waiting.values():
                waiting.put(None)

    def _send(self, request: dict) -> None:
        content = json.dumps(request, allow_nan=False).encode()
        message = memoryview(struct.pack("<I", len(content)) + content)
        rest = message
        try:
            with self._writing:
                while len(rest):
                    rest = rest[self._process.stdin.write(rest) :]  # type: ignore[union-attr]
        except (OSError, ValueError) as e:
            raise _Ended from e
        except BaseException:
            if len(rest) != len(message):  # half a message: this engine is lost, the next one takes its place
                self._process.kill()
                self.ended = True
            raise

    def request(self, op: str, fields: dict, progress: Callable[[str, float], None] | None = None) -> tuple[dict, bool]:
        """Send a request and wait for its reply. The second value says that
        KeyboardInterrupt came meanwhile: then the reply is the best so far."""
        number = next(self._ids)
        replies: queue.SimpleQueue = queue.SimpleQueue()
        with self._lock:
            if self.ended:
                raise _Ended
            self._waiting[number] = replies
        try:
            try:
                self._send({"id": number, "op": op, "progress": progress is not None, **fields})
                return self._wait(replies, None, progress), False
            except KeyboardInterrupt:
                try:
                    self._send({"id": next(self._ids), "op": "cancel", "of": number})
                    return self._wait(replies, 0.9, None), True
                except (queue.Empty, Exception):
                    raise KeyboardInterrupt from None
        finally:
            with self._lock:
                self._waiting.pop(number, None)

    @staticmethod
    def _wait(replies: queue.SimpleQueue, limit: float | None, progress: Callable[[str, float], None] | None) -> dict:
        while True:
            try:
                # On Windows a wait without an end cannot be interrupted.
                reply = replies.get(timeout=0.2 if limit is None else limit)
            except queue.Empty:
                if limit is None:
                    continue
                raise
            if reply is None:
                raise _Ended
            if "event" in reply and reply["event"]:
                if progress is not None:
                    progress(reply["event"]["text"], reply["event"]["share"])
                continue
            if reply.get("error"):
                raise error_of(reply["error"])
            return reply["ok"]

    def close(self) -> None:
        """End the engine: without a client it exits."""
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.close()  # type: ignore[union-attr]
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.ended = True

    def leave_to_parent(self) -> None:
        """In a forked process: let go of the pipes, which belong to the parent."""
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                os.close(pipe.fileno())  # type: ignore[union-attr]
        # Neither the pipes nor the process are ours any more.
        _left.append(self)
        self._process.returncode = 0


_left: list[Engine] = []  # of the parent: not collected, because that would close other files by the same numbers
_starting = threading.Lock()
_engine: Engine | None = None


def engine() -> Engine:
    """Return the engine of this process, and start it if it is not running."""
    global _engine
    with _starting:
        if _engine is not None and _engine.ended:
            _engine.close()
            _engine = None
        if _engine is None:
            _engine = Engine()
        return _engine


def _after_fork() -> None:
    global _engine, _starting
    _starting = threading.Lock()
    if _engine is not None:
        _engine.leave_to_parent()
        _engine = None
    _unremoved.clear()


def _at_exit() -> None:
    if _engine is not None and not _engine.ended:
        _engine.close()
    for path in _unremoved:
        with contextlib.suppress(OSError):
            os.remove(path)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)


def call(
    op: str, build: Callable[[Arrays], dict], progress: Callable[[str, float], None] | None = None
) -> tuple[dict, bool, Engine]:
    """Answer a request by the engine of this process. build makes the message; it is
    called again where the engine ended in the middle of the request, once."""
    for attempt in itertools.count():
        with Arrays() as arrays:
            message = build(arrays)
            if arrays.large and op in ("fit", "predict") and (folder := arrays.folder()):
                message["folder"] = folder
            running = engine()
            try:
                reply, interrupted = running.request(op, message, progress)
                _load(reply)
                return reply, interrupted, running
            except _Ended:
                running.ended = True
                if attempt:
                    raise EngineError(
                        "the engine ended twice during the same request: it may have been killed because memory ran out"
                    ) from None
            except _ArrayError:
                if not Arrays.memfd or attempt > 1:
                    raise
                Arrays.memfd = False  # the engine may not look into /proc: use files
    raise AssertionError


def ask_engine(op: str, **fields: Any) -> dict:
    """Return the reply to a request without arrays."""
    reply, interrupted, _ = call(op, lambda _: fields)
    if interrupted:
        raise KeyboardInterrupt
    return reply


def engine_pid() -> int:
    """Return the process id of the engine, which is started if it is not running."""
    return engine().pid


__all__ = ["Arrays", "Engine", "array_of", "ask_engine", "binary", "call", "engine", "engine_pid"]
