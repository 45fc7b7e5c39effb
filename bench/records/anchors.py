"""Splink 5 and dedupe 3 as somebody uses them who reads their first page: python anchors.py splink|dedupe FOLDER [links]

Prints one JSON object: the entity of every record, and the probabilities of pairs where the tool gives them.
"""
import csv
import json
import logging
import pathlib
import re
import sys
import time
import warnings


def read(folder):
    with open(folder / "records.csv", encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    return [{k: None if v.strip().lower() in ("", "-", "n/a") else v.strip() for k, v in r.items()} for r in rows]


def read_links(folder):
    with open(folder / "links.csv", encoding="utf-8", newline="") as f:
        return [(r["a"], r["b"], r["kind"]) for r in csv.DictReader(f)]


def kind_of(name):
    for kind, pattern in dict(email="mail", name="^(first|last|name|artist)$", postcode="zip|postcode", date="dob|born").items():
        if re.search(pattern, name):
            return kind
    return "text"


def splink(folder, with_links):
    import pandas as pd
    import splink.comparison_library as cl
    from splink import Linker, SettingsCreator, block_on
    try:
        from splink.backends.duckdb import DuckDBAPI
    except ImportError:
        from splink import DuckDBAPI
    logging.disable(logging.CRITICAL)
    rows = read(folder)
    frame = pd.DataFrame(rows).rename(columns={"record_id": "unique_id"})
    frame.columns = ["unique_id", *(c + "_" for c in frame.columns[1:])]  # a column called user is an error in its SQL
    for c in frame.columns[1:]:
        frame[c] = frame[c].str.lower()
    fields = list(frame.columns[1:])
    made = {"email": cl.EmailComparison, "name": cl.NameComparison}
    comparisons = []
    for f in fields:
        few = frame[f].nunique() < 5
        if few:
            comparisons.append(cl.ExactMatch(f))
        elif kind_of(f[:-1]) in made:
            comparisons.append(made[kind_of(f[:-1])](f))
        else:
            comparisons.append(cl.JaroWinklerAtThresholds(f, [.92, .8]).configure(term_frequency_adjustments=True))
    rules = [block_on(f) for f in fields if frame[f].nunique() > 20] + [block_on(f"substr({f},1,6)") for f in fields if frame[f].nunique() > 200]
    settings = SettingsCreator(link_type="dedupe_only", comparisons=comparisons, blocking_rules_to_generate_predictions=rules, retain_intermediate_calculation_columns=False)
    db = DuckDBAPI()
    linker = Linker(db.register(frame), settings)
    unique = sorted((f for f in fields if frame[f].nunique() > 20), key=lambda f: -frame[f].nunique())
    linker.training.estimate_probability_two_random_records_match([block_on(a, b) for i, a in enumerate(unique[:4]) for b in unique[:i]], recall=.7)
    linker.training.estimate_u_using_random_sampling(max_pairs=1e6, seed=1)
    if with_links:
        import inspect
        labels = pd.DataFrame([(a, b, 1.0) for a, b, k in read_links(folder) if k == "must"], columns=["unique_id_l", "unique_id_r", "clerical_match_score"])
        linker.training.estimate_m_from_pairwise_labels(db.register(labels))
    else:
        for f in [f for f in unique if frame[f].dropna().duplicated().sum() >= 20][:2]:  # a column without equal cells gives splink no pairs to train on
            linker.training.estimate_parameters_using_expectation_maximisation(block_on(f), record_sample_proportion=1.0)
    predicted = linker.inference.predict(threshold_match_probability=.001)
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(predicted, threshold_match_probability=.5)
    found = clusters.as_pandas_dataframe()
    pairs = predicted.as_pandas_dataframe()
    return dict(zip(found.unique_id, found.cluster_id)), list(zip(pairs.unique_id_l, pairs.unique_id_r, pairs.match_probability))


def dedupe(folder, with_links):
    import random
    import numpy as np
    import dedupe as tool
    from dedupe import variables as v
    random.seed(1)
    np.random.seed(1)
    rows = {r.pop("record_id"): r for r in read(folder)}
    rows = {i: {k: c.lower() if c else c for k, c in r.items()} for i, r in rows.items()}
    fields = list(next(iter(rows.values())))
    d = tool.Dedupe([v.String(f, has_missing=any(r[f] is None for r in rows.values())) for f in fields], num_cores=1)
    marked = {"match": [], "distinct": []}
    for a, b, kind in read_links(folder):
        marked["match" if kind == "must" else "distinct"].append((rows[a], rows[b]))
    d.prepare_training(rows, sample_size=1500)
    d.mark_pairs(marked)
    d.train(recall=1.0)
    out = {}
    for number, (members, _) in enumerate(d.partition(rows, .5)):
        out.update({m: number for m in members})
    return out, []


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    begin = time.time()
    entity, pairs = dict(splink=splink, dedupe=dedupe)[sys.argv[1]](pathlib.Path(sys.argv[2]), len(sys.argv) > 3)
    print(json.dumps(dict(entity={str(k): str(e) for k, e in entity.items()}, pairs=[(str(a), str(b), float(p)) for a, b, p in pairs], seconds=time.time() - begin)))
