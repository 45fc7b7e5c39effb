"""Writes the golden NPY files: python3 npy.py, with numpy 2.

Each NAME.npy has its numbers in NAME.txt, a row a line, as numpy prints them.
"""

import os

import numpy as np
from numpy.lib import format as npf

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "npy")


def save(name, x, version=None):
    with open(os.path.join(here, name + ".npy"), "wb") as f:
        npf.write_array(f, x, version=version, allow_pickle=False)
    np.savetxt(os.path.join(here, name + ".txt"), x.astype(np.float64), fmt="%.17g")


rng = np.random.default_rng(7)
real = rng.normal(size=(5, 3)) * 10.0 ** rng.integers(-8, 8, size=(5, 3))
for kind in "<f8", ">f8", "<f4", ">f4":
    side = "le" if kind[0] == "<" else "be"
    save(f"{kind[1:]}-{side}", real.astype(kind))
    save(f"{kind[1:]}-{side}-fortran", np.asfortranarray(real.astype(kind)))
for kind in "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8":
    info = np.iinfo(kind)
    top = min(info.max, 2**53)
    x = np.array([[info.min if kind != "i8" else -(2**53), 0, 1], [top, top // 2, 7]])
    save(f"{kind}-le", x.astype("<" + kind))
    save(f"{kind}-be", x.astype(">" + kind))
save("b1", np.array([[True, False], [False, True]]))
half = np.array([[0.0, 1.0, -2.0], [6e-8, 65504.0, 1 / 3]])
save("f2-le", half.astype("<f2"))
save("f2-be", half.astype(">f2"))
save("one-dimension", np.arange(4.0))
save("version-2", real, version=(2, 0))
save("version-3", real, version=(3, 0))
