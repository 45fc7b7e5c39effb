"""Errors and warnings, in the words of the engine."""

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


_COMMANDS = {"check": "inkling.suspects", "methods": "inkling.methods()"}

_estimators: dict[str, str] = {}
_parameters: set[str] = {"method"}


def name_estimators(makes: list) -> None:
    """Give the words of messages the estimators: their names by method (the first of a method counts) and their parameters."""
    _estimators.update({m._method: m.__name__ for m in reversed(makes)})
    _parameters.update(name for m in makes for name in m._get_param_names())


def _ours(text: str) -> str:
    """Leave out the advice, in brackets or between semicolons, whose options only the command line has."""
    def foreign(clause: str) -> bool:
        names = re.findall(r"(?<!\{)\{([^{}=]+)(?:=[^{}]*)?\}", clause)
        return "{method}" in clause or any(_OPTIONS.get(name, name.replace("-", "_")) not in _parameters for name in names)

    text = re.sub(r"\s*\(([^()]*)\)", lambda m: "" if foreign(m.group(1)) else m.group(0), text)
    first, *rest = re.split(r"; ", text)
    return "; ".join([first, *(clause for clause in rest if not foreign(clause))])


def words(text: str) -> str:
    """Return a sentence of the engine as Python users read it: ``{scale=none}`` becomes ``scale="none"``, ``{method=csp}`` the estimator."""

    def option(found: re.Match[str]) -> str:
        if found.group(0) in ("{{", "}}"):
            return found.group(0)[0]
        name, value = found.group(1), found.group(2)
        if name == "method" and value in _estimators:
            return _estimators[value]
        name = _OPTIONS.get(name, name.replace("-", "_"))
        if value is None:
            return name
        return f"{name}={value}" if re.fullmatch(r"-?[0-9.]+", value) else f'{name}="{value}"'

    text = re.sub(r"\{\{|\}\}|\{([^{}=]+)(?:=([^{}]*))?\}", option, _ours(text))
    return re.sub(r"`inkling (\w+)`", lambda m: _COMMANDS.get(m.group(1), m.group(0)), text)


class InklingError(Exception):
    """Everything that the engine refuses."""


class OptionError(InklingError, ValueError):
    """A parameter is wrong, or does not go with another."""


class AllNoise(OptionError):
    """Every row is noise: there is no cluster."""


class InputError(InklingError, ValueError):
    """The data are wrong."""


class ConstraintError(InklingError, ValueError):
    """Constraints contradict each other, or cannot be satisfied with this number of clusters."""


class TimeLimitError(InklingError, TimeoutError):
    """The time limit was too short for a usable clustering."""


class EngineError(InklingError, RuntimeError):
    """The engine could not be started, ended by itself, or has an internal error."""


class NoLongerKept(InklingError, RuntimeError):
    """The engine no longer keeps this result."""


class InklingWarning(UserWarning):
    """A warning about a clustering."""


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
    hint = words("; " + reply.get("hint", "")).removeprefix("; ")
    if hint:
        text += ("" if text.endswith("?") else ";") + " " + hint
    text = python_words(text)
    return _KINDS.get(reply["kind"], EngineError)(text)
