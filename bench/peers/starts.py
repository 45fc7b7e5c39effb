"""How low k-means ends, and how soon: default fits from many seeds beside scikit-learn's."""

import hashlib
import importlib.metadata
import json
import os
import pathlib
import statistics

from measure import CORES, DATA, HERE, OURS, SAME, make, measure, ours, peer

SEEDS = int(os.environ.get("SEEDS", 10))
HIGH = int(os.environ.get("HIGH", 3))  # seeds at high effort
LOW = int(os.environ.get("LOW", SEEDS))  # times ten seeds at low effort
TIMES = int(os.environ.get("TIMES", 3))  # how often a fit is made that takes less than a second
WANTED = os.environ.get("CASES", "").split()
SHARED = pathlib.Path(os.environ.get("INKLING_DATA", HERE.parents[2] / "shared" / "data"))

# name: rows, features, centres, half the side of the cube
BLOBS = {
    "blobs-20": (20_000, 2, 20, 20), "blobs-50": (20_000, 16, 50, 4), "blobs-64d": (100_000, 64, 20, 2),
    "blobs-100": (100_000, 16, 100, 4), "blobs-500": (1_000_000, 16, 500, 4),
}
# name: file, numbers of clusters
TABLES = {
    "letter": ("letter/data.csv.gz", (26, 200)), "pendigits": ("pendigits/data.csv.gz", (10, 100)),
    "mnist": ("mnist/data.idx3-ubyte.gz", (10, 100)), "news": ("20news/data.mtx.gz", (20, 100)),
}


def cases():
    """name, file, k, distortion"""
    for name, (n, d, k, half) in BLOBS.items():
        if not WANTED or name in WANTED:
            path = DATA / f"{name}.npy"
            make(name, f"{n} {d} {k} {half}", OURS, "make-separated", path, n, d, k, half)
            yield f"{name}: {n} × {d}, k = {k}", path, k, "euclidean"
    for name, (source, ks) in TABLES.items():
        if WANTED and name not in WANTED:
            continue
        if not (SHARED / source).exists():
            print(f"\n{name}: left out, there is no {SHARED / source} (INKLING_DATA names the folder)")
            continue
        if name == "news":
            path = DATA / "news.mtx"
            make("news", "20", *peer("news", SHARED / source, path, DATA / "news.centres.npy", 20).command)
        else:
            path = DATA / f"{name}.npy"
            make(name, source, *peer("table", SHARED / source, path).command)
        for k in ks:
            yield f"{name}, k = {k}", path, k, "cosine" if name == "news" else "euclidean"


class Log:
    """What was measured so far, one line of JSON for each turn of a side, so that a run that was stopped goes on.

    Turns of other builds, and of other versions of scikit-learn, do not count.
    """

    def __init__(self, path):
        self.path, self.found = path, {}
        self.of = [hashlib.sha256(OURS.read_bytes()).hexdigest(), importlib.metadata.version("scikit-learn"), CORES]
        if path.exists():
            for line in path.read_text().splitlines():
                turn = json.loads(line)
                if turn["of"] == self.of:
                    self.found[turn["key"]] = turn["said"]
        if self.found:
            print(f"{path.name} has {len(self.found)} turns of this build; this run adds the others")

    def measure(self, key, side):
        """values and seconds of a turn, from the log or by running it."""
        if key not in self.found:
            said = measure(side, False, CORES)
            self.found[key] = {name: said[name] for name in ("values", "seconds")}
            with self.path.open("a") as f:
                f.write(json.dumps({"of": self.of, "key": key, "said": self.found[key]}) + "\n")
        return self.found[key]

    def shortest(self, title, seed, sides):
        """The turns of sides, name -> Side, for a seed, with the shortest of the times that each fit took.

        Fits that take less than a second are made TIMES times: a moment in which the machine does
        something else would count for too much.
        """
        done = {name: [] for name in sides}
        for time in range(TIMES):
            for name, side in sides.items():
                if time == 0 or statistics.median(done[name][0]["seconds"]) < 1:
                    done[name].append(self.measure(f"{title} {name} {seed}" + f", time {1 + time}" * (time > 0), side))
        return {name: {"values": turns[0]["values"], "seconds": [min(of) for of in zip(*(t["seconds"] for t in turns))]}
                for name, turns in done.items()}


def starts():
    """Mean objective over the seeds, relative to the lowest value that either side found.

    The sides take turns, one for each of our seeds. scikit-learn makes ten times as
    many single starts; n_init=10 is the best of each ten. So do we at low effort, after
    that, only for the lowest value.
    """
    print(f"\nk-means by default, {SEEDS} seeds, objective above the lowest found by anybody, wall seconds of a fit")
    log = Log(DATA / "starts.jsonl")
    print(f"  {'':34}{'normal':>9}{'high':>9}{'n_init=10':>11}{'n_init=1':>10}   {'s normal':>9}{'s high':>9}{'s n_init=1':>11}   verdict")
    for title, path, k, distortion in cases():
        runs = {"normal": [], "high": [], "peer": [], "low": []}
        for seed in range(SEEDS):
            sides = {effort: ours("starts", path, k, distortion, effort, 1 + seed, 1) for effort in ("normal", "high")[: 1 + (seed < HIGH)]}
            sides["peer"] = peer("starts", path, k, distortion, 10 * seed, 10)
            for name, turn in log.shortest(title, seed, sides).items():
                runs[name].append(turn)
        for seed in range(LOW):
            runs["low"].append(log.measure(f"{title} low {seed}", ours("starts", path, k, distortion, "low", 1 + 10 * seed, 10)))
        mine, high, one, low = ([y for turn in side for y in turn["values"]] for side in runs.values())
        ten = [min(turn["values"]) for turn in runs["peer"]]
        best = min(mine + high + one + low)

        def above(values):
            return statistics.fmean(values) / best - 1

        took = [statistics.median([y for turn in runs[name] for y in turn["seconds"]]) for name in ("normal", "high", "peer")]
        met = [
            "lower" if statistics.fmean(mine) <= statistics.fmean(ten) * (1 + SAME) else "HIGHER",
            "sooner" if took[0] <= took[2] else "LATER",
            "near" if above(high) <= 0.003 else "FAR",
        ]
        print(f"  {title:34}{above(mine):9.3%}{above(high):9.3%}{above(ten):11.3%}{above(one):10.3%}   "
              f"{took[0]:9.3f}{took[1]:9.3f}{took[2]:11.3f}   {' '.join(met)}", flush=True)
