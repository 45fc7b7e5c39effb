"""Writes the published synthetic instances: rows and links.

	instances.py DIRECTORY

Each instance is n points of k unit Gaussians in the plane (make_blobs, seed
24), standardised; a tenth of the points, f, gives f(f-1)/2 pairs, drawn by
numpy's legacy generator with seed 24 and labelled by the truth.
"""

import math
import sys
from pathlib import Path

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.preprocessing import StandardScaler

# n, k and the least inertia in the tables of Baumann and Hochbaum (INFORMS
# Journal on Computing, 2024).
INSTANCES = [
    (500, 10, 32.7),
    (500, 20, 32.5),
    (500, 50, 14.9),
    (1000, 10, 66.2),
    (1000, 20, 71.3),
    (1000, 50, 34.6),
    (2000, 10, 130.7),
    (2000, 20, 154.2),
]


def pairs(n):
    """Rounds of m draws, until there are m different pairs; the lowest m of all."""
    f = math.ceil(0.1 * n)
    m = f * (f - 1) // 2
    np.random.seed(24)
    found = np.empty((0, 2), dtype=int)
    while len(found) < m:
        first, second = np.random.randint(0, n, m), np.random.randint(0, n, m)
        ends = np.sort(np.column_stack((first, second))[first != second], axis=1)
        found = np.unique(np.vstack((found, ends)), axis=0)
    return found[:m]


def write(folder, n, k):
    x, truth = make_blobs(n_samples=n, n_features=2, centers=k, random_state=24)
    x = StandardScaler().fit_transform(x)
    with open(folder / "rows.csv", "w") as out:
        out.write("x,y\n")
        for row in x:
            out.write(f"{float(row[0])!r},{float(row[1])!r}\n")
    with open(folder / "links.csv", "w") as out:
        out.write("a,b,kind\n")
        for i, j in pairs(n):
            out.write(f"{i},{j},{'must' if truth[i] == truth[j] else 'cannot'}\n")


if __name__ == "__main__":
    root = Path(sys.argv[1])
    for n, k, best in INSTANCES:
        folder = root / f"n{n}-k{k}"
        folder.mkdir(parents=True, exist_ok=True)
        write(folder, n, k)
        print(folder.name, n, k, best)
