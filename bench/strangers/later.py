"""Eight later kinds of files, written before the program was tried on them: python bench/strangers/run.py --case ...

The analyst's columns are made from what stands in the table, never from the hidden groups.
"""
import numpy as np
import pandas as pd

from files import SYL, case, comma, holes, words
from further import by, full, groups, hot, ordinal, std


def lists(rng, z, vocabularies, common, most=4):
    every = sorted(set(sum(vocabularies, [])) | set(common))
    cells = [sorted(set(rng.choice(vocabularies[g], rng.integers(1, most), replace=False)) | set(rng.choice(common, rng.integers(0, 3), replace=False)) | set(rng.choice(every, rng.integers(0, 2), replace=False))) for g in z]
    return cells, np.array([[w in c for w in every] for c in cells], float)


@case
def wines_fr(rng):
    z = groups(rng, 430, 4)
    n = len(z)
    price = np.exp(by(z, [2.0, 3.0, 4.4, 2.5]) + 0.63 * rng.normal(size=n))
    alcohol = by(z, [11.4, 13.2, 14.3, 12.2]) + 0.72 * rng.normal(size=n)
    sugar = np.exp(by(z, [0.7, 0.9, 1.0, 3.9]) + 0.72 * rng.normal(size=n))
    score = np.clip(by(z, [82, 87, 92, 86]) + 3.6 * rng.normal(size=n), 70, 100)
    cells, b = lists(rng, z, [["agrume", "pomme verte", "craie", "citron", "fleur blanche"], ["cerise", "framboise", "violette", "poivre", "réglisse"], ["cuir", "tabac", "cèdre", "truffe", "cassis"], ["miel", "abricot", "coing", "amande", "pêche"]], ["vanille", "beurre", "menthe"])
    t = pd.DataFrame({"réf": [f"V-{i:05d}" for i in rng.permutation(99999)[:n]], "domaine": [f"Château {w}" for w in words(rng, n, SYL)], "prix": [f"{comma(v, 2)} €" for v in price], "alcool": holes(rng, [f"{comma(v)} % vol." for v in alcohol], "n.c.", 0.06),
                      "sucre résiduel": [f"{comma(v)} g/l" for v in sugar], "note": [f"{v:.0f}/100" for v in score], "arômes": ["; ".join(c) for c in cells], "millésime": rng.integers(2012, 2023, n), "contenance": rng.choice(["75 cl", "1,5 l"], n, p=[0.9, 0.1])})
    a = np.where(t["alcool"].eq("n.c."), np.nan, alcohol)
    return t, z, np.hstack([full(std(np.log(price), a, np.log(sugar), score)), (b - b.mean(0)) / np.sqrt(b.var(0).sum()) * 2]), dict(sep=";", id="réf", labels=40, scaled=True)


@case
def rehab_visits(rng):
    z = groups(rng, 340, 3)
    n = len(z)
    walk = by(z, [480, 330, 190]) + 85.5 * rng.normal(size=n)
    speed = by(z, [1.35, 1.0, 0.55]) + 0.27 * rng.normal(size=n)
    pain = ordinal(rng, by(z, [2, 6.5, 4]).astype(float), 2.2, 10)
    rise = np.exp(by(z, [2.2, 2.7, 3.3]) + 0.34 * rng.normal(size=n))
    mood = ordinal(rng, by(z, [4, 13, 8]).astype(float), 4.5, 27)
    t = pd.DataFrame({"Patient": [f"{w[0]}. {w}" for w in words(rng, n, SYL)], "MRN": [f"{i:08d}" for i in rng.permutation(99999999 // 50)[:n]], "6MWT": holes(rng, [f"{v:.0f} m" for v in walk], "unable", 0.05), "Gait speed (m/s)": holes(rng, np.round(speed, 2), "", 0.08),
                      "NRS pain": [f"{v}/10" for v in pain], "5xSTS": holes(rng, [f"{v:.1f} s" for v in rise], "", 0.07), "PHQ-9": mood, "Side": rng.choice(["L", "R"], n), "Therapist": rng.choice(["Noor", "Ben", "Ida"], n), "Visit": [f"{rng.integers(1, 13)}/{rng.integers(1, 29)}/24" for _ in z]})
    w = np.where(t["6MWT"].eq("unable"), np.nan, walk)
    s = pd.to_numeric(t["Gait speed (m/s)"], errors="coerce")
    r = np.where(t["5xSTS"].eq(""), np.nan, np.log(rise))
    return t, z, full(std(w, s, pain, r, mood)), dict(id="MRN", labels=36, wrong=3, scaled=True)


@case
def apps_store(rng):
    z = groups(rng, 500, 4)
    n = len(z)
    steps = np.array([100, 500, 1000, 5000, 10000, 50000, 100000, 500000, 1000000, 5000000])
    rank = np.clip(np.round(by(z, [2, 5, 8, 4]) + 0.9 * rng.normal(size=n)), 0, 9).astype(int)
    size = np.exp(by(z, [1.5, 3.4, 4.8, 2.4]) + 0.4 * rng.normal(size=n))
    rating = np.clip(by(z, [4.5, 3.6, 4.3, 4.1]) + 0.2 * rng.normal(size=n), 1, 5)
    reviews = np.round(steps[rank] * 0.03 * np.exp(0.5 * rng.normal(size=n))).astype(int)
    kind = np.array([rng.choice(["Tools", "Games", "Social", "Finance"], p=p) for p in by(z, [[0.7, 0.1, 0.1, 0.1], [0.1, 0.7, 0.1, 0.1], [0.1, 0.3, 0.5, 0.1], [0.2, 0.1, 0.1, 0.6]])])
    t = pd.DataFrame({"package": [f"com.{a.lower()}.{b.lower()}{i}" for i, (a, b) in enumerate(zip(words(rng, n, SYL), words(rng, n, SYL)))], "Installs": [f"{steps[r]:,}+" for r in rank], "Size": [f"{v:.1f}M" if v >= 1 else f"{v * 1000:.0f}k" for v in size],
                      "Rating": holes(rng, np.round(rating, 1), "NaN", 0.06), "Reviews": reviews, "Category": kind, "Price": rng.choice(["Free", "$0.99", "$2.99"], n, p=[0.9, 0.05, 0.05]), "Last Updated": [f"{rng.choice(['January', 'May', 'October'])} {rng.integers(1, 29)}, 2024" for _ in z], "Current Ver": [f"{rng.integers(1, 9)}.{rng.integers(20)}.{rng.integers(9)}" for _ in z]})
    r = pd.to_numeric(t["Rating"], errors="coerce")
    return t, z, np.hstack([full(std(np.log(steps[rank]), np.log(size), r, np.log1p(reviews))), hot(kind)]), dict(id="package", labels=40, scaled=True)


@case
def soil_profiles(rng):
    z = groups(rng, 380, 4)
    n = len(z)
    sand = np.clip(by(z, [72, 40, 18, 50]) + 6 * rng.normal(size=n), 1, 95)
    clay = np.clip(by(z, [8, 22, 48, 14]) + 4 * rng.normal(size=n), 1, 95 - sand + 4)
    acid = by(z, [5.2, 6.6, 7.8, 4.4]) + 0.35 * rng.normal(size=n)
    salt = np.exp(by(z, [-2.2, -1.2, 0.8, -1.8]) + 0.4 * rng.normal(size=n))
    carbon = np.exp(by(z, [-0.4, 0.6, 0.2, 2.2]) + 0.3 * rng.normal(size=n))
    lost = lambda c: holes(rng, c, "nd", 0.07)  # noqa: E731
    t = pd.DataFrame({"LabNo": [f"S24/{i:04d}" for i in rng.permutation(9999)[:n]], "Depth": rng.choice(["0-15 cm", "15-30 cm"], n), "Sand %": lost(np.round(sand, 1)), "Clay %": lost(np.round(clay, 1)), "pH(H2O)": lost(np.round(acid, 1)), "EC (dS/m)": lost([f"{v:.2f}" if v > 0.05 else "<0.05" for v in salt]),
                      "OC (%)": lost(np.round(carbon, 2)), "Munsell": rng.choice(["10YR 4/3", "10YR 5/4", "7.5YR 4/4", "5Y 3/1"], n), "Surveyor": rng.choice(["R. Diaz", "T. Okoye"], n)})
    x = t[["Sand %", "Clay %", "pH(H2O)", "EC (dS/m)", "OC (%)"]].replace("<0.05", 0.05).apply(pd.to_numeric, errors="coerce").to_numpy(float).copy()
    x[:, 3:] = np.log(x[:, 3:])
    return t, z, full(std(*x.T)), dict(id="LabNo", links=50, scaled=True)


TIERS = ["Bronze", "Silver", "Gold", "Platinum", "Diamond"]


@case
def ranked_players(rng):
    z = groups(rng, 520, 4)
    n = len(z)
    kda = np.exp(by(z, [0.1, 0.6, 1.4, 0.9]) + 0.2 * rng.normal(size=n))
    hours = np.exp(by(z, [4.2, 6.0, 7.3, 5.0]) + 0.4 * rng.normal(size=n))
    tier = ordinal(rng, by(z, [0.4, 1.8, 3.7, 2.6]).astype(float), 0.6, 4)
    wins = np.clip(by(z, [44, 49, 56, 52]) + 2.5 * rng.normal(size=n), 0, 100)
    pace = by(z, [95, 140, 260, 210]) + 25 * rng.normal(size=n)
    t = pd.DataFrame({"handle": [f"{a}_{rng.integers(10, 9999)}" for a in words(rng, n, SYL)], "uid": rng.permutation(np.arange(10**8, 10**8 + 99999))[:n], "Tier": np.array(TIERS)[tier], "KDA": [f"{v:.2f}" for v in kda], "Time played": [f"{v:,.0f} h" for v in hours], "Win rate": [f"{v:.1f}%" for v in wins],
                      "APM": holes(rng, np.round(pace).astype(int), "-", 0.06), "Main role": rng.choice(["Tank", "Support", "Carry"], n), "Server": rng.choice(["EUW", "NA", "KR"], n), "Banned": rng.choice(["no", "yes"], n, p=[0.97, 0.03])})
    a = pd.to_numeric(t["APM"], errors="coerce")
    return t, z, full(std(tier, np.log(kda), np.log(hours), wins, a)), dict(id="uid", labels=40, wrong=3, scaled=True)


@case
def films_budget(rng):
    z = groups(rng, 460, 4)
    n = len(z)
    budget = np.exp(by(z, [14.2, 16.8, 18.7, 15.6]) + 0.45 * rng.normal(size=n))
    gross = budget * np.exp(by(z, [-0.6, 0.7, 1.2, 1.9]) + 0.4 * rng.normal(size=n))
    length = by(z, [96, 112, 138, 91]) + 7 * rng.normal(size=n)
    cells, b = lists(rng, z, [["Drama", "Romance", "Indie"], ["Comedy", "Family", "Music"], ["Action", "Sci-Fi", "Adventure"], ["Horror", "Thriller", "Mystery"]], ["Crime", "History"], 3)
    money = lambda v: f"${v / 1e6:.1f}M" if v >= 1e6 else f"${v / 1e3:.0f}K"  # noqa: E731
    t = pd.DataFrame({"imdb": [f"tt{i:07d}" for i in rng.permutation(9999999)[:n]], "title": ["The " + " ".join(words(rng, 2, SYL)) for _ in z], "runtime": [f"{int(v) // 60}h {int(v) % 60}m" for v in length], "budget": holes(rng, [money(v) for v in budget], "Unknown", 0.08), "gross": [money(v) for v in gross],
                      "genres": [", ".join(c) for c in cells], "released": [f"{rng.integers(1, 29)} {rng.choice(['Feb', 'Jun', 'Nov'])} {rng.integers(1998, 2024)}" for _ in z], "language": rng.choice(["en", "fr", "ko"], n, p=[0.8, 0.1, 0.1])})
    u = np.where(t["budget"].eq("Unknown"), np.nan, np.log(budget))
    return t, z, np.hstack([full(std(u, np.log(gross), length)), (b - b.mean(0)) / np.sqrt(b.var(0).sum()) * 2]), dict(id="imdb", labels=40, scaled=True)


@case
def trucks_fleet(rng):
    z = groups(rng, 400, 4)
    n = len(z)
    fuel = by(z, [31, 24, 38, 19]) + 1.8 * rng.normal(size=n)
    load = np.exp(by(z, [2.9, 2.0, 3.2, 0.8]) + 0.2 * rng.normal(size=n))
    far = np.exp(by(z, [7.6, 6.4, 6.9, 5.6]) + 0.25 * rng.normal(size=n))
    idle = np.clip(by(z, [8, 22, 12, 30]) + 4 * rng.normal(size=n), 0, 100)
    stops = rng.poisson(by(z, [3, 14, 6, 40]))
    rows = [{"vehicle": {"plate": f"{''.join(rng.choice(list('ABCDEFGHK'), 3))} {rng.integers(100, 999)}{i}", "axles": int(rng.choice([2, 3, 5])), "euro": str(rng.choice(["Euro 5", "Euro 6"]))}, "week": f"2025-W{rng.integers(1, 53):02d}", "fuel": None if rng.random() < 0.07 else f"{fuel[i]:.1f} l/100km", "payload": f"{load[i]:.1f} t" if load[i] >= 2 else f"{load[i] * 1000:.0f} kg",
             "distance": f"{far[i]:,.0f} km", "idle_share": None if rng.random() < 0.06 else round(float(idle[i]) / 100, 3), "stops": int(stops[i]), "driver": {"id": f"D{rng.integers(1, 60):03d}", "shift": str(rng.choice(["early", "late"]))}} for i in range(n)]
    for r in rows:
        r["id"] = r["vehicle"]["plate"].replace(" ", "-")
    f = np.array([np.nan if r["fuel"] is None else float(r["fuel"].split()[0]) for r in rows])
    s = np.array([np.nan if r["idle_share"] is None else r["idle_share"] for r in rows])
    return rows, z, full(std(f, np.log(load), np.log(far), s, np.sqrt(stops))), dict(id="id", links=50, scaled=True)


@case
def calls_centre(rng):
    z = groups(rng, 600, 4)
    n = len(z)
    talk = np.exp(by(z, [4.6, 6.0, 6.8, 5.3]) + 0.35 * rng.normal(size=n))
    wait = np.exp(by(z, [2.6, 4.4, 5.2, 3.2]) + 0.5 * rng.normal(size=n))
    moved = rng.poisson(by(z, [0.1, 0.6, 2.2, 0.3]))
    happy = 1 + ordinal(rng, by(z, [3.6, 2.2, 0.8, 3.0]).astype(float), 0.7, 4)
    worth = np.exp(by(z, [3.2, 3.9, 4.6, 5.8]) + 0.4 * rng.normal(size=n))
    clock = lambda s: f"{int(s) // 60}:{int(s) % 60:02d}"  # noqa: E731
    t = pd.DataFrame({"call_id": [f"{rng.integers(16**8):08x}-{i:04x}" for i in range(n)], "caller": [f"+44 7{rng.integers(10**8, 10**9)}" for _ in z], "answered": (pd.Timestamp("2025-02-03 08:00") + pd.to_timedelta(rng.integers(0, 40000, n), "min")).strftime("%d/%m/%Y %H:%M"), "talk": [clock(s) for s in talk], "queue": [clock(s) for s in wait],
                      "transfers": moved, "csat": holes(rng, [f"{v} out of 5" for v in happy], "no answer", 0.12), "account value": [f"£{v:,.2f}" for v in worth], "agent": rng.choice(["AK", "BT", "CM", "DS"], n), "recorded": rng.choice(["Y", "N"], n, p=[0.9, 0.1])})
    h = np.where(t["csat"].eq("no answer"), np.nan, happy)
    return t, z, full(std(np.log(talk), np.log(wait), np.sqrt(moved), h, np.log(worth))), dict(id="call_id", labels=40, scaled=True)
