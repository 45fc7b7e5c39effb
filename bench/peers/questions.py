"""Questions: what answers of the truth are worth to inkling ask, and to COBRAS by its authors."""

import json
import os
import statistics
import subprocess
import tempfile

from measure import CORES, DATA, INKLING, make, measure, peer

SEEDS = int(os.environ.get("SEEDS", 5))
ANSWERS = [10, 20, 50, 100]
TABLES = {"iris": ("Iris", 3), "wine": ("Wine", 3), "wdbc": ("Breast cancer (WDBC)", 2), "digits": ("Digits 3, 8, 9 of scikit-learn", 3)}


def ask(data, truth, k, seed):
    """The adjusted Rand index of inkling ask after so many answers."""
    with tempfile.TemporaryDirectory() as folder:
        out = subprocess.run(
            [INKLING, "ask", data, "-k", str(k), "--scale", "none", "--session", f"{folder}/session.jsonl", "--oracle", truth,
             "--budget", str(max(ANSWERS)), "--seed", str(seed), "--json", "-q"],
            check=True, stdout=subprocess.PIPE, text=True).stdout
    index = {fit["answers"]: fit["ari"] for fit in json.loads(out)["trace"]}
    last = index[max(index)]  # where nothing was left to ask
    return [index.get(a, last) for a in ANSWERS]


def cobras():
    make("cobras", "2", *peer("tables", DATA).command)
    print(f"\nadjusted Rand index of all rows after so many answers, mean of {SEEDS} seeds; the same standardised tables, the truth answers")
    print(f"  {'':34}" + "".join(f"{f'{a} answers':>22}" for a in ANSWERS))
    print(f"  {'':34}" + f"{'inkling':>12}{'COBRAS':>10}" * len(ANSWERS))
    columns = [([], []) for _ in ANSWERS]
    for name, (title, k) in TABLES.items():
        data, truth = DATA / f"cobras-{name}.csv", DATA / f"cobras-{name}-truth.csv"
        mine = [ask(data, truth, k, seed + 1) for seed in range(SEEDS)]
        theirs = measure(peer("cobras", data, truth, ",".join(map(str, ANSWERS)), SEEDS), False, CORES)["values"]
        for at, sides in enumerate(columns):
            for side, runs in zip(sides, (mine, theirs)):
                side.append(statistics.fmean(run[at] for run in runs))
        show(title, [(a[-1], b[-1]) for a, b in columns])
    means = [(statistics.fmean(a), statistics.fmean(b)) for a, b in columns]
    show("mean", means)
    higher = all(a > b for answers, (a, b) in zip(ANSWERS, means) if answers >= 20)
    print(f"  the means at 20, 50 and 100 answers are {'higher' if higher else 'NOT HIGHER'}")


def show(title, values):
    print(f"  {title:34}" + "".join(f"{a:12.3f}{b:10.3f}" for a, b in values), flush=True)
