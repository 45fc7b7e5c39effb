"""Twenty kinds of files, most of them rows in groups drawn from normal distributions and written as people write them."""
import numpy as np
import pandas as pd

from files import SYL, case, comma, holes, latent, level, texts, words

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
