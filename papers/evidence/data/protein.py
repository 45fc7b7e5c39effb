#!/usr/bin/env python3
"""Protein, from a MATLAB file with the matrices fea and gnd, as recipes read it.

    protein.py Protein.mat OUT

Needs SciPy. Writes data.csv.gz and labels.txt.gz.
"""
import gzip
import os
import sys

from scipy.io import loadmat


def main(file, out):
    m = loadmat(file)
    rows, classes = m["fea"], m["gnd"].ravel()
    os.makedirs(out, exist_ok=True)
    with gzip.open(os.path.join(out, "data.csv.gz"), "wt") as f:
        f.write(",".join(f"f{j + 1}" for j in range(rows.shape[1])) + "\n")
        f.writelines(",".join(f"{v:g}" for v in row) + "\n" for row in rows)
    with gzip.open(os.path.join(out, "labels.txt.gz"), "wt") as f:
        f.writelines(f"class_{int(c)}\n" for c in classes)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
