"""Clustering that uses what you know: labels of some rows, pairs that belong together or apart.

The estimators follow the conventions of scikit-learn, and take constraints::

    from inkling import Inkling

    y = [None] * len(X)
    y[17], y[98] = "gold", "silver"
    model = Inkling().fit(X, y)
    model.labels_, model.violations_, model.suspects_

The work is done by the program ``inkling``, which is part of this package: one process of it for each
Python process, started when it is first needed.
"""

from importlib import metadata as _metadata

from ._ask import Question, Questions, ask, methods, suspects
from ._base import Clusterer, Report
from ._client import binary, engine_pid
from ._data import pairs, with_ids
from ._errors import (
    ConstraintError,
    EngineError,
    InklingError,
    InklingWarning,
    InputError,
    NoLongerKept,
    OptionError,
    TimeLimitError,
    name_estimators,
)
from ._estimators import *  # noqa: F403
from ._estimators import __all__ as _estimators
from ._plot import plot_clusters, plot_suspects, plot_tree, plot_violations
from ._split import PairKFold

name_estimators([globals()[name] for name in _estimators])
del name_estimators

try:
    __version__ = _metadata.version("inkling-cluster")
except _metadata.PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+source"

__all__ = [
    *_estimators, "Clusterer", "ConstraintError", "EngineError", "InklingError", "InklingWarning", "InputError", "NoLongerKept",
    "OptionError", "PairKFold", "Question", "Questions", "Report", "TimeLimitError", "ask", "binary", "engine_pid", "methods", "pairs",
    "plot_clusters", "plot_suspects", "plot_tree", "plot_violations", "suspects", "with_ids",
]
