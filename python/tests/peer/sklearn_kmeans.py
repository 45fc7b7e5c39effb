"""Run scikit-learn's own tests of KMeans with ours in its place: python sklearn_kmeans.py [ARGUMENTS OF PYTEST]

The tests that need something of scikit-learn's inside are left out; each with its reason."""

import os
import pathlib
import sys

import pytest
import sklearn.cluster

import inkling

PRIVATE = "looks at a private attribute (_n_init, _init_centroids)"
EXCEPTIONS = {
    "test_kmeans_init_auto_with_initial_centroids[KMeans-": PRIVATE,
    "test_n_init_auto[KMeans-": PRIVATE,
    "test_sample_weight_init[": PRIVATE,
    "test_sample_weight_zero[": PRIVATE,
    "test_warning_elkan_1_cluster": "warns that elkan becomes lloyd for one cluster; here bounds are always used, for one cluster too",
}


class Ours:
    """Puts inkling.KMeans where their file imports KMeans from."""

    def pytest_collection_modifyitems(self, config, items):
        left, out = [], []
        for item in items:
            reason = next((why for name, why in EXCEPTIONS.items() if item.name.startswith(name)), None)
            (out if reason else left).append(item)
        for item in out:
            print(f"left out: {item.name}")
        config.hook.pytest_deselected(items=out)
        items[:] = left


def main(arguments: list[str]) -> int:
    sklearn.cluster.KMeans = inkling.KMeans
    os.environ["SKLEARN_RUN_FLOAT32_TESTS"] = "1"  # else theirs skip them
    theirs = pathlib.Path(sklearn.cluster.__file__).parent / "tests" / "test_k_means.py"
    return pytest.main(["-q", "-p", "no:cacheprovider", "--import-mode=importlib", str(theirs), *arguments], plugins=[Ours()])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
