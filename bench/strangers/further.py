"""Twenty further kinds of files, written by somebody who had not read the readers: python bench/strangers/run.py --more ...

The analyst's columns are made from what stands in the table, never from the hidden groups.
"""
import numpy as np
import pandas as pd

from files import case, words, holes, comma, texts, SYL


def groups(rng, n, k, even=8.0):
    return rng.choice(k, n, p=rng.dirichlet(np.full(k, even)))


def by(z, values):
    return np.asarray(values)[z]


def std(*columns):
    x = np.column_stack([np.asarray(c, float) for c in columns])
    return (x - np.nanmean(x, 0)) / np.nanstd(x, 0)


def hot(column, share=0.02):
    """Indicators, together as heavy as one number."""
    d = pd.get_dummies(pd.Series(column).astype(str)).to_numpy(float)
    d = d[:, d.mean(0) >= share]
    return (d - d.mean(0)) / np.sqrt(d.var(0).sum())


def full(x):
    return np.nan_to_num(x)


def people(rng, n):
    return [a + " " + b for a, b in zip(words(rng, n, SYL), words(rng, n, SYL))]


def pick(rng, z, names, shares):
    return np.array([rng.choice(names, p=np.asarray(shares[g], float) / np.sum(shares[g])) for g in z])


def ordinal(rng, mean, spread, top):
    return np.clip(np.round(mean + spread * rng.normal(size=np.shape(mean))), 0, top).astype(int)


@case
def leads_crm(rng):
    z = groups(rng, 460, 4)
    n = len(z)
    amount = np.exp(by(z, [7.5, 9.2, 10.6, 9.0]) + 0.5 * rng.normal(size=n))
    opened = rng.poisson(by(z, [2, 11, 5, 22]))
    calls = rng.poisson(by(z, [1, 3, 9, 2]))
    idle = rng.gamma(3, by(z, [30, 8, 15, 3]))
    size = np.array(["1-10", "11-50", "51-200", "201-500", "501-1000", "1000+"])
    band = ordinal(rng, by(z, [0.4, 1.5, 4, 2]).astype(float), 0.7, 5)
    last = pd.Timestamp("2025-06-30") - pd.to_timedelta(np.round(idle), "D")
    chance = np.clip(by(z, [10, 40, 55, 70]) + 12 * rng.normal(size=n), 0, 100)
    t = pd.DataFrame({"Lead ID": [f"00Q{i:06d}AA" for i in rng.permutation(999999)[:n]], "Full Name": people(rng, n), "Company": [w + rng.choice([" Inc.", " LLC", " Ltd"]) for w in words(rng, n, SYL)],
                      "Title": rng.choice(["CEO", "Buyer", "Head of IT", "Manager", "Owner", "VP Sales"], n), "Email": [f"{w.lower()}@{v.lower()}.com" for w, v in zip(words(rng, n, SYL), words(rng, n, SYL))],
                      "Employees": size[band], "Amount": holes(rng, [f"${v:,.2f}" for v in amount], "", 0.04), "Probability (%)": np.round(chance).astype(int),
                      "Last Activity": [d.strftime("%b %-d, %Y") for d in last], "Emails Opened": opened, "Calls": calls,
                      "Lead Source": rng.choice(["Web", "Trade Show", "Referral", "Cold Call"], n), "Do Not Call": rng.choice(["TRUE", "FALSE"], n, p=[0.1, 0.9])})
    a = pd.to_numeric(t["Amount"].str.replace("[$,]", "", regex=True))
    x = full(std(np.log(a), chance, np.log1p(opened), np.log1p(calls), np.log1p(idle), band))
    return t, z, x, dict(id="Lead ID", labels=40, scaled=True)


@case
def debtors_de(rng):
    z = groups(rng, 520, 4)
    n = len(z)
    open_ = np.exp(by(z, [6.0, 8.5, 7.0, 9.5]) + 0.7 * rng.normal(size=n)) * np.where(rng.random(n) < 0.08, -1, 1)
    bills = 1 + rng.poisson(by(z, [3, 8, 25, 40]))
    late = by(z, [25, 45, 4, 10]) + by(z, [9, 12, 3, 5]) * rng.normal(size=n)
    skonto = np.clip(by(z, [5, 1, 70, 40]) + 9 * rng.normal(size=n), 0, 100)
    sap = lambda v: (f"{abs(v):,.2f}".replace(",", "_").replace(".", ",").replace("_", ".") + ("-" if v < 0 else ""))  # noqa: E731
    t = pd.DataFrame({"Debitor": [f"{i:010d}" for i in rng.permutation(9999999)[:n]], "Name 1": [w + rng.choice([" GmbH", " e.K.", " AG"]) for w in words(rng, n, SYL)],
                      "PLZ": [f"{rng.integers(1000, 99999):05d}" for _ in z], "Ort": rng.choice(words(rng, 60, SYL), n), "Offener Posten": [sap(v) for v in open_],
                      "Anz. Belege": bills, "Verzug Tage": np.round(late).astype(int), "Skontoquote": [comma(v) + " %" for v in skonto],
                      "Zahlungsbed.": rng.choice(["Z001", "Z014", "Z030"], n), "Mahnsperre": rng.choice(["X", ""], n, p=[0.05, 0.95]), "Buchungskreis": "1000", "Währung": "EUR"})
    x = std(np.sign(open_) * np.log1p(abs(open_)), np.log(bills), late, skonto)
    return t, z, x, dict(sep=";", id="Debitor", labels=40, wrong=4, scaled=True)


@case
def assay_plate(rng):
    z = groups(rng, 384, 4)
    n = len(z)
    ic50 = 10 ** (by(z, [-2.0, 0.3, 1.2, -0.5]) + 0.5 * rng.normal(size=n))  # µM
    mass = by(z, [310, 420, 350, 510]) + 28 * rng.normal(size=n)
    logp = by(z, [1.5, 3.8, 2.4, 4.6]) + 0.6 * rng.normal(size=n)
    tpsa = by(z, [95, 60, 40, 110]) + 11 * rng.normal(size=n)
    write = lambda v: "> 50 µM" if v > 50 else "<1 nM" if v < 0.001 else f"{v * 1000:.0f} nM" if v < 0.5 else f"{v:.2f} µM"  # noqa: E731
    t = pd.DataFrame({"Well": [f"{'ABCDEFGHIJKLMNOP'[i // 24]}{i % 24 + 1:02d}" for i in range(n)], "Compound": [f"CPD-{i:07d}" for i in rng.permutation(9999999)[:n]],
                      "SMILES": ["".join(rng.choice(list("CCCcNOc1=()"), rng.integers(12, 40))) for _ in z], "IC50": holes(rng, [write(v) for v in ic50], "n.d.", 0.03),
                      "MW (g/mol)": np.round(mass, 2), "cLogP": np.round(logp, 2), "TPSA (Å²)": np.round(tpsa, 1), "HBD": rng.poisson(by(z, [3, 1, 1, 3])), "Purity": [f"{min(99.9, 96 + 2 * rng.normal()):.1f} %" for _ in z],
                      "Operator": rng.choice(["kh", "mw", "ps"], n), "Run": rng.choice(["2025-03-11", "2025-03-12"], n)})
    shown = np.where(t["IC50"].eq("n.d."), np.nan, np.log(np.clip(ic50, 0.001, 50)))
    return t, z, full(std(shown, mass, logp, tpsa, np.sqrt(t["HBD"]))), dict(id="Compound", labels=36, scaled=True)


@case
def clients_log(rng):
    z = groups(rng, 550, 4)
    n = len(z)
    hits = np.exp(by(z, [3.0, 7.0, 5.0, 6.2]) + 0.6 * rng.normal(size=n))
    size = np.exp(by(z, [13.5, 12.0, 8.0, 15.5]) + 0.8 * rng.normal(size=n))
    bad = np.clip(rng.beta(by(z, [2, 2, 14, 1.2]), by(z, [60, 30, 6, 90])), 0, 1)
    pause = np.exp(by(z, [3.3, 1.0, -1.5, 0.4]) + 0.5 * rng.normal(size=n))
    short = lambda v: f"{v / 1e6:.1f}M" if v > 1e6 else f"{v / 1e3:.0f}K"  # noqa: E731
    rows = [{"remote_addr": f"{rng.integers(1, 223)}.{rng.integers(256)}.{rng.integers(256)}.{rng.integers(1, 255)}", "first_seen": f"2025-05-{rng.integers(1, 29):02d}T{rng.integers(24):02d}:{rng.integers(60):02d}:11+02:00",
             "requests": int(hits[i]) + 1, "bytes_sent": short(size[i]), "status": {"4xx": round(float(bad[i]), 4), "5xx": round(float(rng.beta(1, 200)), 4)}, "mean_gap_s": round(float(pause[i]), 3),
             "ua": rng.choice(["Mozilla/5.0 (X11)", "Mozilla/5.0 (iPhone)", "curl/8.1", "python-requests/2.31", "Go-http-client/1.1"]), "tls": bool(rng.random() < 0.9), "country": str(rng.choice(["DE", "US", "FR", "CN", "-"]))} for i in range(n)]
    return rows, z, std(np.log(hits), np.log(size), np.log(bad + 0.005), np.log(pause)), dict(id="remote_addr", links=50, scaled=True)


LETTERS = ["F", "D", "D+", "C-", "C", "C+", "B-", "B", "B+", "A-", "A"]


@case
def transcripts_us(rng):
    z = groups(rng, 320, 3)
    n = len(z)
    means = np.array([[9, 8.5, 8, 5, 5, 6], [5, 4.5, 5, 8.5, 9, 8], [4, 3, 4, 4, 3.5, 6]])
    own = 1.0 * rng.normal(size=(n, 1))
    g = ordinal(rng, means[z] + own, 1.4, 10)
    seen = np.clip(by(z, [95, 94, 82]) + 4 * rng.normal(size=n), 0, 100)
    t = pd.DataFrame(np.array(LETTERS)[g], columns=["Algebra II", "Physics", "Chemistry", "English 11", "US History", "Art"]).astype(object)
    t = t.mask(rng.random(t.shape) < 0.03, "W")
    t.insert(0, "Student", [f"{b}, {a}" for a, b in (p.split() for p in people(rng, n))])
    t.insert(1, "SID", rng.permutation(np.arange(20240000, 20249999))[:n])
    t.insert(2, "Grade Level", rng.choice(["11th", "12th"], n))
    t["Attendance"] = [f"{v:.0f}%" for v in seen]
    t["Counselor"] = rng.choice(["Mr. Hale", "Ms. Ortiz", "Ms. Kim"], n)
    a = t[["Algebra II", "Physics", "Chemistry", "English 11", "US History", "Art"]].map(lambda v: LETTERS.index(v) if v in LETTERS else np.nan)
    return t, z, full(std(a, seen)), dict(id="SID", labels=30, scaled=True)


@case
def decathlon(rng):
    z = groups(rng, 260, 3)
    n = len(z)
    form = rng.normal(size=n)
    e = lambda *m: by(z, m)  # noqa: E731
    noise = lambda s: s * rng.normal(size=n)  # noqa: E731
    sprint, jump, shot, disc = e(10.8, 11.1, 11.4) - 0.08 * form + noise(0.12), e(7.6, 7.2, 6.9) + 0.08 * form + noise(0.15), e(13.2, 13.4, 15.8) + 0.3 * form + noise(0.6), e(40, 40.5, 48) + 0.6 * form + noise(1.8)
    lap, mile, high = e(47.6, 48.4, 50.5) - 0.3 * form + noise(0.5), e(282, 262, 290) - 3 * form + noise(6), e(2.02, 1.95, 1.92) + noise(0.05)
    clock = lambda s: f"{int(s // 60)}:{s % 60:05.2f}"  # noqa: E731
    t = pd.DataFrame({"Bib": rng.permutation(np.arange(100, 999))[:n], "Athlete": people(rng, n), "NOC": rng.choice(["GER", "FRA", "USA", "EST", "CAN", "JPN", "CUB"], n), "100m": [f"{v:.2f}" for v in sprint],
                      "Long jump": [f"{v:.2f} m" for v in jump], "Shot put": [f"{v:.2f} m" for v in shot], "High jump": [f"{v:.2f} m" for v in high], "400m": [f"{v:.2f}" for v in lap],
                      "Discus": holes(rng, [f"{v:.2f} m" for v in disc], "NM", 0.03), "1500m": holes(rng, [clock(v) for v in mile], "DNF", 0.04), "Born": [f"{rng.integers(1, 29)} {rng.choice(['Jan', 'May', 'Sep', 'Dec'])} {rng.integers(1992, 2004)}" for _ in z]})
    mile = np.where(t["1500m"].eq("DNF"), np.nan, mile)
    disc = np.where(t["Discus"].eq("NM"), np.nan, disc)
    return t, z, full(std(sprint, jump, shot, high, lap, disc, mile)), dict(id="Bib", links=40, scaled=True)


@case
def stars_catalogue(rng):
    z = groups(rng, 900, 4)
    n = len(z)
    colour = by(z, [0.6, 1.2, 0.0, 0.3]) + by(z, [0.15, 0.12, 0.1, 0.1]) * rng.normal(size=n)
    ug = by(z, [1.3, 2.2, 0.4, 0.1]) + 0.15 * rng.normal(size=n)
    ri = 0.4 * colour + 0.05 * rng.normal(size=n)
    g = rng.uniform(14, 20, n)
    far = np.exp(by(z, [-0.5, -1.6, 1.4, -4.5]) + 0.4 * rng.normal(size=n))
    move = np.exp(by(z, [2.0, 1.2, 4.0, -1.2]) + 0.5 * rng.normal(size=n))
    gap = lambda c: np.where(rng.random(n) < 0.05, 99.99, np.round(c, 3))  # noqa: E731
    t = pd.DataFrame({"objid": [str(1237645870000000000 + int(i)) for i in rng.integers(10**14, 10**15, n)], "ra": [f"{rng.integers(24):02d} {rng.integers(60):02d} {rng.uniform(0, 60):05.2f}" for _ in z],
                      "dec": [f"{rng.choice(['+', '-'])}{rng.integers(89):02d} {rng.integers(60):02d} {rng.uniform(0, 60):04.1f}" for _ in z], "u_g": gap(ug), "g_r": gap(colour), "r_i": gap(ri), "gmag": gap(g),
                      "plx": np.round(far, 3), "pm": np.round(move, 2), "flags": [f"0x{rng.integers(16**6):06x}" for _ in z], "survey": rng.choice(["A", "B"], n)})
    s = lambda c: np.where(t[c] == 99.99, np.nan, t[c])  # noqa: E731
    return t, z, full(std(s("u_g"), s("g_r"), s("r_i"), np.log(far), np.log(move))), dict(id="objid", links=60, k=None, scaled=True)


@case
def sites_species(rng):
    k, d = 4, 40
    z = groups(rng, 220, k)
    n = len(z)
    mean = np.exp(rng.normal(0.2, 1.3, d)) * np.where(rng.random((k, d)) < 0.45, rng.gamma(2, 1, (k, d)), 0.08)
    counts = rng.negative_binomial(1.2, 1.2 / (1.2 + mean[z] * np.exp(0.4 * rng.normal(size=(n, 1)))))
    t = pd.DataFrame(counts, columns=[f"{a} {b.lower()}" for a, b in zip(words(rng, d, SYL), words(rng, d, SYL))])
    t.insert(0, "site", [f"T{i // 10 + 1}-{i % 10}" for i in range(n)])
    t.insert(1, "observer", rng.choice(["LB", "TK"], n))
    t.insert(2, "visited", pd.to_datetime("2024-05-02") + pd.to_timedelta(rng.integers(0, 60, n), "D"))
    share = np.sqrt(counts / np.maximum(counts.sum(1, keepdims=True), 1))
    return t, z, share, dict(id="site", links=40, scaled=True)


@case
def rents_ja(rng):
    z = groups(rng, 430, 4)
    n = len(z)
    area = np.exp(by(z, [3.1, 3.9, 4.4, 3.6]) + 0.15 * rng.normal(size=n))
    rent = area * by(z, [0.36, 0.22, 0.30, 0.15]) * np.exp(0.12 * rng.normal(size=n))
    walk = np.maximum(1, np.round(by(z, [5, 12, 6, 19]) + 2.5 * rng.normal(size=n)))
    age = np.maximum(0, np.round(by(z, [8, 18, 5, 35]) + 5 * rng.normal(size=n)))
    plan = pick(rng, z, ["1K", "1DK", "1LDK", "2LDK", "3LDK"], [[8, 3, 2, 0, 0], [0, 1, 3, 6, 2], [0, 0, 1, 3, 6], [1, 3, 3, 3, 0]])
    t = pd.DataFrame({"物件番号": [f"B{i:06d}" for i in rng.permutation(999999)[:n]], "所在地": [f"東京都{rng.choice(['世田谷区', '杉並区', '練馬区', '足立区', '港区'])}{rng.integers(1, 6)}丁目{rng.integers(1, 30)}-{rng.integers(1, 20)}" for _ in z],
                      "賃料": [f"{v:.1f}万円" for v in rent], "管理費": holes(rng, [f"{int(v * 500) // 100 * 100:,}円" for v in rent], "なし", 0.08), "専有面積": [f"{v:.2f}㎡" for v in area], "駅徒歩": [f"徒歩{v:.0f}分" for v in walk],
                      "築年数": ["新築" if v == 0 else f"築{v:.0f}年" for v in age], "間取り": plan, "階": [f"{rng.integers(1, 12)}階" for _ in z], "登録日": [f"2025年{rng.integers(1, 6)}月{rng.integers(1, 28)}日" for _ in z]})
    return t, z, np.hstack([std(np.log(rent), np.log(area), walk, age), hot(plan)]), dict(id="物件番号", labels=36, scaled=True)


ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


@case
def shoppers_ar(rng):
    z = groups(rng, 400, 4)
    n = len(z)
    income = np.exp(by(z, [8.4, 9.3, 9.9, 8.9]) + 0.2 * rng.normal(size=n))
    age = by(z, [24, 38, 52, 33]) + 5 * rng.normal(size=n)
    visits = rng.poisson(by(z, [14, 4, 6, 22]))
    spent = np.exp(by(z, [4.5, 6.5, 6.0, 5.0]) + 0.4 * rng.normal(size=n))
    t = pd.DataFrame({"رقم العميل": rng.permutation(np.arange(500000, 599999))[:n], "الاسم": people(rng, n), "المدينة": rng.choice(["الرياض", "جدة", "الدمام", "مكة"], n), "الجنس": rng.choice(["ذكر", "أنثى"], n),
                      "العمر": [f"{v:.0f}".translate(ARABIC) for v in age], "الدخل الشهري": holes(rng, [f"{v:,.0f} ر.س" for v in income], "غير معروف"), "عدد الزيارات": [str(v).translate(ARABIC) if rng.random() < 0.5 else str(v) for v in visits],
                      "متوسط الفاتورة": [f"{v:.2f} ر.س" for v in spent], "آخر زيارة": [f"{rng.integers(1, 29):02d}/{rng.integers(1, 7):02d}/2025" for _ in z]})
    income = np.where(t["الدخل الشهري"].eq("غير معروف"), np.nan, np.log(income))
    return t, z, full(std(income, age, np.sqrt(visits), np.log(spent))), dict(id="رقم العميل", labels=36, scaled=True)


@case
def meters_hourly(rng):
    z = groups(rng, 340, 4)
    n, h = len(z), np.arange(24)
    bump = lambda m, w: np.exp(-0.5 * (((h - m + 12) % 24 - 12) / w) ** 2)  # noqa: E731
    shape = np.array([0.3 + bump(7, 1.5) + 1.4 * bump(19, 2), 0.3 + 1.5 * bump(13, 3.5), 0.3 + 1.6 * bump(2, 2.5) + 0.3 * bump(19, 2), np.full(24, 0.75)])
    moved = np.array([np.roll(shape[g], rng.integers(-1, 2)) for g in z])
    load = np.exp(rng.normal(-0.5, 0.7, (n, 1))) * moved * np.exp(0.3 * rng.normal(size=(n, 24)))
    t = pd.DataFrame({"meter": [f"1EMH{i:010d}" for i in rng.permutation(10**6)[:n]], "tariff": rng.choice(["basic", "day/night"], n), "zip": rng.choice(["10115", "10117", "10119", "10243"], n)})
    t = pd.concat([t, pd.DataFrame(np.round(load, 3), columns=[f"{i:02d}:00" for i in h])], axis=1)
    share = load / load.sum(1, keepdims=True)
    return t, z, np.sqrt(share), dict(id="meter", links=40, scaled=True)


@case
def staff_hr(rng):
    z = groups(rng, 480, 4)
    n = len(z)
    pay = np.exp(by(z, [10.7, 11.3, 11.8, 11.0]) + 0.12 * rng.normal(size=n))
    months = np.maximum(1, np.round(by(z, [14, 50, 120, 90]) * np.exp(0.3 * rng.normal(size=n))))
    age = by(z, [27, 36, 49, 44]) + 4 * rng.normal(size=n)
    happy = 1 + ordinal(rng, by(z, [2.8, 3.2, 2.9, 1.0]).astype(float), 0.8, 4)
    rating = np.array(["Below", "Meets", "Exceeds", "Outstanding"])
    r = ordinal(rng, by(z, [1, 2, 2.2, 0.7]).astype(float), 0.7, 3)
    extra = np.where(rng.random(n) < by(z, [0.2, 0.3, 0.15, 0.8]), "Yes", "No")
    t = pd.DataFrame({"Employee No.": [f"E-{i:05d}" for i in rng.permutation(99999)[:n]], "Name": people(rng, n), "Department": rng.choice(["Sales", "R&D", "HR", "Finance", "Support"], n), "Manager": rng.choice(people(rng, 40), n),
                      "Hire date": (pd.Timestamp("2025-07-01") - pd.to_timedelta(months * 30.4, "D")).strftime("%m/%d/%Y"), "Tenure": [f"{int(m) // 12} yrs {int(m) % 12} mos" if m >= 12 else f"{int(m)} mos" for m in months],
                      "Base pay": [f"${v / 1000:.1f}k" for v in pay], "Age": np.round(age).astype(int), "Rating": rating[r], "Overtime": extra, "Satisfaction (1-5)": happy, "Remote": [f"{rng.choice([0, 20, 40, 60, 100])}%" for _ in z]})
    return t, z, np.hstack([std(np.log(pay), np.log(months), age, r, happy), hot(extra)]), dict(id="Employee No.", labels=40, wrong=3, scaled=True)


LIKERT = ["Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"]


@case
def attitudes_likert(rng):
    z = groups(rng, 420, 3)
    n, d = len(z), 14
    centre = rng.choice([0.9, 2.0, 3.1], (3, d))
    style = 0.35 * rng.normal(size=(n, 1))
    a = ordinal(rng, centre[z] + style, 1.0, 4)
    t = pd.DataFrame(np.array(LIKERT)[a], columns=["I enjoy trying new products", "Price matters most to me", "I trust online reviews", "I plan purchases in advance", "Brands say a lot about people", "I often buy on impulse", "I prefer local shops",
                                                   "Advertising helps me decide", "I compare offers", "I keep things for years", "Quality beats price", "I return what I dislike", "Shopping relaxes me", "I shop at night"]).astype(object)
    t = t.mask(rng.random(t.shape) < 0.04, "Prefer not to say")
    t.insert(0, "ResponseId", ["R_" + "".join(rng.choice(list("abcdefghijklmnopqrstuvwxyzABCDEFGH0123456789"), 12)) for _ in z])
    t.insert(1, "StartDate", [f"2025-04-{rng.integers(1, 30):02d} {rng.integers(8, 23):02d}:{rng.integers(60):02d}:{rng.integers(60):02d}" for _ in z])
    t.insert(2, "Age", rng.choice(["18-24", "25-34", "35-44", "45-54", "55+"], n))
    t.insert(3, "Gender", rng.choice(["Woman", "Man", "Non-binary", "Prefer not to say"], n, p=[0.48, 0.47, 0.02, 0.03]))
    b = np.where(t.iloc[:, 4:].eq("Prefer not to say"), np.nan, a)
    return t, z, full(b - np.nanmean(b, 0)), dict(id="ResponseId", links=40, wrong=3, scaled=True)


@case
def counts_rnaseq(rng):
    k, d = 4, 300
    z = groups(rng, 96, k, 20)
    n = len(z)
    base = np.exp(rng.normal(3, 1.6, d))
    fold = np.where(rng.random((k, d)) < 0.12, rng.normal(0, 1.1, (k, d)), 0)
    mean = base * np.exp(fold[z] + 0.35 * rng.normal(size=(n, d))) * np.exp(0.5 * rng.normal(size=(n, 1)))
    counts = rng.poisson(rng.gamma(5, mean / 5))
    t = pd.DataFrame(counts, columns=[f"ENSG{i:011d}" for i in rng.permutation(10**6)[:d]])
    t.insert(0, "sample", [f"SRR{i}" for i in rng.permutation(999999)[:n]])
    t.insert(1, "batch", rng.choice(["b1", "b2"], n))
    x = np.log2(counts / counts.sum(1, keepdims=True) * np.median(counts.sum(1)) + 1)
    return t, z, x - x.mean(0), dict(id="sample", links=30, k=None, scaled=True)


PANTRY = [["soy sauce", "rice", "ginger", "sesame oil", "scallion", "tofu", "chili paste"], ["tomato", "basil", "olive oil", "mozzarella", "oregano", "pasta", "parmesan"], ["tortilla", "black beans", "cumin", "lime", "cilantro", "avocado", "jalapeño"],
          ["flour", "sugar", "butter", "vanilla", "baking powder", "milk", "cocoa"], ["lentils", "turmeric", "garam masala", "ghee", "coriander", "yogurt", "cardamom"]]
STAPLES = ["salt", "garlic", "onion", "water", "pepper", "egg", "lemon"]


@case
def recipes_ingredients(rng):
    z = groups(rng, 420, 5)
    every = sorted(set(sum(PANTRY, [])) | set(STAPLES))
    lists = []
    for g in z:
        own = list(rng.choice(PANTRY[g], rng.integers(2, 5), replace=False))
        lists.append(sorted(set(own + list(rng.choice(STAPLES, rng.integers(1, 5), replace=False)) + list(rng.choice(every, rng.integers(0, 3), replace=False)))))
    minutes = np.exp(by(z, [3.2, 3.4, 3.3, 3.8, 3.7]) + 0.4 * rng.normal(size=len(z)))
    clock = lambda m: f"{int(m) // 60} h {int(m) % 60} min" if m >= 60 else f"{int(m)} min"  # noqa: E731
    t = pd.DataFrame({"title": [f"{w} {rng.choice(['bowl', 'stew', 'bake', 'plate', 'special'])}" for w in words(rng, len(z), SYL)], "slug": [f"recipe-{i}" for i in rng.permutation(9999)[: len(z)]], "ingredients": [", ".join(v) for v in lists],
                      "ready in": [clock(m) for m in minutes], "serves": rng.choice([2, 4, 6], len(z)), "rating": [f"{min(5, 4.2 + 0.4 * rng.normal()):.1f}/5" for _ in z], "reviews": rng.poisson(np.exp(rng.normal(3, 1, len(z))))})
    b = np.array([[w in v for w in every] for v in lists], float)
    return t, z, b - b.mean(0), dict(id="slug", labels=40, scaled=True)


@case
def trips_taxi(rng):
    z = groups(rng, 800, 4, 12)
    n = len(z)
    miles = np.exp(by(z, [2.7, 0.9, 1.6, 0.1]) + 0.25 * rng.normal(size=n))
    speed = by(z, [32, 10, 20, 8]) * np.exp(0.15 * rng.normal(size=n))
    hour = (by(z, [15, 8.5, 1.5, 13]) + by(z, [3, 0.8, 1.2, 2]) * rng.normal(size=n)) % 24
    fare = 3 + 2.6 * miles * np.exp(0.08 * rng.normal(size=n))
    tip = fare * np.clip(by(z, [0.22, 0.12, 0.18, 0.05]) + 0.05 * rng.normal(size=n), 0, 1)
    lon, lat = by(z, [-73.79, -73.98, -73.99, -73.96]) + 0.008 * rng.normal(size=n), by(z, [40.64, 40.75, 40.73, 40.77]) + 0.008 * rng.normal(size=n)
    start = [pd.Timestamp("2025-03-01") + pd.Timedelta(days=int(rng.integers(28)), hours=float(h)) for h in hour]
    seconds = miles / speed * 3600
    t = pd.DataFrame({"trip": [f"{rng.integers(16**12):012x}" for _ in z], "pickup_at": [s.strftime("%Y-%m-%d %H:%M:%S") for s in start], "duration": [f"{int(s) // 60}m {int(s) % 60}s" for s in seconds], "distance": [f"{m:.1f} mi" for m in miles],
                      "pickup_lat": np.round(lat, 5), "pickup_lon": np.round(lon, 5), "fare": [f"${v:.2f}" for v in fare], "tip": [f"${v:.2f}" for v in tip], "payment": rng.choice(["card", "cash", "app"], n, p=[0.6, 0.2, 0.2]), "medallion": rng.choice([f"{rng.integers(1, 9)}{c}{rng.integers(10, 99)}" for c in "ABCDEFGHJK" * 9], n)})
    x = std(np.log(seconds), np.log(miles), np.log(fare), np.log1p(tip), lat, lon, np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12))
    return t, z, x, dict(id="trip", links=60, k=None, scaled=True)


@case
def patrons_library(rng):
    genres = ["Crime", "Romance", "SciFi", "Children", "Travel", "History", "Cooking", "Manga"]
    k = 5
    z = groups(rng, 520, k)
    n = len(z)
    taste = rng.dirichlet(np.full(len(genres), 0.5), k)
    many = np.exp(rng.normal(3.3, 0.7, n))
    counts = rng.poisson(many[:, None] * (0.8 * taste[z] + 0.025))
    t = pd.DataFrame({"card_no": rng.permutation(np.arange(29060000000000, 29060000999999))[:n], "patron": people(rng, n), "joined": [f"{rng.integers(1, 29)} {rng.choice(['Jan', 'Mar', 'Jul', 'Oct'])} {rng.integers(2008, 2025)}" for _ in z], "branch": rng.choice(["Central", "North", "Mobile"], n),
                      "category": rng.choice(["Adult", "Concession"], n, p=[0.8, 0.2]), "fines": [f"£{v:.2f}" if v > 0.5 else "" for v in rng.gamma(0.4, 2, n)]})
    t = pd.concat([t, pd.DataFrame(counts, columns=[f"loans_{g}" for g in genres])], axis=1)
    share = np.sqrt(counts / np.maximum(counts.sum(1, keepdims=True), 1))
    return t, z, share, dict(id="card_no", labels=45, scaled=True)


@case
def boardgames(rng):
    z = groups(rng, 440, 4)
    n = len(z)
    weight = np.clip(by(z, [1.3, 2.3, 3.7, 1.6]) + 0.3 * rng.normal(size=n), 1, 5)
    minutes = by(z, [20, 60, 150, 30]) * np.exp(0.25 * rng.normal(size=n))
    least = np.maximum(1, np.round(by(z, [2, 2, 1, 4]) + 0.4 * rng.normal(size=n))).astype(int)
    most = least + np.maximum(0, np.round(by(z, [2, 2, 3, 6]) + 0.7 * rng.normal(size=n))).astype(int)
    age = np.round(by(z, [6, 10, 14, 12]) + 1.2 * rng.normal(size=n)).astype(int)
    mechanics = ["Dice Rolling", "Hand Management", "Worker Placement", "Deduction", "Bluffing", "Set Collection", "Area Control"]
    load = np.array([[5, 3, 0, 0, 0, 4, 0], [2, 3, 2, 0, 0, 4, 2], [1, 4, 6, 0, 0, 1, 4], [0, 1, 0, 6, 6, 0, 0]], float) + 0.3
    own = [sorted(rng.choice(mechanics, rng.integers(1, 4), replace=False, p=load[g] / load[g].sum())) for g in z]
    t = pd.DataFrame({"bgg_id": rng.permutation(np.arange(1, 400000))[:n], "name": [" ".join(words(rng, 2, SYL)) for _ in z], "year": rng.integers(1990, 2025, n), "players": [f"{a}–{b}" if a != b else str(a) for a, b in zip(least, most)],
                      "playtime": [f"{max(5, round(m * 0.8 / 5) * 5)}-{max(10, round(m * 1.2 / 5) * 5)} min" for m in minutes], "min age": [f"{a}+" for a in age], "complexity": [f"{v:.2f} / 5" for v in weight], "rating": np.round(np.clip(7 + 0.6 * rng.normal(size=n), 1, 10), 2),
                      "owned": [f"{int(v):,}" for v in np.exp(rng.normal(8, 1.2, n))], "mechanics": ["|".join(v) for v in own]})
    b = np.array([[m in v for m in mechanics] for v in own], float)
    return t, z, np.hstack([std(weight, np.log(minutes), least, most, age), (b - b.mean(0)) / np.sqrt(b.var(0).sum()) * np.sqrt(3)]), dict(id="bgg_id", links=50, k=None, scaled=True)


WINDS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]


@case
def days_airport(rng):
    z = groups(rng, 365, 4)
    n = len(z)
    high = by(z, [28, 12, 3, 19]) + 3 * rng.normal(size=n)
    low = high - by(z, [12, 6, 5, 8]) - 1.5 * rng.normal(size=n)
    press = by(z, [1021, 1003, 1027, 1012]) + 4 * rng.normal(size=n)
    wind = np.maximum(0, by(z, [5, 18, 6, 11]) + 3 * rng.normal(size=n))
    rain = np.where(rng.random(n) < by(z, [0.05, 0.9, 0.1, 0.4]), rng.gamma(1.2, by(z, [2, 8, 1, 3])), 0)
    way = (np.round(by(z, [4, 11, 2, 13]) + 1.5 * rng.normal(size=n)).astype(int)) % 16
    cover = pick(rng, z, ["CLR", "FEW", "SCT", "BKN", "OVC"], [[6, 3, 1, 0, 0], [0, 0, 1, 3, 8], [3, 3, 2, 1, 1], [0, 2, 4, 3, 1]])
    t = pd.DataFrame({"Date": pd.date_range("2024-01-01", periods=n).strftime("%d-%b-%y"), "Max": [f"{v:.1f}°C" for v in high], "Min": [f"{v:.1f}°C" for v in low], "Pressure": holes(rng, [f"{v:.1f} hPa" for v in press], "M", 0.03), "Wind": [f"{v:.0f} kt" for v in wind],
                      "Dir": np.array(WINDS)[way], "Precip": ["T" if 0 < v < 0.2 else f"{v:.1f} mm" for v in rain], "Sky": cover, "Sunrise": [f"{5 + 2 * abs(np.cos(i / 58)):.0f}:{rng.integers(60):02d} AM" for i in range(n)], "Observer": rng.choice(["auto", "AO2"], n)})
    p = np.where(t["Pressure"].eq("M"), np.nan, press)
    c = np.array([["CLR", "FEW", "SCT", "BKN", "OVC"].index(v) for v in cover])
    x = full(std(high, low, p, wind, np.log1p(rain), np.sin(way * np.pi / 8), np.cos(way * np.pi / 8), c))
    return t, z, x, dict(id="Date", labels=36, scaled=True)


TOPICS_TR = ["kargo teslimat gecikti paket adres kurye takip ulaşmadı", "iade para geri ödeme kart banka ekstre tutar", "şifre giriş hesap kod telefon doğrulama kilitlendi üyelik", "beden renk ürün kumaş küçük büyük değişim dikiş",
             "kampanya indirim kupon sepet kod geçersiz puan hediye"]
FILL_TR = "merhaba bir ve bu için çok ama ben siz lütfen var yok daha gibi ne zaman nasıl teşekkürler acaba kadar dün bugün hâlâ".split()


@case
def chats_tr(rng):
    z, text = texts(rng, 480, TOPICS_TR, FILL_TR, 0.3)
    t = pd.DataFrame({"sohbet_no": [f"S-{i:06d}" for i in rng.permutation(999999)[: len(z)]], "tarih": (pd.Timestamp("2025-01-05") + pd.to_timedelta(rng.integers(0, 9000, len(z)), "min")).strftime("%d.%m.%Y %H:%M"), "temsilci": rng.choice(["Ayşe", "Mehmet", "Elif"], len(z)),
                      "mesaj": [s[0].upper() + s[1:] + rng.choice([".", "!", "??", ""]) for s in text], "süre": [f"{rng.integers(1, 30)} dk" for _ in z], "memnuniyet": rng.choice(["★★★★★", "★★★★", "★★★", "★★", "★"], len(z))})
    return t, z, text, dict(args=["--text", "mesaj"], id="sohbet_no", labels=40)
