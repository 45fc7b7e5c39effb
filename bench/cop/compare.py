"""Fits every instance that instances.py has written and prints a table.

compare.py DIRECTORY, which holds the program, the instances and their list.
Violations and inertia are counted here again, from the labels alone.
"""

import csv
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

# Half a unit of the last place that the published tables give.
ROUNDING = 0.05


def read(name):
    with open(name, newline="") as lines:
        return list(csv.reader(lines))[1:]


def fit(root, name, k):
    folder = root / name
    command = [root / "inkling", "cluster", folder / "rows.csv", "-k", k, "--links", folder / "links.csv"]
    command += ["--method", "cop-kmeans", "--json", "-o", folder / "clusters.csv"]
    command += os.environ.get("FLAGS", "").split()
    start = time.perf_counter()
    summary = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout)
    seconds = time.perf_counter() - start
    rows = {str(i): np.array(row, dtype=float) for i, row in enumerate(read(folder / "rows.csv"))}
    label = dict(read(folder / "clusters.csv"))
    clusters = {}
    for i, h in label.items():
        clusters.setdefault(h, []).append(rows[i])
    inertia = sum(((np.array(c) - np.mean(c, axis=0)) ** 2).sum() for c in clusters.values())
    broken = sum((label[a] == label[b]) != (kind == "must") for a, b, kind in read(folder / "links.csv"))
    if abs(inertia - summary["objective"]["total"]) > 1e-6 * inertia:
        sys.exit(f"{name}: inkling says {summary['objective']['total']}, its labels have {inertia}")
    return inertia, seconds, broken


def main():
    root = Path(sys.argv[1])
    print(f"{'instance':12} {'published':>9} {'ours':>10} {'seconds':>8} {'violations':>10}")
    worse = 0
    for line in (root / "list").read_text().splitlines():
        name, _, k, published = line.split()
        inertia, seconds, broken = fit(root, name, k)
        note = ""
        if inertia > float(published) + ROUNDING or broken:
            worse, note = worse + 1, "  worse"
        elif inertia > float(published):
            note = "  equal, as rounded"
        print(f"{name:12} {published:>9} {inertia:10.4f} {seconds:8.2f} {broken:10}{note}", flush=True)
    sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
