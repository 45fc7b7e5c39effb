"""Files as people have them, of twenty kinds, and what the program makes of them by default.

    python bench/strangers/run.py --bin PROGRAM [--case NAME ...] [--seeds 1] [--work FOLDER]

Each file is made from a seed with a hidden truth. The program is run twice by what a newcomer would type: the file and k (or -k auto),
then with some labels or links. The analyst knows what every column means, reads its numbers, takes logarithms of what is skewed and
runs k-means of scikit-learn; with labels the better of that and a logistic regression, by cross-validation. The measure is the adjusted Rand
index over all rows. Needs numpy, pandas and scikit-learn.
"""
import argparse
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
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler, normalize

warnings.filterwarnings("ignore")
CASES = {}


def case(f):
    CASES[f.__name__.replace("_", "-")] = f
    return f


def latent(rng, n, k, d, sep=4.5):
    """Rows in k groups of unequal size whose centres are at least sep apart, in d columns."""
    z = rng.choice(k, n, p=rng.dirichlet(np.full(k, 8.0)))
    best = max((rng.normal(size=(k, d)) for _ in range(300)), key=lambda c: min(np.linalg.norm(c[i] - c[j]) for i in range(k) for j in range(i)))
    best = best / min(np.linalg.norm(best[i] - best[j]) for i in range(k) for j in range(i))
    return z, sep * best[z] + rng.normal(size=(n, d))


def words(rng, n, parts):
    return ["".join(rng.choice(p) for p in parts).capitalize() for _ in range(n)]


def level(rng, z, names, strength=0.75):
    own = {g: rng.choice(names) for g in range(z.max() + 1)}
    return np.where(rng.random(len(z)) < strength, [own[g] for g in z], rng.choice(names, len(z)))


def holes(rng, column, token, share=0.05):
    column = np.array(column, dtype=object)
    column[rng.random(len(column)) < share] = token
    return column


def comma(v, digits=1):
    return f"{v:.{digits}f}".replace(".", ",")


SYL = [["ka", "lo", "mi", "ra", "te", "vo", "su", "ne", "bri", "dan"], ["ri", "na", "lu", "to", "ska", "ver", "lin", "mar"], ["s", "n", "a", "o", "k", ""]]


# Each case returns: the table (or lines of a file), the truth, the analyst's columns, and what is typed.

@case
def plants_pl(rng):
    z, x = latent(rng, 420, 4, 4)
    height = np.exp(4 + 0.7 * x[:, 0])
    t = pd.DataFrame({
        "nazwa": words(rng, len(z), SYL), "gatunek łaciński": [a + " " + b.lower() for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))],
        "wysokość": [f"{comma(h / 100, 2)} m" if rng.random() < 0.4 else f"{h:.0f} cm" for h in height],
        "cena": [f"{comma(20 * np.exp(0.6 * v), 2)} zł" for v in x[:, 1]],
        "woda l/tydzień": holes(rng, [comma(4 + v) for v in x[:, 2]], "brak"), "słońce h": [comma(max(0, 6 + v)) for v in x[:, 3]],
        "dostawca": rng.choice(["Zielony", "Ogród", "Flora"], len(z)), "kod": [f"PL-{i:05d}" for i in rng.permutation(90000)[: len(z)]]})
    return t, z, np.column_stack([np.log(height), x[:, 1:]]), dict(sep=";", id="kod", labels=40)


@case
def footballers_it(rng):
    z, x = latent(rng, 500, 4, 5)
    value = np.exp(13 + x[:, 4])
    t = pd.DataFrame({
        "tesserino": rng.permutation(np.arange(100000, 900000))[: len(z)], "nome": [a + " " + b for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))],
        "nato il": (pd.Timestamp("1990-01-01") + pd.to_timedelta(rng.integers(0, 5000, len(z)), "D")).strftime("%d/%m/%Y"),
        "gol": np.maximum(0, np.round(10 + 3 * x[:, 0])).astype(int), "passaggi": [f"{v:,.0f}".replace(",", ".") for v in 1500 + 300 * x[:, 1]],
        "contrasti": np.round(50 + 12 * x[:, 2]).astype(int), "precisione": [f"{comma(70 + 6 * v)}%" for v in x[:, 3]],
        "valore": [f"€ {v / 1e6:.1f} Mln".replace(".", ",") if v > 1e6 else f"€ {v / 1e3:.0f} mila" for v in value],
        "squadra": rng.choice([f"AC {w}" for w in words(rng, 40, SYL)], len(z)), "piede": rng.choice(["destro", "sinistro"], len(z), p=[0.75, 0.25])})
    return t, z, x[:, :4], dict(id="tesserino", links=60)


@case
def beers_cs(rng):
    z, x = latent(rng, 380, 5, 4)
    t = pd.DataFrame({
        "pivo": [f"{w} č. {i}" for i, w in enumerate(words(rng, len(z), SYL))], "pivovar": rng.choice(words(rng, 120, SYL), len(z)),
        "alkohol": [f"{comma(5 + 0.8 * v)} %" for v in x[:, 0]], "IBU": np.maximum(1, np.round(35 + 9 * x[:, 1])).astype(int),
        "EBC": np.round(np.exp(3 + 0.5 * x[:, 2])).astype(int), "plato": holes(rng, [comma(12 + v) for v in x[:, 3]], "neuvedeno"),
        "šarže": [f"L{rng.integers(1e6):06d}{rng.choice(list('ABCD'))}" for _ in z], "datum": pd.date_range("2023-01-02", periods=len(z)).strftime("%-d. %-m. %Y")})
    return t, z, x, dict(sep=";", id="pivo", labels=45)


@case
def cars_nl(rng):
    z, x = latent(rng, 600, 4, 5)
    km = np.exp(11 + 0.5 * x[:, 1])
    t = pd.DataFrame({
        "kenteken": [f"{rng.choice(list('GHJKLNPRST'))}-{rng.integers(100, 999)}-{''.join(rng.choice(list('BDFGHJKLX'), 2))}" for _ in z],
        "bouwjaar": np.round(2014 + 2 * x[:, 0]).astype(int), "km-stand": [f"{v:,.0f} km".replace(",", ".") for v in km],
        "verbruik": [f"{comma(6 + 0.7 * v)} l/100km" for v in x[:, 2]], "vermogen": [f"{90 + 18 * v:.0f} pk" for v in x[:, 3]],
        "gewicht": [f"{(1300 + 160 * v) / 1000:.2f} t".replace(".", ",") if rng.random() < 0.2 else f"{1300 + 160 * v:.0f} kg" for v in x[:, 4]],
        "kleur": rng.choice(["zwart", "wit", "grijs", "blauw", "rood"], len(z)), "apk tot": (pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 700, len(z)), "D")).strftime("%d-%m-%Y")})
    return t, z, np.column_stack([x[:, 0], np.log(km), x[:, 2:]]), dict(id="kenteken", links=50)


@case
def pupils_pt(rng):
    z, x = latent(rng, 300, 3, 5, sep=4)
    t = pd.DataFrame({
        "nº": np.arange(1, len(z) + 1), "aluno": [a + " " + b for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))],
        "email": [f"{w.lower()}{i}@escola.pt" for i, w in enumerate(words(rng, len(z), SYL))], "turma": rng.choice(["9A", "9B", "9C", "9D"], len(z)),
        "matemática": [comma(12 + 2 * v) for v in x[:, 0]], "português": [comma(12 + 2 * v) for v in x[:, 1]], "ciências": holes(rng, [comma(12 + 2 * v) for v in x[:, 2]], "faltou"),
        "faltas": np.maximum(0, np.round(np.exp(1.8 + 0.6 * x[:, 3]))).astype(int), "estudo h/sem": [comma(max(0, 6 + 1.2 * v)) for v in x[:, 4]]})
    return t, z, x, dict(sep=";", id="nº", labels=30, wrong=3)


@case
def hosts_jsonl(rng):
    z, x = latent(rng, 500, 4, 4)
    rows = []
    for i in range(len(z)):
        mem, lat = np.exp(6.5 + 0.8 * x[i, 1]), np.exp(4 + 0.8 * x[i, 2])
        rows.append({"host": f"ip-10-{rng.integers(255)}-{rng.integers(255)}-{i}", "cpu": {"mean": round(50 + 9 * x[i, 0], 2), "cores": int(rng.choice([4, 8, 16]))},
                     "mem": {"rss": f"{mem / 1024:.2f} GB" if mem > 1500 else f"{mem:.0f} MB"}, "latency": {"p99": f"{lat / 1000:.2f} s" if lat > 1000 else f"{lat:.0f}ms"},
                     "errors": None if rng.random() < 0.04 else int(max(0, round(30 + 8 * x[i, 3]))), "kernel": f"6.{rng.integers(1, 9)}.{rng.integers(0, 40)}", "tags": ["a", "b"]})
    return rows, z, x, dict(id="host", links=50)


@case
def weather_stations(rng):
    z, x = latent(rng, 450, 5, 5)
    put = lambda v, share=0.08: np.where(rng.random(len(v)) < share, -9999, np.round(v, 1))  # noqa: E731
    t = pd.DataFrame({"station": [f"W{i:06d}" for i in rng.permutation(999999)[: len(z)]], "temp_mean": put(11 + 3 * x[:, 0]), "temp_range": put(12 + 2 * x[:, 1]),
                      "rain_mm": put(np.exp(6 + 0.5 * x[:, 2])), "wind_ms": put(5 + x[:, 3]), "sun_h": put(1700 + 200 * x[:, 4]), "operator": rng.choice(["MET", "UNI", "PRIV"], len(z))})
    return t, z, x, dict(id="station", links=50)


@case
def books_sv(rng):
    z, x = latent(rng, 520, 5, 4)
    t = pd.DataFrame({
        "ISBN": [f"978-91-{rng.integers(10, 99)}-{rng.integers(10000, 99999)}-{rng.integers(10)}" for _ in z], "titel": [" ".join(words(rng, 3, SYL)) for _ in z],
        "författare": [a + " " + b for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))], "sidor": np.maximum(20, np.round(300 + 60 * x[:, 0])).astype(int),
        "utlån": np.round(np.exp(3 + 0.9 * x[:, 1])).astype(int), "år": np.round(1995 + 6 * x[:, 2]).astype(int), "betyg": holes(rng, [comma(3 + 0.4 * v, 2) for v in x[:, 3]], "–"),
        "språk": level(rng, z, ["svenska", "engelska", "finska", "arabiska"], 0.5), "hylla": [f"H{rng.integers(1, 400)}" for _ in z]})
    return t, z, x, dict(sep="\t", id="ISBN", labels=50)


TOPICS_ES = ["horno harina levadura masa pan amasar hornear miga corteza", "pescado limón gamba marisco pulpo mar salsa plancha mejillón",
             "chocolate azúcar nata vainilla postre bizcocho crema helado dulce", "lenteja garbanzo guiso olla caldo laurel cocido chorizo puchero",
             "lechuga tomate aceite ensalada pepino vinagre aguacate fresco crudo"]
FILL_ES = "se pone con una de la el y en poco más luego bien todo para que durante minutos añadir mezclar servir receta".split()


def texts(rng, n, topics, fill, own=0.4):
    z = rng.integers(len(topics), size=n)
    return z, [" ".join(rng.choice(topics[g].split()) if rng.random() < own else rng.choice(fill) for _ in range(rng.integers(12, 40))) for g in z]


@case
def recipes_es(rng):
    z, text = texts(rng, 450, TOPICS_ES, FILL_ES)
    t = pd.DataFrame({"url": [f"https://cocina.example/r/{i}" for i in rng.permutation(9999)[: len(z)]], "publicado": pd.date_range("2022-03-01", periods=len(z), freq="7h"), "receta": text})
    return t, z, text, dict(args=["--text", "receta"], id="url", labels=40)


TOPICS_FR = ["facture paiement remboursement montant prélèvement carte erreur somme", "livraison colis retard transporteur adresse suivi perdu reçu",
             "mot passe connexion compte identifiant bloqué code accès", "panne écran batterie garantie réparation appareil allume cassé"]
FILL_FR = "bonjour je vous ai le la les un une pour et avec mon ma depuis merci de bien vouloir cordialement hier toujours pas".split()


@case
def mails_fr(rng):
    z, text = texts(rng, 400, TOPICS_FR, FILL_FR, 0.35)
    t = pd.DataFrame({"ref": [f"M{i:05d}" for i in range(len(z))], "message": text})
    t.loc[rng.choice(len(t), 4, replace=False), "message"] = ""
    return t, z, text, dict(id="ref", labels=30)


@case
def baskets(rng):
    k, d = 5, 22
    z = rng.choice(k, 600)
    profile = rng.dirichlet(np.full(d, 0.4), k)
    size = np.exp(rng.normal(3.2, 0.8, len(z)))
    counts = rng.poisson(size[:, None] * (0.85 * profile[z] + 0.15 / d))
    counts[counts.sum(1) == 0, 0] = 1
    t = pd.DataFrame(counts, columns=[f"art_{i:02d}" for i in range(d)])
    t.insert(0, "basket", [f"B{i:06d}" for i in rng.permutation(999999)[: len(z)]])
    share = np.sqrt(counts / counts.sum(1, keepdims=True))
    return t, z, share, dict(id="basket", links=60, scaled=True)


@case
def trains_durations(rng):
    z, x = latent(rng, 480, 4, 4)
    clock = lambda s: f"{int(s) // 3600:02d}:{int(s) // 60 % 60:02d}:{int(s) % 60:02d}"  # noqa: E731
    t = pd.DataFrame({"run_id": rng.permutation(np.arange(10**9, 10**9 + 99999))[: len(z)], "line": rng.choice([f"S{i}" for i in range(1, 9)], len(z)),
                      "delay": [clock(max(0, 600 + 140 * v)) for v in x[:, 0]], "duration": [clock(max(60, 5400 + 900 * v)) for v in x[:, 1]],
                      "stops": np.round(18 + 3 * x[:, 2]).astype(int), "load": [f"{min(100, max(0, 55 + 9 * v)):.0f} %" for v in x[:, 3]],
                      "departed": (pd.Timestamp("2026-02-01 05:00") + pd.to_timedelta(rng.integers(0, 60 * 24 * 30, len(z)), "min")).strftime("%Y-%m-%d %H:%M")})
    return t, z, x, dict(id="run_id", links=50)


@case
def light_curves(rng):
    k, d = 4, 60
    z = rng.choice(k, 240)
    s = np.linspace(0, 2 * np.pi, d)
    shapes = np.array([np.sin(s), np.sign(np.sin(2 * s)) * 0.7, np.exp(-((s - 3) ** 2) * 2) * 2, np.abs(np.sin(1.5 * s))])
    amp, base = np.exp(rng.normal(0, 0.5, len(z))), rng.normal(100, 30, len(z))
    m = base[:, None] + 6 * amp[:, None] * (shapes[z] + 0.35 * rng.normal(size=(len(z), d)))
    t = pd.DataFrame(np.round(m, 2), columns=[f"t{i}" for i in range(d)])
    t.insert(0, "star", [f"KIC{i}" for i in rng.permutation(999999)[: len(z)]])
    shape = m - m.mean(1, keepdims=True)
    return t, z, shape / shape.std(1, keepdims=True), dict(id="star", links=30, scaled=True)


@case
def companies_de(rng):
    z, x = latent(rng, 420, 4, 4)
    sales = np.exp(15 + 1.1 * x[:, 0])
    t = pd.DataFrame({
        "HRB": [f"HRB {i}" for i in rng.permutation(99999)[: len(z)]], "Firma": [w + rng.choice([" GmbH", " AG", " KG"]) for w in words(rng, len(z), SYL)],
        "Umsatz": [f"{comma(v / 1e6, 1)} Mio. €" if v > 1e6 else f"{v:,.0f} €".replace(",", ".") for v in sales], "Mitarbeiter": np.maximum(1, np.round(np.exp(4 + 0.9 * x[:, 1]))).astype(int),
        "Gründung": np.round(1990 + 8 * x[:, 2]).astype(int), "Marge": [f"{comma(8 + 3 * v)} %" if v > -2.6 else f"({comma(abs(8 + 3 * v))} %)" for v in x[:, 3]],
        "IBAN": [f"DE{rng.integers(10, 99)}{rng.integers(10**17, 10**18)}" for _ in z], "Telefon": [f"+49 {rng.integers(30, 999)} {rng.integers(10**5, 10**7)}" for _ in z],
        "Branche": level(rng, z, ["Bau", "Handel", "IT", "Pflege", "Metall"], 0.6)})
    return t, z, x, dict(sep=";", id="HRB", labels=40)


@case
def ecg_units(rng):
    z, x = latent(rng, 350, 4, 5)
    sec = lambda v: f"{v / 1000:.3f} s" if rng.random() < 0.3 else f"{v:.0f} ms"  # noqa: E731
    t = pd.DataFrame({"record": [f"{rng.integers(16**8):08x}" for _ in z], "PR": [sec(160 + 18 * v) for v in x[:, 0]], "QRS": [sec(95 + 9 * v) for v in x[:, 1]],
                      "QT": [sec(390 + 25 * v) for v in x[:, 2]], "rate_bpm": np.round(72 + 8 * x[:, 3]).astype(int), "st_mv": holes(rng, np.round(0.1 * x[:, 4], 3), "n/a"),
                      "device": rng.choice(["v1.2.0", "v1.2.1", "v1.3.0-rc1"], len(z)), "sex": rng.choice(["F", "M"], len(z))})
    return t, z, x, dict(id="record", labels=36, wrong=4)


@case
def panel_sentinels(rng):
    z, x = latent(rng, 500, 4, 3, sep=5)
    load = rng.normal(size=(3, 16))
    a = np.clip(np.round(4 + 0.9 * (x @ load) / np.sqrt(3) + 0.7 * rng.normal(size=(len(z), 16))), 1, 7).astype(int)
    a[rng.random(a.shape) < 0.06] = 99
    t = pd.DataFrame(a, columns=[f"q{i + 1}" for i in range(16)])
    t.insert(0, "resp", rng.permutation(np.arange(1000, 9000))[: len(z)])
    b = np.where(a == 99, np.nan, a.astype(float))
    return t, z, np.nan_to_num(b - np.nanmean(b, axis=0)), dict(id="resp", links=40, wrong=4)


@case
def phones_mixed(rng):
    z, x = latent(rng, 360, 4, 5)
    t = pd.DataFrame({
        "型番": [f"{w[:3].upper()}-{rng.integers(1000, 9999)}" + str(i) for i, w in enumerate(words(rng, len(z), SYL))], "価格": [f"¥{60000 * np.exp(0.4 * v):,.0f}" for v in x[:, 0]],
        "重さ": [f"{190 + 14 * v:.0f} g" for v in x[:, 1]], "電池": [f"{4500 + 400 * v:,.0f} mAh" for v in x[:, 2]], "画面": [f'{6.2 + 0.3 * v:.1f}"' for v in x[:, 3]],
        "容量": [f"{int(2 ** np.clip(np.round(7.5 + v), 5, 11))}GB" for v in x[:, 4] * 0.6], "色": rng.choice(["黒", "白", "青"], len(z))})
    return t, z, x, dict(id="型番", labels=36)


@case
def links_weighted(rng):
    k, n = 5, 260
    z = rng.integers(k, size=n)
    names = [f"sku-{i}" for i in rng.permutation(9999)[:n]]
    lines = ["# bought together, last quarter", "a\tb\tcount"]
    for i in range(n):
        for j in range(i):
            if rng.random() < (0.16 if z[i] == z[j] else 0.008):
                lines.append(f"{names[i]}\t{names[j]}\t{1 + rng.poisson(6 if z[i] == z[j] else 2)}")
    return lines, z, None, dict(names=names, links=40, id=None)


@case
def nothing_there(rng):
    n = 500
    t = pd.DataFrame({"key": [f"k{i}" for i in range(n)], **{c: np.round(rng.normal(50, 10, n), 2) for c in "uvwxy"}, "kind": rng.choice(list("ABCD"), n)})
    return t, rng.integers(4, size=n), rng.normal(size=(n, 2)), dict(id="key", links=40)


@case
def k_unknown(rng):
    z, x = latent(rng, 900, 9, 8, sep=6)
    t = pd.DataFrame(np.round(50 + 8 * x, 3), columns=[f"m{i}" for i in range(8)])
    t.insert(0, "probe", [f"P{i:04d}" for i in range(len(z))])
    return t, z, x, dict(id="probe", links=60, k=None)


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
    found = KMeans(k, n_init=10, random_state=0).fit_predict(x)
    plain = known = adjusted_rand_score(z, found)
    if "known" in spec:
        some, said = spec["known"]
        model = LogisticRegression(C=1.0, max_iter=500)
        accuracy = cross_val_score(model, x[some], said, cv=3).mean()
        named = np.array([np.bincount(said[found[some] == h], minlength=k).argmax() if (found[some] == h).any() else -1 for h in range(k)])
        if accuracy > (named[found[some]] == said).mean():
            known = adjusted_rand_score(z, model.fit(x[some], said).predict(x))
    return plain, known


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
        return 0.0, 300.0, "over 300 s", ""
    seconds = time.monotonic() - began
    if p.returncode or not out.exists():
        return 0.0, seconds, (p.stderr.strip().splitlines() or ["?"])[-1][:150], p.stderr
    rows = pd.read_csv(out, dtype=str, keep_default_na=False)
    answer = dict(zip(rows["id"], rows["cluster"]))
    if not set(ids) & set(answer):
        answer = dict(zip(ids, rows["cluster"]))
    said = json.loads(p.stdout or "{}")
    what = " ".join(str(v) for v in (said.get("method"), f"k {said.get('k')}", said.get("reliability", {}).get("level", "") if isinstance(said.get("reliability"), dict) else said.get("reliability", "")))
    return adjusted_rand_score(z, [answer.get(i) or "(none)" for i in ids]), seconds, what, p.stderr


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bin", required=True)
    p.add_argument("--case", nargs="+", default=list(CASES), choices=list(CASES))
    p.add_argument("--seeds", type=int, default=1)
    p.add_argument("--work", type=pathlib.Path)
    p.add_argument("--say", action="store_true", help="also print what the program said")
    a = p.parse_args()
    work = a.work or pathlib.Path(tempfile.mkdtemp())
    program = os.path.abspath(a.bin)
    well = total = 0
    print("case | analyst | plain | with knowledge | seconds | how | flags\n---|---|---|---|---|---|---")
    for name in a.case:
        for seed in range(1, a.seeds + 1):
            folder = work / f"{name}-{seed}"
            spec, z, x, ids = make(name, seed, folder)
            anchor = analyst(name, spec, z, x)
            runs = [once(program, folder, spec, z, ids, known) for known in (False, True)]
            flags = [flag for flag, on in (("WORSE", runs[1][0] < runs[0][0] - 0.01), ("BELOW", any(r[0] < s - 0.02 for r, s in zip(runs, anchor))),
                     ("CHANCE", any(r[0] < 0.1 and "warning" not in r[3].lower() for r in runs))) if on]
            total, well = total + 1, well + ("BELOW" not in flags)
            print(f"{name} #{seed} | {anchor[0]:.2f} / {anchor[1]:.2f} | {runs[0][0]:.2f} | {runs[1][0]:.2f} | {runs[0][1]:.1f} + {runs[1][1]:.1f} | {runs[0][2]} → {runs[1][2]} | {' '.join(flags)}", flush=True)
            if a.say:
                for r in runs:
                    print("\n".join("    " + line for line in r[3].strip().splitlines()[:14]))
    print(f"\n{well} of {total} at or above the analyst (within .02, plain and with knowledge)")


if __name__ == "__main__":
    main()
