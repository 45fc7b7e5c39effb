"""Makes golden.json: scores by scikit-learn for the golden test of package score.

Run in an environment that has scikit-learn (the file was made with 1.9.1):

    python golden.py > golden.json

Purity is not in scikit-learn; it and the pairwise precision, recall and F are
computed here from its contingency and pair confusion matrices. Silhouettes get
the distances of scipy: those of scikit-learn expand |x-y|^2 and are some 1e-8
off for rows that coincide. A value that
scikit-learn leaves undefined (0/0) is null.
"""

import json
import warnings

import numpy as np
import sklearn
from scipy.spatial.distance import cdist
from sklearn import metrics
from sklearn.metrics.cluster import contingency_matrix, pair_confusion_matrix

warnings.filterwarnings("ignore")


def ratio(part, whole):
    return part / whole if whole else None


def scores(truth, pred):
    (_, fp), (fn, tp) = pair_confusion_matrix(truth, pred).tolist()
    h, c, v = metrics.homogeneity_completeness_v_measure(truth, pred)
    table = contingency_matrix(truth, pred)
    out = {
        "n": len(truth),
        "mi": metrics.mutual_info_score(truth, pred),
        "nmi": metrics.normalized_mutual_info_score(truth, pred),
        "ari": metrics.adjusted_rand_score(truth, pred),
        "rand": metrics.rand_score(truth, pred),
        "precision": ratio(tp, tp + fp),
        "recall": ratio(tp, tp + fn),
        "f": ratio(2 * tp, 2 * tp + fp + fn),
        "homogeneity": h,
        "completeness": c,
        "v": v,
        "purity": ratio(int(table.max(axis=0).sum()), len(truth)),
    }
    return {k: None if x is None else float(x) for k, x in out.items()}


def labellings(rng):
    yield "one point", [0], [5]
    yield "two points together", [0, 0], [1, 1]
    yield "two points apart", [0, 1], [1, 0]
    yield "one class, one cluster", [3] * 7, [1] * 7
    yield "one class, three clusters", [0] * 6, [0, 0, 1, 1, 2, 2]
    yield "three classes, one cluster", [0, 0, 1, 1, 2, 2], [0] * 6
    yield "one class, all singletons", [0] * 5, [0, 1, 2, 3, 4]
    yield "all singletons twice", [0, 1, 2, 3], [7, 6, 5, 4]
    yield "same, renamed", [0, 0, 1, 1, 2], [2, 2, 0, 0, 1]
    yield "independent", [0, 0, 1, 1], [0, 1, 0, 1]
    yield "refinement", [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3]
    yield "negative and far labels", [-5, -5, 10**12, 10**12, 3], [0, 0, 0, -(10**15), -(10**15)]
    for n, r, c in [(10, 2, 3), (50, 5, 5), (200, 3, 20), (300, 40, 40), (300, 150, 3)]:
        truth = rng.integers(0, r, n)
        pred = rng.integers(0, c, n)
        yield f"random n={n} {r}x{c}", truth.tolist(), pred.tolist()
        pred = np.where(rng.random(n) < 0.8, truth % c, pred)
        yield f"agreeing n={n} {r}x{c}", truth.tolist(), pred.tolist()
    truth = np.repeat([0, 1, 2], [250, 40, 10])
    pred = np.where(rng.random(300) < 0.9, truth, 3 - truth)
    yield "unequal sizes", truth.tolist(), pred.tolist()


def silhouettes(rng):
    for n, d, k, spread in [(12, 2, 3, 0.3), (60, 4, 5, 1.0), (90, 16, 4, 2.0)]:
        labels = rng.integers(0, k, n)
        labels[-1] = k + 2  # alone in its cluster
        x = (3 * rng.normal(size=(k + 3, d)))[labels] + spread * rng.normal(size=(n, d))
        x[0], x[1] = x[2], x[2]  # rows that coincide
        yield f"n={n} d={d} k={k}", x, labels
    x = rng.normal(size=(50, 30)) * (rng.random((50, 30)) < 0.15)
    yield "mostly zeros", x, rng.integers(-1, 3, 50)
    yield "five of six alone", rng.normal(size=(6, 2)), np.array([0, 0, 1, 2, 3, 4])


def main():
    rng = np.random.default_rng(20240607)
    golden = {"sklearn": sklearn.__version__, "tables": [], "silhouettes": []}
    for name, truth, pred in labellings(rng):
        golden["tables"].append(
            {"name": name, "truth": truth, "pred": pred, "want": scores(truth, pred)}
        )
    for name, x, labels in silhouettes(rng):
        far = cdist(x, x)
        golden["silhouettes"].append(
            {
                "name": name,
                "x": x.tolist(),
                "labels": labels.tolist(),
                "mean": float(metrics.silhouette_score(far, labels, metric="precomputed")),
                "values": metrics.silhouette_samples(
                    far, labels, metric="precomputed"
                ).tolist(),
            }
        )
    text = json.dumps(golden, separators=(",", ":"))
    print(text.replace('{"name"', '\n{"name"'))


main()
