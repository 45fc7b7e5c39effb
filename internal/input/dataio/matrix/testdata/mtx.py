"""Writes the golden Matrix Market files: python3 mtx.py, with scipy 1.

Each NAME.mtx has the whole matrix in NAME.txt, a row a line.
"""

import os

import numpy as np
from scipy import sparse
from scipy.io import mmwrite

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mtx")


def save(name, x, **how):
    mmwrite(os.path.join(here, name + ".mtx"), x, **how)
    if sparse.issparse(x):
        x = x.toarray()
    np.savetxt(os.path.join(here, name + ".txt"), x.astype(float), fmt="%.17g")


rng = np.random.default_rng(11)
x = rng.normal(size=(6, 4)) * (rng.random((6, 4)) < 0.5)
a = rng.integers(0, 3, size=(5, 5)) * 1.5
sym = np.triu(a, 1) + np.triu(a, 1).T + np.diag([0, 0, 2, 0, 1.0])
skew = np.triu(a, 1) - np.triu(a, 1).T
save("coordinate-real", sparse.coo_matrix(x), symmetry="general")
save("coordinate-integer", sparse.coo_matrix(np.rint(x * 3).astype(int)), symmetry="general")
save("coordinate-pattern", sparse.coo_matrix((x != 0).astype(int)), field="pattern", symmetry="general")
save("coordinate-symmetric", sparse.coo_matrix(sym), symmetry="symmetric")
save("coordinate-skew", sparse.coo_matrix(skew), symmetry="skew-symmetric")
save("array-real", x, symmetry="general")
save("array-integer", np.rint(x * 3).astype(int), symmetry="general")
save("array-symmetric", sym, symmetry="symmetric")
save("array-skew", skew, symmetry="skew-symmetric")
