"""What can go wrong, in the words of the engine."""

from __future__ import annotations

import re

_OPTIONS = {"k": "n_clusters", "restarts": "n_init", "seed": "random_state", "workers": "n_jobs"}


_FLAGS = {"--k": "n_clusters", "-k": "n_clusters", "--restarts": "n_init", "--seed": "random_state", "--workers": "n_jobs"}


def python_words(text: str) -> str:
    """Return a sentence of the engine without flags of the command line and without paths of temporary files."""
    text = re.sub(r"(?:/[^\s:;,]+/)?inkling-[A-Za-z0-9_]+(?:\.[a-z]+)?(?=[:\s,;]|$)", "X", text)
    text = re.sub(r"/proc/\d+/fd/\d+", "X", text)
    return re.sub(r"(?<![\w-])--?[a-z][a-z-]*(?![\w-])", lambda m: _FLAGS.get(m.group(0), m.group(0).lstrip("-").replace("-", "_"))
                  if m.group(0).startswith("--") or m.group(0) in _FLAGS else m.group(0), text)


def words(text: str) -> str:
    """Return a hint of the engine as Python users read it: ``{scale=none}`` becomes ``scale="none"``."""

    def option(found: re.Match[str]) -> str:
        if found.group(0) in ("{{", "}}"):
            return found.group(0)[0]
        name, value = found.group(1), found.group(2)
        name = _OPTIONS.get(name, name.replace("-", "_"))
        if value is None:
            return name
        return f"{name}={value}" if re.fullmatch(r"-?[0-9.]+", value) else f'{name}="{value}"'

    return re.sub(r"\{\{|\}\}|\{([^{}=]+)(?:=([^{}]*))?\}", option, text)


class InklingError(Exception):
    """Everything that the engine refuses."""


class OptionError(InklingError, ValueError):
    """A parameter is wrong, or does not go with another."""


class AllNoise(OptionError):
    """Every row is noise: there is no cluster."""


class InputError(InklingError, ValueError):
    """The data are wrong."""


class ConstraintError(InklingError, ValueError):
    """Constraints contradict each other, or so many clusters cannot satisfy them."""


class TimeLimitError(InklingError, TimeoutError):
    """The time limit left no time for a clustering worth having."""


class EngineError(InklingError, RuntimeError):
    """The engine could not be started, ended by itself, or is at fault."""


class NoLongerKept(InklingError, RuntimeError):
    """The engine does not keep this result any more."""


class InklingWarning(UserWarning):
    """Something about a clustering that its user should know."""


class _ArrayError(EngineError):
    """The engine cannot read the memory of an array."""


_KINDS: dict[str, type[InklingError]] = {
    "option": OptionError,
    "noise": AllNoise,
    "input": InputError,
    "constraint": ConstraintError,
    "time": TimeLimitError,
    "gone": NoLongerKept,
    "array": _ArrayError,
}


def error_of(reply: dict) -> InklingError:
    """Return the exception for the error of a reply."""
    text = reply["message"]
    name = reply.get("option", "")
    if name and text.startswith(name + " "):
        text = _OPTIONS.get(name, name.replace("-", "_")) + text[len(name) :]
    if hint := reply.get("hint"):
        text += ("" if text.endswith("?") else ";") + " " + words(hint)
    text = python_words(text)
    return _KINDS.get(reply["kind"], EngineError)(text)
