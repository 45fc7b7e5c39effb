"""Compares inkling dedupe with splink and dedupe: python compare.py PROGRAM FOLDER [--quick] [--kinds K,K] [--seeds N] [--entities N] [--no-anchors]

For every kind and seed, without and with the same 120 known pairs: F, precision and recall over pairs of records, seconds,
and the calibration error: pairs with a probability of .01 or more, in ten bins of equal width, mean difference
between the mean probability and the share of matches, by pairs. Anchors are kept in FOLDER between runs.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import time

from generate import JUDGES, KINDS, LATER, UNSEEN, generate

HERE = pathlib.Path(__file__).resolve().parent


def table(path):
    with open(path, encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def quality(truth, entity):
    def pairs(keys):
        count = {}
        for k in keys:
            count[k] = count.get(k, 0) + 1
        return sum(c * (c - 1) / 2 for c in count.values())
    ids = list(truth)
    found = [entity.get(i, i) for i in ids]
    both, real, made = pairs(zip((truth[i] for i in ids), found)), pairs(truth.values()), pairs(found)
    return dict(f=2 * both / max(real + made, 1), precision=both / max(made, 1), recall=both / max(real, 1))


def calibration(truth, pairs):
    bins = [[0, 0.0, 0] for _ in range(10)]
    for a, b, p in pairs:
        if p >= .01:
            x = bins[min(int(p * 10), 9)]
            x[0] += 1
            x[1] += p
            x[2] += truth[a] == truth[b]
    total = sum(x[0] for x in bins)
    return sum(abs(x[1] - x[2]) for x in bins) / total if total else None


def ours(program, folder, truth, links, more=()):
    out, pairs = folder / "entities.csv", folder / "pairs.csv"
    line = [program, "dedupe", str(folder / "records.csv"), "-o", str(out), "--links-out", str(pairs), "--json", "-q", *more] + (["--links", str(folder / "links.csv")] if links else [])
    begin = time.time()
    p = subprocess.run(line, capture_output=True, text=True)
    if p.returncode:
        sys.exit(" ".join(line) + "\n" + p.stderr)
    said = json.loads(p.stdout)
    spent = time.time() - begin
    result = quality(truth, {r["id"]: r["entity"] for r in table(out)})
    scored = [(r["a"], r["b"], float(r["probability"])) for r in table(pairs)]
    if links:  # of pairs that nobody gave
        known = {frozenset((r["a"], r["b"])) for r in table(folder / "links.csv")}
        scored = [p for p in scored if frozenset(p[:2]) not in known]
    result.update(ece=calibration(truth, scored), seconds=spent)
    taken = [t for t in said.get("thresholds", []) if t.get("taken")]
    if taken:
        result["table_error"] = max(abs(taken[0]["precision"] - result["precision"]), abs(taken[0]["recall"] - result["recall"]))
    return result


def anchor(tool, folder, truth, links):
    kept = folder / f"{tool}{'-links' if links else ''}.json"
    if not kept.exists():
        p = subprocess.run([sys.executable, str(HERE / "anchors.py"), tool, str(folder), *(["links"] if links else [])], capture_output=True, text=True)
        if p.returncode:
            print(f"{tool} failed: {p.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
            return None
        kept.write_text(p.stdout.strip().splitlines()[-1])
    answer = json.loads(kept.read_text())
    return dict(quality(truth, answer["entity"]), ece=calibration(truth, answer["pairs"]), seconds=answer["seconds"])


def mean(list_, key):
    values = [r[key] for r in list_ if r and r.get(key) is not None]
    return sum(values) / len(values) if values else None


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("program")
    a.add_argument("folder", type=pathlib.Path)
    a.add_argument("--quick", action="store_true", help="one seed, 300 entities, splink on contacts only")
    a.add_argument("--kinds", default=",".join([*KINDS, *UNSEEN, *JUDGES, *LATER]))
    a.add_argument("--seeds", type=int, default=5)
    a.add_argument("--entities", type=int, default=700)
    a.add_argument("--no-anchors", action="store_true")
    a.add_argument("--json", type=pathlib.Path)
    o = a.parse_args()
    entities, seeds = (300, 1) if o.quick else (o.entities, o.seeds)

    def show(x):
        return "–" if x is None else f"{x:.3f}"
    print("kind | known pairs | tool | F | lowest F | precision | recall | calibration error | table error | --precision .98 | seconds\n" + "---|" * 10 + "---")
    bad, every = [], []
    for kind in o.kinds.split(","):
        runs = {}
        for seed in range(1, seeds + 1):
            folder = o.folder / f"{kind}-{seed}-{entities}"
            if not (folder / "links.csv").exists():
                generate(kind, seed, folder, entities)
            truth = {r["id"]: r["label"] for r in table(folder / "truth.csv")}
            for links in (False, True):
                r = ours(o.program, folder, truth, links)
                strict = ours(o.program, folder, truth, links, ["--precision", ".98"])
                r["strict"] = strict["precision"]
                runs.setdefault((links, "inkling"), []).append(r)
                every.append(dict(kind=kind, seed=seed, links=links, **r))
                for tool in ("splink", "dedupe"):
                    if o.no_anchors or tool == "dedupe" and not links or o.quick and (kind != "contacts" or tool == "dedupe"):
                        continue
                    runs.setdefault((links, tool), []).append(anchor(tool, folder, truth, links))
            plain, known = runs[False, "inkling"][-1], runs[True, "inkling"][-1]
            if known["f"] < plain["f"] - 1e-9:
                bad.append(f"{kind}, seed {seed}: F {known['f']:.3f} with links, {plain['f']:.3f} without")
        for (links, tool), list_ in sorted(runs.items()):
            fs = [r["f"] for r in list_ if r]
            print(f"{kind} | {120 if links else 0} | {tool} | {show(mean(list_, 'f'))} | {show(min(fs, default=None))} | {show(mean(list_, 'precision'))} | {show(mean(list_, 'recall'))} | "
                  f"{show(mean(list_, 'ece'))} | {show(mean(list_, 'table_error'))} | {show(mean(list_, 'strict'))} | {show(mean(list_, 'seconds'))}", flush=True)
            if tool != "inkling" and mean(runs[links, "inkling"], "f") < (mean(list_, "f") or 0):
                bad.append(f"{kind}, {'with' if links else 'without'} links: F below that of {tool}")
            if tool == "inkling" and (mean(list_, "ece") or 0) > .05:
                bad.append(f"{kind}, {'with' if links else 'without'} links: calibration error {mean(list_, 'ece'):.3f}")
    print("\n" + ("\n".join(bad) if bad else "all goals hold"))
    if o.json:
        o.json.write_text(json.dumps(every, indent=1) + "\n")


if __name__ == "__main__":
    main()
