"""scikit-learn's own checks, for every estimator."""

import inkling
import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.utils.estimator_checks import parametrize_with_checks

ESTIMATORS = [getattr(inkling, name) for name in inkling._estimators]
TAKE_ANY_LABELS = ("SSKernelKMeans", "KernelHMRFKMeans", "SpectralLearning", "CSP", "FastGE")


def expected(estimator):
    """Return the checks that fail, with the reason."""
    if not estimator._uses or type(estimator).__name__ in TAKE_ANY_LABELS:
        return {}
    return {
        "check_methods_sample_order_invariance": "The check asks for two clusters and gives labels of three classes in y. "
        "scikit-learn's clusterers ignore y; here labels are constraints, and a method that cannot satisfy them says so. "
        "test_order_of_rows holds the estimator to the same with labels that it can satisfy."
    }


@parametrize_with_checks([make() for make in ESTIMATORS], expected_failed_checks=expected)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("make", [m for m in ESTIMATORS if hasattr(m, "predict")], ids=lambda m: m.__name__)
def test_order_of_rows(make):
    """A prediction does not depend on the rows beside it."""
    X, y = make_blobs(60, centers=3, random_state=2)
    y[::2] = -1
    est = make(n_clusters=3, random_state=1).fit(X, y)
    order = np.random.default_rng(0).permutation(len(X))
    for name in ("predict", "transform", "predict_confidence"):
        method = getattr(est, name)
        np.testing.assert_array_equal(method(X)[order], method(X[order]))
    np.testing.assert_array_equal(est.predict(X)[:7], est.predict(X[:7]))
