"""K-means with the attributes, warnings and words of scikit-learn's, so that it can replace it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import scipy.sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from ._stream import Streaming


class KMeansBase(Streaming):
    """The base of KMeans and SphericalKMeans."""

    inertia_: float

    def _start(self, X: Any, k: int) -> Any:
        """Return the first centres where they are given by an array or a function, checked; None otherwise."""
        init = self.init  # type: ignore[attr-defined]
        if callable(init):
            init = init(X, k, random_state=check_random_state(self.random_state))  # type: ignore[attr-defined]
        elif isinstance(init, str):
            return None
        centres = np.array(init, dtype=np.float64, ndmin=2)
        if centres.shape[0] != k:
            raise ValueError(f"The shape of the initial centers {centres.shape} does not match the number of clusters {k}.")
        if centres.shape[1] != X.shape[1]:
            raise ValueError(
                f"The shape of the initial centers {centres.shape} does not match the number of features of the data {X.shape[1]}."
            )
        return centres

    def _given_parameters(self, arrays: Any) -> dict:
        out = super()._given_parameters(arrays)
        if (centres := getattr(self, "_first", None)) is not None:
            out["init"] = self._centres_file(arrays, centres)
        return out

    def _ends_by_shift(self) -> bool:
        """Report whether tol is scikit-learn's. Up to 1e-7, the default, runs end by the inertia, bit-identical to the command line."""
        return self.distortion == "euclidean" and self.tol > 1e-7  # type: ignore[attr-defined]

    def _options(self, arrays: Any, n: int, labels: Any) -> dict:
        o = super()._options(arrays, n, labels)
        if self._ends_by_shift():
            o["tol"], o["shift_tol"] = 0.0, float(self.tol)  # type: ignore[attr-defined]
        return o

    def _before_fit(self, X: Any, form: str) -> None:
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        k = self.n_clusters  # type: ignore[attr-defined]
        k = 8 if k is None else int(k)
        self._first = self._start(X, k) if form in ("rows", "sparse") and k <= n else None
        if self._first is not None and not callable(self.init) and self.n_init not in ("auto", 1):  # type: ignore[attr-defined]
            warnings.warn(
                "Explicit initial center position passed: performing only one init in "
                f"{type(self).__name__} instead of n_init={self.n_init}.",  # type: ignore[attr-defined]
                RuntimeWarning,
                stacklevel=3,
            )

    def _after_fit(self, X: Any, form: str, n: int) -> None:
        self.inertia_ = self.objective_
        if not getattr(self, "_fixed", False):
            # As in scikit-learn the last iteration, which changes nothing, counts too.
            trace = np.asarray(self.result_["trace"])
            n = int(self.result_["iterations"])
            if self.status_ == "converged" and not self._ends_by_shift():
                n = int((trace[1:] < trace[:-1]).sum()) + 1
            self.n_iter_ = max(1, min(n, self.max_iter))  # type: ignore[attr-defined]
        if self.verbose and not callable(self.verbose):
            self._print_trace()
        if form in ("rows", "sparse") and X.dtype == np.float32 and hasattr(self, "cluster_centers_"):
            self.cluster_centers_ = self.cluster_centers_.astype(np.float32)
        found = len(np.unique(self.labels_[self.labels_ >= 0]))
        if found < self.n_clusters_ and not scipy.sparse.issparse(self.labels_):
            warnings.warn(
                f"Number of distinct clusters ({found}) found smaller than n_clusters ({self.n_clusters_}). "
                "Possibly due to duplicate points in X.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _print_trace(self) -> None:
        """Print the best run, as scikit-learn prints its iterations."""
        print("Initialization complete")
        for i, inertia in enumerate(self.result_["trace"]):
            print(f"Iteration {i}, inertia {inertia}.")
        if self.status_ == "converged":
            print(f"Converged at iteration {self.n_iter_ - 1}: {self._why_converged()}.")

    def _why_converged(self) -> str:
        if self.tol == 0:  # type: ignore[attr-defined]
            return "strict convergence"
        if self._ends_by_shift():
            return f"center shift (squared, relative to the mean variance) within tolerance {self.tol}"  # type: ignore[attr-defined]
        trace = self.result_["trace"]
        decrease = max(0.0, 1 - trace[-1] / trace[-2]) if len(trace) > 1 and trace[-2] > 0 else 0.0
        return f"relative decrease {decrease:.3g} within tolerance {self.tol}"  # type: ignore[attr-defined]
