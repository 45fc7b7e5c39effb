"""Files as people have them, of fifty-eight kinds (kinds.py, further.py, others.py, later.py), and what the program makes of them by default.

    python bench/strangers/run.py --bin PROGRAM [--case NAME ...] [--seeds 1] [--work FOLDER]

Each file is made from a seed with a hidden truth. The program is run twice by what a newcomer would type: the file and k (or -k auto),
then with some labels or links. The analyst knows what every column means, reads its numbers, takes logarithms of what is skewed and
runs k-means of scikit-learn (k by the silhouette where nobody knows it); with labels the better of that and a logistic regression, by cross-validation. The measure is the adjusted Rand
index over all rows. Needs numpy, pandas and scikit-learn.
"""
import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile
import time
import warnings
import zlib

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.decomposition import TruncatedSVD
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler, normalize

from files import CASES
import kinds  # noqa: F401, fills CASES
import further  # noqa: F401, fills CASES
import others  # noqa: F401, fills CASES
import later  # noqa: F401, fills CASES

warnings.filterwarnings("ignore")


def make(name, seed, folder):
    """Write the files of a case and return what is known of it."""
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    table, z, x, spec = CASES[name](rng)
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(table, pd.DataFrame):
        spec["file"] = "data.tsv" if spec.get("sep") == "\t" else "data.csv"
        table.to_csv(folder / spec["file"], sep=spec.get("sep", ","), index=False, encoding="utf-8")
        ids = table[spec["id"]].astype(str).tolist()
    elif isinstance(table[0], dict):
        spec["file"] = "data.jsonl"
        (folder / "data.jsonl").write_text("\n".join(json.dumps(r, ensure_ascii=False) for r in table) + "\n", encoding="utf-8")
        ids = [str(r[spec["id"]]) for r in table]
    else:
        spec["file"] = "edges.tsv"
        (folder / "edges.tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
        present = {w for line in table[2:] for w in line.split("\t")[:2]}
        keep = [i for i, w in enumerate(spec["names"]) if w in present]
        ids, z = [spec["names"][i] for i in keep], z[keep]
    rows = rng.permutation(len(z))
    if "labels" in spec:
        some = rows[: spec["labels"]]
        names = np.array([f"group {c}" for c in "ABCDEFGHI"])
        said = z[some].copy()
        for i in range(spec.get("wrong", 0)):
            said[i] = (said[i] + 1) % (z.max() + 1)
        pd.DataFrame({"id": [ids[i] for i in some], "label": names[said]}).to_csv(folder / "labels.csv", index=False)
        spec["known"] = (some, said)
    else:
        lines = []
        for i in range(spec["links"]):
            a, b = rows[2 * i], rows[2 * i + 1]
            same = (z[a] == z[b]) ^ (i < spec.get("wrong", 0))
            lines.append((ids[a], ids[b], "must" if same else "cannot"))
        pd.DataFrame(lines, columns=["a", "b", "kind"]).to_csv(folder / "links.csv", index=False)
    return spec, np.asarray(z), x, ids


def analyst(name, spec, z, x):
    """The scores of the analyst, without and with what is known."""
    k = int(z.max()) + 1
    if x is None:
        return 0.9, 0.9
    if isinstance(x, list):
        tfidf = TfidfVectorizer(min_df=2, max_df=0.3, sublinear_tf=True).fit_transform(x)
        x = normalize(TruncatedSVD(min(30, tfidf.shape[1] - 1), random_state=0).fit_transform(tfidf))
    elif not spec.get("scaled"):
        x = StandardScaler().fit_transform(x)
    if spec.get("k", 0) is None:
        k = max(range(2, 16), key=lambda c: silhouette_score(x, KMeans(c, n_init=3, random_state=0).fit_predict(x)))
    found = KMeans(k, n_init=10, random_state=0).fit_predict(x)
    plain = known = adjusted_rand_score(z, found)
    if "known" in spec:
        some, said = spec["known"]
        model = LogisticRegression(C=1.0, max_iter=500)
        accuracy = cross_val_score(model, x[some], said, cv=3).mean()
        named = np.array([np.bincount(said[found[some] == h], minlength=int(said.max()) + 1).argmax() if (found[some] == h).any() else -1 for h in range(k)])
        if accuracy > (named[found[some]] == said).mean():
            known = adjusted_rand_score(z, model.fit(x[some], said).predict(x))
    return plain, known


@dataclasses.dataclass
class Run:
    score: float
    seconds: float
    how: str
    said: str
    k: int = 0
    trust: str = ""


def flags(spec, z, anchor, plain, known):
    """The same flags as in the measure that the cases are named after."""
    groups = int(z.max()) + 1
    marks = dict(WORSE=known.score < plain.score - 0.01, BELOW=plain.score < anchor[0] - 0.02 or known.score < anchor[1] - 0.02,
                 CHANCE=any(r.score < 0.1 and "warning" not in r.said.lower() for r in (plain, known)),
                 K=spec.get("k", 0) is None and any(abs(r.k - groups) > 0.25 * groups for r in (plain, known)),
                 GOOD=any(r.score < s - 0.1 and r.trust == "good" for r, s in zip((plain, known), anchor)), FAILED=not plain.k or not known.k)
    return [m for m, on in marks.items() if on]


def once(program, folder, spec, z, ids, known):
    out = folder / f"out-{known}.csv"
    out.unlink(missing_ok=True)
    k = [] if known and "labels" in spec else ["-k", "auto" if spec.get("k", 0) is None else str(int(z.max()) + 1)]
    given = [] if not known else ["--labels", "labels.csv"] if "labels" in spec else ["--links", "links.csv"]
    line = [program, "cluster", spec["file"], *k, *spec.get("args", []), *given, "-o", out.name, "--json"]
    began = time.monotonic()
    try:
        p = subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return Run(0.0, 300.0, "over 300 s", "")
    if p.returncode or not out.exists():
        return Run(0.0, time.monotonic() - began, (p.stderr.strip().splitlines() or ["?"])[-1][:150], p.stderr)
    rows = pd.read_csv(out, dtype=str, keep_default_na=False)
    answer = dict(zip(rows["id"], rows["cluster"]))
    if not set(ids) <= set(answer):  # row numbers
        answer = dict(zip(ids, rows["cluster"]))
    said = json.loads(p.stdout or "{}")
    found = [answer.get(i) or "(none)" for i in ids]
    trust = said.get("reliability", {}).get("level", "")
    return Run(adjusted_rand_score(z, found), time.monotonic() - began, f"{said.get('method')} k {said.get('k')} {trust}", p.stderr, k=len(set(found)), trust=trust)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", required=True)
    p.add_argument("--case", nargs="+", default=list(CASES), choices=list(CASES))
    p.add_argument("--seeds", type=int, default=1)
    p.add_argument("--work", type=pathlib.Path)
    p.add_argument("--say", action="store_true", help="also print what the program said")
    p.add_argument("--json", type=pathlib.Path, help="everything, with what the program said")
    a = p.parse_args()
    work = a.work or pathlib.Path(tempfile.mkdtemp())
    program = os.path.abspath(a.bin)
    well = total = 0
    everything = []
    print("case | analyst | plain | with knowledge | seconds | how | flags\n---|---|---|---|---|---|---")
    for name in a.case:
        for seed in range(1, a.seeds + 1):
            folder = work / f"{name}-{seed}"
            spec, z, x, ids = make(name, seed, folder)
            anchor = analyst(name, spec, z, x)
            runs = [once(program, folder, spec, z, ids, known) for known in (False, True)]
            marks = flags(spec, z, anchor, *runs)
            total, well = total + 1, well + ("BELOW" not in marks)
            plain, known = runs
            print(f"{name} #{seed} | {anchor[0]:.2f} / {anchor[1]:.2f} | {plain.score:.2f} | {known.score:.2f} | {plain.seconds:.1f} + {known.seconds:.1f} | {plain.how} → {known.how} | {' '.join(marks)}", flush=True)
            if a.say:
                print("\n".join("    " + line for r in runs for line in r.said.strip().splitlines()[:14]))
            if a.json:
                everything.append(dict(case=name, seed=seed, analyst=anchor, plain=dataclasses.asdict(plain), known=dataclasses.asdict(known), flags=marks))
                a.json.write_text(json.dumps(everything, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"\n{well} of {total} at or above the analyst (within .02, plain and with knowledge)")


if __name__ == "__main__":
    main()
