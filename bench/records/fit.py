"""Writes the tables that the weights of package dedupe are fitted on: python fit.py FOLDER (see fit)

Drawn columns (drawn.py), 36 tables of 120 to 500 entities and one of 2,500, and the six kinds of generate.py with other seeds than
those measured, 300 entities.
"""
import pathlib
import sys

from generate import KINDS, generate

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    sizes = [120, 150, 200, 250, 300, 350, 400, 500]
    for seed in range(1, 38):
        generate("drawn", seed, folder / f"drawn-{seed}", sizes[seed % 8] if seed <= 36 else 2500)
    for kind in KINDS:
        for seed in (11, 12):
            generate(kind, seed, folder / f"{kind}-{seed}", 300)
