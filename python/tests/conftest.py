import signal
import subprocess

import inkling
import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

# Python leaves SIGINT alone where whoever started it ignores it, as shells do for what runs in the background.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def blobs():
    """Rows of three groups, with the label of every sixth."""
    X, truth = make_blobs(120, n_features=4, centers=3, cluster_std=2.5, random_state=3)
    y = np.where(np.arange(len(X)) % 6 == 0, truth, -1)
    return X, y, truth


@pytest.fixture(scope="session")
def customers():
    """A table as people have it: numbers, categories, dates and missing cells."""
    rng = np.random.default_rng(5)
    n = 120
    kind = rng.integers(3, size=n)
    table = pd.DataFrame(
        {
            "spent": (kind * 40 + rng.normal(0, 6, n)).round(2),
            "visits": rng.poisson(2 + 5 * kind),
            "plan": pd.Categorical(np.array(["basic", "plus", "gold"])[(kind + (rng.random(n) < 0.15)) % 3]),
            "city": np.array(["Bern", "Basel", "Chur, GR"])[rng.integers(3, size=n)],
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n) + 300 * kind, "D"),
        }
    )
    table.loc[::17, "spent"] = np.nan
    table.loc[5::23, "plan"] = None
    return table, kind


@pytest.fixture(scope="session")
def command_line():
    """Run the command line and return the names of the clusters, row by row."""

    def run(*args):
        done = subprocess.run([inkling.binary(), "cluster", *map(str, args), "-q"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        assert lines[0] == "id,cluster"
        return [line.split(",")[1] for line in lines[1:]]

    return run
