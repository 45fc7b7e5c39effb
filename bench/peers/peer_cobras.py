"""COBRAS by its authors (cobras-ts), answered by the true classes, and the tables for it."""

import random
import time


def tables(out):
    """Writes the standardised tables as CSV, and their classes."""
    import pathlib

    import numpy as np
    from sklearn import datasets
    from sklearn.preprocessing import StandardScaler

    digits = datasets.load_digits()
    some = np.isin(digits.target, [3, 8, 9])
    sets = {
        "iris": datasets.load_iris(return_X_y=True), "wine": datasets.load_wine(return_X_y=True),
        "wdbc": datasets.load_breast_cancer(return_X_y=True), "digits": (digits.data[some], digits.target[some]),
    }
    out = pathlib.Path(out)
    for name, (x, y) in sets.items():
        x = StandardScaler().fit_transform(x)
        head = ",".join(f"f{j}" for j in range(x.shape[1]))
        np.savetxt(out / f"cobras-{name}.csv", x, delimiter=",", fmt="%.17g", header=head, comments="")
        with open(out / f"cobras-{name}-truth.csv", "w") as f:
            f.write("id,label\n")
            f.writelines(f"{i},c{c}\n" for i, c in enumerate(y))


def cobras(path, truth, answers, seeds):
    """The adjusted Rand index after so many answers, for each seed."""
    import numpy as np

    np.int = int  # what the package calls it; numpy does not any more
    from cobras_ts.cobras_kmeans import COBRAS_kmeans
    from sklearn.metrics import adjusted_rand_score

    x = np.loadtxt(path, delimiter=",", skiprows=1)
    y = [line.strip().split(",")[1] for line in open(truth)][1:]
    points = [int(a) for a in answers.split(",")]

    class Truth:
        asked = 0

        def query_points(self, a, b):
            self.asked += 1
            return y[a] == y[b]

        def query_limit_reached(self):
            return self.asked >= max(points)

        def continue_cluster_process(self):
            return True

        def update_clustering(self, clustering):
            pass

        update_clustering_detailed = update_clustering

    values, seconds = [], []
    for seed in range(int(seeds)):
        np.random.seed(seed)
        random.seed(seed)
        start = time.perf_counter()
        steps = COBRAS_kmeans(x, Truth(), max(points)).cluster()[1]
        seconds.append(time.perf_counter() - start)
        values.append([adjusted_rand_score(y, steps[min(p, len(steps)) - 1]) for p in points])
    return {"values": values, "seconds": seconds}


TASKS = {"tables": tables, "cobras": cobras}
