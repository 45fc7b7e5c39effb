"""Records what hdbscan finds on five tables, for the golden test of internal/numeric/hierarchy:

    bench/density/run golden

Each file of testdata holds the rows and, of two fits, hdbscan's single linkage tree (n-1 merges in its order),
its condensed tree and its clusters. With min_samples 1 distances are not smoothed, and hardly two are equal. With more,
many are, as a core distance is that of several edges, and the clusters that hdbscan finds depend on the order of the rows: those
that it finds in other orders are recorded too. Iris, wine and breast cancer are those of scikit-learn; the other two are made by
formulas without a generator of random numbers, so that they are the same with every version of numpy.
"""
import json
import pathlib
from importlib.metadata import version

import hdbscan
import numpy as np
from sklearn import datasets

TO = pathlib.Path(__file__).resolve().parents[2] / "internal/numeric/hierarchy/testdata"


def uniform(n, d):
    """n points of the additive recurrence of Roberts in d dimensions, even in the unit cube."""
    g = 2.0
    for _ in range(100):
        g = (1 + g) ** (1 / (d + 1))
    return (0.5 + np.outer(np.arange(1, n + 1), g ** -np.arange(1.0, d + 1))) % 1


def blobs():
    """Four clouds of different density, and noise all over."""
    u = uniform(360, 2)
    radius, angle = np.sqrt(-2 * np.log(1 - u[:300, 0])), 2 * np.pi * u[:300, 1]
    group = np.arange(300) % 4
    centre = np.array([[0, 0], [6, 1], [2, 7], [9, 8]])[group]
    cloud = centre + (radius * np.array([0.5, 1, 0.8, 1.5])[group])[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1)
    return np.concatenate([cloud, u[300:] * 16 - 4])


def moons():
    """Two half circles that reach into each other, with a spread that grows along them."""
    u = uniform(300, 2)
    t, off = np.pi * u[:, 0], (u[:, 1] - 0.5) * (0.1 + 0.3 * u[:, 0])
    up = np.arange(300) % 2 == 0
    x = np.where(up, (1 + off) * np.cos(t), 1 - (1 + off) * np.cos(t))
    y = np.where(up, (1 + off) * np.sin(t), 0.4 - (1 + off) * np.sin(t))
    return np.stack([x, y], 1)


ORDERS = 40
TABLES = {  # rows, min_cluster_size, min_samples
    "iris": (datasets.load_iris().data, 10, 5),
    "wine": (datasets.load_wine().data, 10, 4),
    "wdbc": (datasets.load_breast_cancer().data, 8, 3),
    "blobs": (blobs().round(6), 12, 6),
    "moons": (moons().round(6), 15, 5),
}


def fit_in(order, rows, size, samples):
    """What hdbscan finds where the rows come in this order, and the clusters of the rows in the given one, numbered in that."""
    made = hdbscan.HDBSCAN(min_cluster_size=size, min_samples=samples, algorithm="boruvka_kdtree", approx_min_span_tree=False).fit(rows[order])
    labels = np.empty(len(rows), int)
    labels[order] = made.labels_
    number = {-1: -1}
    return made, tuple(number.setdefault(h, len(number) - 1) for h in labels.tolist())


def fit(rows, size, samples):
    n = len(rows)
    made, clusters = fit_in(np.arange(n), rows, size, samples)
    merges, tree, found = made.single_linkage_tree_.to_numpy(), made.condensed_tree_.to_numpy(), [clusters]
    for turn in range(1, ORDERS):
        _, clusters = fit_in(np.argsort(np.arange(1, n + 1) * np.sqrt(turn + 0.5) % 1), rows, size, samples)
        if clusters not in found:
            found.append(clusters)
    print(f"{n} rows, min_samples {samples}: {made.labels_.max() + 1} clusters, {(made.labels_ < 0).sum()} unassigned, {len(set(tree['parent']))} nodes, "
          f"{len(merges) - len(set(merges[:, 2]))} of {len(merges)} distances equal to another, {len(found)} results in {ORDERS} orders of the rows")
    return {
        "min_cluster_size": size,
        "min_samples": samples,
        "linkage": [[int(a), int(b), w] for a, b, w, _ in merges.tolist()],
        "condensed": [[int(r["parent"]), int(r["child"]), float(r["lambda_val"]), int(r["child_size"])] for r in tree],
        "labels": made.labels_.tolist(),
        "others": found[1:],
    }


def write(v):
    return json.dumps(v, separators=(",", ":"), allow_nan=False)


TO.mkdir(exist_ok=True)
for name, (rows, size, samples) in TABLES.items():
    fits = [fit(rows, size, s) for s in (samples, 1)]
    lines = ",\n".join("{" + ",\n".join(f'"{k}":{write(v)}' for k, v in f.items()) + "}" for f in fits)
    (TO / f"{name}.json").write_text(f'{{"hdbscan":"{version("hdbscan")}",\n"rows":{write(rows.tolist())},\n"fits":[\n{lines}]}}\n')
