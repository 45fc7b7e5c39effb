#!/usr/bin/env python3
"""What 100 true pairs are worth where nobody says how many clusters there are: DensityClusterer without and with them,
beside fast_hdbscan with and without the labels of the same rows.

    bench/density/run pairs [--pairs 100] [--draws 3] [--first 0]

It needs Python 3.12 or later: below that numba cannot compile fast_hdbscan's choice by labels. Noise counts as one group; all have
their default parameters."""

import argparse
import warnings

import inkling
import numpy as np
from sklearn import datasets
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

warnings.filterwarnings("ignore")


def tables():
    for name in ("iris", "wine", "breast_cancer", "digits"):
        d = getattr(datasets, "load_" + name)()
        yield name, d.data if name == "digits" else StandardScaler().fit_transform(d.data), d.target
    yield "moons", *datasets.make_moons(600, noise=0.1, random_state=1)
    yield "blobs", *datasets.make_blobs(800, centers=6, n_features=4, cluster_std=1.8, random_state=2)
    yield "varied", *datasets.make_blobs(900, centers=5, n_features=2, cluster_std=[0.4, 1, 1.6, 0.7, 2], random_state=5)
    yield "circles", *datasets.make_circles(600, noise=0.06, factor=0.5, random_state=3)


def draw(y, count, seed):
    pairs = np.random.RandomState(seed).randint(len(y), size=(count, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = y[pairs[:, 0]] == y[pairs[:, 1]]
    return pairs[same], pairs[~same]


def by_labels(fast_hdbscan, X, y, labels):
    return adjusted_rand_score(y, fast_hdbscan.HDBSCAN(semi_supervised=True).fit(X, labels).labels_)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--pairs", type=int, default=100)
    args.add_argument("--draws", type=int, default=3)
    args.add_argument("--first", type=int, default=0)
    args = args.parse_args()
    import fast_hdbscan

    print(f"{'table':16} ours  pairs | fast_hdbscan  labels | least difference of a draw")
    rows, below = [], 0
    for name, X, y in tables():
        X = np.ascontiguousarray(X, dtype=np.float64)
        alone = adjusted_rand_score(y, inkling.DensityClusterer().fit(X).labels_)
        theirs = adjusted_rand_score(y, fast_hdbscan.HDBSCAN().fit(X).labels_)
        linked, labelled = [], []
        for seed in range(args.first, args.first + args.draws):
            must, cannot = draw(y, args.pairs, seed)
            linked.append(adjusted_rand_score(y, inkling.DensityClusterer().fit(X, must_link=must, cannot_link=cannot).labels_))
            known = np.unique(np.concatenate([must, cannot]))
            labels = np.full(len(y), -1)
            labels[known] = y[known]
            labelled.append(by_labels(fast_hdbscan, X, y, labels))
        below += sum(s < alone - 0.01 for s in linked)
        rows.append((alone, np.mean(linked), theirs, np.mean(labelled)))
        print(f"{name:16} {alone:.3f} {np.mean(linked):.3f} | {theirs:.3f}         {np.mean(labelled):.3f}  | {min(linked) - alone:+.3f}", flush=True)
    print(f"{'mean':16} {'{:.3f} {:.3f} | {:.3f}         {:.3f}'.format(*np.mean(rows, axis=0))}, {below} of {len(rows) * args.draws} draws below by more than .01")


main()
