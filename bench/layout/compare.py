"""Lays sets out by inkling, umap-learn and openTSNE, each with its defaults, and prints how faithful the pictures are.

All get the same rows: those that inkling prepares. Trustworthiness and continuity (Venna and Kaski 2001) are of the 15 nearest
points of 1,000 rows. CPU seconds are those of the layout alone, over all threads, after a first call on few rows.
"""

import gzip
import os
import re
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse

NEAREST, JUDGED = 15, 1000
here = Path(__file__).parent / "data"
sets = Path(os.environ.get("INKLING_DATA", Path(__file__).parents[3] / "shared" / "data"))


def news(most):
    """Latent semantic analysis: TF-IDF, 50 components."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfTransformer

    with gzip.open(sets / "20news" / "data.mtx.gz") as f:
        counts = scipy.sparse.csr_matrix(scipy.io.mmread(f))
    x = TruncatedSVD(50, random_state=0).fit_transform(TfidfTransformer(sublinear_tf=True).fit_transform(counts))
    return np.ascontiguousarray(some(x, most), dtype=np.float32)


def digits(most):
    """The first 50 principal components of the pixels."""
    from sklearn.decomposition import PCA

    with gzip.open(sets / "mnist" / "data.idx3-ubyte.gz") as f:
        b = f.read()
    n, h, w = struct.unpack(">III", b[4:16])
    x = some(np.frombuffer(b, np.uint8, offset=16).reshape(n, h * w), most)
    return PCA(50, random_state=0).fit_transform(x.astype(np.float32) / 255).astype(np.float32)


def some(x, most):
    return x[np.sort(np.random.default_rng(1).permutation(len(x))[:most])]


def ours(name, path):
    places, rows = here / f"{name}.places.csv", here / f"{name}.rows.mtx"
    said = subprocess.run([here / "layout", "-places", places, "-rows", rows, path], check=True, capture_output=True, text=True).stdout
    x = scipy.io.mmread(rows).toarray().astype(np.float32)
    return x, np.loadtxt(places, delimiter=","), float(re.search(r"([0-9.]+) CPU s", said)[1])


def umap(x):
    import umap as library

    return library.UMAP().fit_transform(x)


def opentsne(x):
    import openTSNE

    return np.asarray(openTSNE.TSNE(n_jobs=os.cpu_count()).fit(x))


def nearest_and_ranks(x, judged):
    for i in judged:
        d = ((x - x[i]) ** 2).sum(1)
        d[i] = -1
        order = np.argsort(d, kind="stable")
        rank = np.empty(len(x), dtype=np.int64)
        rank[order] = np.arange(len(x))
        yield order[1 : NEAREST + 1], rank


def faithful(x, y):
    n = len(x)
    judged = np.random.default_rng(2).permutation(n)[:JUDGED]
    trust = continuity = 0
    for (near, rank), (shown, place) in zip(nearest_and_ranks(x, judged), nearest_and_ranks(y, judged)):
        trust += np.maximum(rank[shown] - NEAREST, 0).sum()
        continuity += np.maximum(place[near] - NEAREST, 0).sum()
    scale = 2 / (len(judged) * NEAREST * (2 * n - 3 * NEAREST - 1))
    return 1 - scale * trust, 1 - scale * continuity


def main():
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    print(f"{'set':26}{'by':12}{'trustworthiness':>16}{'continuity':>12}{'CPU s':>8}")
    for name, path, make in [("20 Newsgroups, LSA", "20news", news), ("MNIST", "mnist", digits), ("hypothyroid, mixed", "mixed/hypothyroid.csv", None)]:
        if not (sets / path).exists():
            print(f"{name}: there is no {sets / path}")
            continue
        source = sets / path
        if make:
            source = here / f"{path}.npy"
            np.save(source, make(most))
        x, y, used = ours(path.replace("/", "-"), source)
        results = [("inkling", y, used)]
        for by, lay in [("umap-learn", umap), ("openTSNE", opentsne)]:
            lay(x[:200])
            begun = time.process_time()
            y = lay(x)
            results.append((by, y, time.process_time() - begun))
        for by, y, used in results:
            trust, continuity = faithful(x, y)
            print(f"{name + ', ' + str(len(x)):26}{by:12}{trust:16.4f}{continuity:12.4f}{used:8.1f}", flush=True)


main()
