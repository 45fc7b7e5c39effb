"""Questions: which two rows to ask a person about, so that a few answers help most."""

from __future__ import annotations

import html
from typing import Any, Iterator

import numpy as np

from . import _data
from ._base import _SUSPECT_COLUMNS, Clusterer, _frame, _suspects
from ._client import Arrays, ask_engine, call
from ._errors import NoLongerKept, words

_ANSWERS = ("same", "different", "unsure", "skip")


class Question:
    """Whether two rows belong in one cluster. Answer it with ``same()``, ``different()``, ``unsure()`` or
    ``skip()``, or with one of these words: ``answer("same")``."""

    def __init__(self, of: Questions, number: int, a: int, b: int, why: str):
        self._of, self.number, self._rows, self.why = of, number, (a, b), why
        self.a, self.b = of._rows.names(a), of._rows.names(b)

    def answer(self, word: str) -> None:
        self._of._answer(self, word)

    def same(self) -> None:
        self.answer("same")

    def different(self) -> None:
        self.answer("different")

    def unsure(self) -> None:
        self.answer("unsure")

    def skip(self) -> None:
        self.answer("skip")

    def rows(self) -> list[dict]:
        """The two rows, by column."""
        return [self._of._row(i) for i in self._rows]

    def _repr_html_(self) -> str:
        cards = []
        left, right = self.rows()
        for name, row in zip((self.a, self.b), (left, right)):
            cells = "".join(
                f"<tr{' style=font-weight:bold' if left.get(key) != right.get(key) else ''}><td>{html.escape(str(key))}</td>"
                f"<td>{html.escape(_short(value))}</td></tr>"
                for key, value in row.items()
            )
            cards.append(
                "<div style='border:1px solid #aaa;border-radius:6px;padding:8px;margin:4px;display:inline-block;vertical-align:top'>"
                f"<b>{html.escape(str(name))}</b><table>{cells}</table></div>"
            )
        return f"<div>{''.join(cards)}<div>{html.escape(self.why)}</div></div>"

    def __repr__(self) -> str:
        return f"<question {self.number}: do {self.a} and {self.b} belong together? {self.why}>"


def _short(value: Any) -> str:
    text = f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)
    return text if len(text) <= 200 else text[:199] + "…"


class Questions:
    """Questions about the rows of X, one after the other. Iterate over it and answer each::

        for q in inkling.ask(X, n_clusters=3, budget=20):
            q.answer("same" if … else "different")

    ``must_link`` and ``cannot_link`` hold the answers, for ``fit``. In a notebook ``show()`` asks with buttons, elsewhere
    ``run()`` asks at the prompt."""

    def __init__(self, X, y=None, *, n_clusters=None, strategy="auto", must_link=None, cannot_link=None, budget=None,
                 random_state=None, scale=None):
        self._X, self._y = X, y
        self._form = Clusterer()
        self._checked, self._kind = self._read(X)
        n = self._checked.shape[0] if hasattr(self._checked, "shape") else len(self._checked)
        self._rows = _data.Rows.of(X, n)
        self._labels = _data.Labels.of(y, n)
        self._given = {"must": must_link, "cannot": cannot_link}
        self._options: dict = {}
        if n_clusters not in (None, "auto"):
            self._options["k"] = int(n_clusters)
        if random_state is not None:
            self._options["seed"] = int(random_state)
        if scale is not None:
            self._options["scale"] = scale
        self._strategy, self.budget = strategy, budget
        self.answers: list[tuple[int, int, str]] = []  # row, row, answer
        self.contradictions = 0
        self._begin()

    def _read(self, X: Any) -> tuple[Any, str]:
        self._form.metric = "euclidean"
        self._form._parameters = {"metric": ("metric", "")}  # type: ignore[misc]
        return self._form._read(X, reset=True)

    def _begin(self) -> None:
        columns = self._form._columns() if _data.is_pandas(self._X) or _data.is_polars(self._X) else None

        def build(arrays: Arrays) -> dict:
            known: dict = {} if self._labels is None else {"labels": self._labels.message(arrays)}
            for key, given in self._given.items():
                if message := _data.pairs_message(arrays, self._rows, given, key + "_link", False, False):
                    known[key] = message
            data = self._form._data_message(arrays, self._checked, self._kind, columns, self._rows)
            return {"data": data, "constraints": known, "options": self._options, "strategy": self._strategy}

        with self._form._refusing(self._checked, self._kind):
            reply, interrupted, engine = call("ask", build)
        if interrupted:
            raise KeyboardInterrupt
        self._handle, self._pid = reply["handle"], engine.pid
        for a, b, word in self.answers:
            ask_engine("answer", handle=self._handle, rows=[a, b], answer=word)

    def _asked(self, op: str, **fields: Any) -> dict:
        """Ask the engine, and begin again where it is another one now."""
        from ._client import engine

        if engine().pid != self._pid:
            self._begin()
        try:
            return ask_engine(op, handle=self._handle, **fields)
        except NoLongerKept:
            self._begin()
            return ask_engine(op, handle=self._handle, **fields)

    def __iter__(self) -> Iterator[Question]:
        while (q := self.next()) is not None:
            before = len(self.answers)
            yield q
            if len(self.answers) == before:
                q.skip()

    def next(self) -> Question | None:
        """Return the next question, None where no questions are left or the budget is spent."""
        if self.budget is not None and len(self.answers) >= self.budget:
            return None
        q = self._asked("next")["question"]
        return None if q is None else Question(self, len(self.answers) + 1, q["a"], q["b"], q["why"])

    def _answer(self, q: Question, word: str) -> None:
        if word not in _ANSWERS:
            raise ValueError(f"an answer must be one of {', '.join(_ANSWERS)}, got {word!r}")
        a, b = q._rows
        if self._asked("answer", rows=[a, b], answer=word)["contradicts"]:
            self.contradictions += 1
        self.answers.append((a, b, word))

    def undo(self) -> None:
        """Take back the last answer."""
        if not self.answers:
            raise ValueError("there is no answer to undo")
        self.answers.pop()
        self._asked("forget")
        for a, b, word in self.answers:
            self._asked("answer", rows=[a, b], answer=word)

    def _pairs(self, word: str, given: Any) -> np.ndarray:
        said = [(self._rows.names(a), self._rows.names(b)) for a, b, w in self.answers if w == word]
        before = [] if given is None else [tuple(p[:2]) for p in _data.pair_table(given, "pairs")]
        dtype = np.int64 if self._rows.index is None else object
        return np.array(before + said, dtype=dtype).reshape(-1, 2)

    @property
    def must_link(self) -> np.ndarray:
        """The pairs that belong together, for ``fit``."""
        return self._pairs("same", self._given["must"])

    @property
    def cannot_link(self) -> np.ndarray:
        """The pairs that belong apart, for ``fit``."""
        return self._pairs("different", self._given["cannot"])

    def _row(self, i: int) -> dict:
        X = self._X
        if _data.is_pandas(X):
            return dict(zip(X.columns, X.iloc[i]))
        if _data.is_polars(X):
            return X.row(i, named=True)
        if self._kind == "texts":
            return {"text": X[i]}
        row = self._checked[[i]]
        if hasattr(row, "tocoo"):
            row = row.tocoo()
            return {int(j): float(v) for j, v in zip(row.coords[1], row.data)}
        return {j: float(v) for j, v in enumerate(np.asarray(row).ravel())}

    def run(self, read=input, write=print) -> Questions:
        """Ask at the prompt: y same, n different, u unsure, s skip, p back, f finish."""
        keys = {"y": "same", "n": "different", "u": "unsure", "s": "skip"}
        while (q := self.next()) is not None:
            left, right = q.rows()
            write(f"question {q.number}: do {q.a} and {q.b} belong together? ({q.why})")
            for key in left | right:
                mark = "*" if left.get(key) != right.get(key) else " "
                write(f" {mark} {key}: {_short(left.get(key, ''))} | {_short(right.get(key, ''))}")
            key = read("[y]es, [n]o, [u]nsure, [s]kip, [p]revious, [f]inish: ").strip().lower()[:1]
            if key == "f":
                break
            if key == "p":
                if self.answers:
                    self.undo()
            elif key in keys:
                q.answer(keys[key])
        return self

    def show(self) -> Questions:
        """Ask in a notebook, with two cards and buttons; at the prompt where ipywidgets is not installed."""
        try:
            import ipywidgets as widgets
            from IPython.display import display
        except ImportError:
            return self.run()
        card, state = widgets.HTML(), {"q": self.next()}

        def step(word: str) -> None:
            if word == "back":
                if self.answers:
                    self.undo()
            elif state["q"] is not None:
                state["q"].answer(word)
            state["q"] = self.next()
            paint()

        def paint() -> None:
            q = state["q"]
            card.value = f"{len(self.answers)} answers; no questions left" if q is None else q._repr_html_()

        buttons = []
        for word in (*_ANSWERS, "back"):
            button = widgets.Button(description=word)
            button.on_click(lambda _, word=word: step(word))
            buttons.append(button)
        paint()
        display(widgets.VBox([card, widgets.HBox(buttons)]))
        return self

    def close(self) -> None:
        """Free what the engine keeps for these questions."""
        ask_engine("release", handle=self._handle)


def ask(X, y=None, *, n_clusters=None, strategy="auto", must_link=None, cannot_link=None, budget=None, random_state=None,
        scale=None) -> Questions:
    """Return questions about the rows of X; see `Questions`.

    Parameters
    ----------
    X, y, must_link, cannot_link : as in ``fit``
        Nothing is asked that follows from these constraints.
    n_clusters : int, default=None
        Number of clusters; None: chosen automatically.
    strategy : {"auto", "random", "explore-consolidate", "min-max", "npu", "cobras"}, default="auto"
        How questions are chosen.
    budget : int, default=None
        Number of answers after which questions end; None: no limit.
    """
    return Questions(X, y, n_clusters=n_clusters, strategy=strategy, must_link=must_link, cannot_link=cannot_link, budget=budget,
                     random_state=random_state, scale=scale)


def suspects(X, y=None, *, n_clusters=None, must_link=None, cannot_link=None, random_state=None, scale=None):
    """Return all constraints, ranked by how likely they are wrong: a DataFrame with the columns
    kind, row, label, a, b, weight, score and why. Each is judged by fits that have not seen it."""
    form = Clusterer()
    form.metric, form._parameters = "euclidean", {"metric": ("metric", "")}  # type: ignore[attr-defined]
    checked, kind = form._read(X, reset=True)
    n = checked.shape[0] if hasattr(checked, "shape") else len(checked)
    rows, labels = _data.Rows.of(X, n), _data.Labels.of(y, n)
    options: dict = {}
    if n_clusters not in (None, "auto"):
        options["k"] = int(n_clusters)
    if random_state is not None:
        options["seed"] = int(random_state)
    if scale is not None:
        options["scale"] = scale
    columns = form._columns() if _data.is_pandas(X) or _data.is_polars(X) else None

    def build(arrays: Arrays) -> dict:
        known: dict = {} if labels is None else {"labels": labels.message(arrays)}
        for key, given in (("must", must_link), ("cannot", cannot_link)):
            if message := _data.pairs_message(arrays, rows, given, key + "_link", False, False):
                known[key] = message
        return {"data": form._data_message(arrays, checked, kind, columns, rows), "constraints": known, "options": options}

    with form._refusing(checked, kind):
        reply, interrupted, _ = call("suspects", build)
    if interrupted:
        raise KeyboardInterrupt
    list_ = _suspects(reply["report"]["suspects"], reply["rows"])
    for one in list_:
        for key in ("row", "a", "b"):
            if one[key] is not None:
                one[key] = rows.names(one[key])
    return _frame(list_, _SUSPECT_COLUMNS)


def methods() -> list[dict]:
    """Return the methods of the engine with their papers and parameters."""
    return ask_engine("methods")  # type: ignore[return-value]


__all__ = ["Question", "Questions", "ask", "methods", "suspects", "words"]
