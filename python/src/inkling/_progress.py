"""The progress that is shown while a fit is running."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

_EVERY = 1.0  # seconds between two lines


@contextlib.contextmanager
def watching(verbose: int | bool | Callable[[str, float], None], name: str) -> Iterator[Callable[[str, float], None] | None]:
    """Yield what is called with each step of a fit and the share that is done: None where nothing is to be shown,
    verbose itself where it can be called, a bar where tqdm is installed, lines elsewhere."""
    if not verbose:
        yield None
        return
    if callable(verbose):
        yield verbose
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield _Lines(name)
        return
    with tqdm(total=100, desc=name, unit="%", leave=True) as bar:

        def show(text: str, share: float) -> None:
            bar.set_postfix_str(text, refresh=False)
            bar.update(max(0.0, round(100 * share) - bar.n))

        yield show
        bar.update(100 - bar.n)


class _Lines:
    """Progress as lines on the standard error, at most one a second."""

    def __init__(self, name: str):
        self._name, self._last = name, 0.0

    def __call__(self, text: str, share: float) -> None:
        now = time.monotonic()
        if now - self._last >= _EVERY:
            self._last = now
            print(f"[{self._name}] {text} ({share:.0%})", file=sys.stderr)
