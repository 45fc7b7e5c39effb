"""Ten other kinds of files, written before the readers were tried on them: python bench/strangers/run.py --case ...

The analyst's columns are made from what stands in the table, never from the hidden groups.
"""
import numpy as np
import pandas as pd

from files import SYL, case, comma, holes, latent, texts, words


def std(*columns):
    x = np.column_stack([np.asarray(c, float) for c in columns])
    return np.nan_to_num((x - np.nanmean(x, 0)) / np.nanstd(x, 0))


def spaced(v, digits=2):
    return f"{v:,.{digits}f}".replace(",", "\u00a0").replace(".", ",")


@case
def water_lod(rng):
    z, x = latent(rng, 360, 4, 5)
    nitrate, lead, copper = np.exp(2 + 0.8 * x[:, 0]), np.exp(-0.5 + 0.9 * x[:, 1]), np.exp(3 + 0.7 * x[:, 2])
    write = lambda v: "<LOD" if v < 0.15 else "n.q." if v < 0.2 else f"{v:.2f} ± {0.1 * v:.2f}"  # noqa: E731
    t = pd.DataFrame({"Sample": [f"2025-{i:05d}-W" for i in rng.permutation(99999)[: len(z)]], "Site": rng.choice([w + " Creek" for w in words(rng, 50, SYL)], len(z)),
                      "NO3-N": [f"{v * 1000:.0f} µg/L" if v < 3 else f"{v:.2f} mg/L" for v in nitrate], "Pb (µg/L)": [write(v) for v in lead], "Cu [µg/L]": [f"{v:.3g}" for v in copper],
                      "pH": holes(rng, np.round(7.2 + 0.4 * x[:, 3], 2), "not measured", 0.04), "Cond. (µS/cm)": [f"{600 + 130 * v:.0f}" for v in x[:, 4]], "T/°C": np.round(11 + 3 * rng.normal(size=len(z)), 1),
                      "Collected": [f"{rng.integers(1, 29)}-{rng.choice(['Jan', 'Apr', 'Jul', 'Oct'])}-25" for _ in z], "Analyst": rng.choice(["AB", "CD", "EF"], len(z))})
    ph = np.where(t["pH"].eq("not measured"), np.nan, 7.2 + 0.4 * x[:, 3])
    return t, z, std(np.log(nitrate), np.log(np.maximum(lead, 0.15)), np.log(copper), ph, x[:, 4]), dict(id="Sample", labels=36, scaled=True)


@case
def pressure_diary(rng):
    z, x = latent(rng, 380, 4, 5)
    upper, lower, sugar = 130 + 14 * x[:, 0], 82 + 8 * x[:, 1], np.exp(1.75 + 0.2 * x[:, 2])
    t = pd.DataFrame({"ΑΜΚΑ": [f"{rng.integers(10**10, 10**11)}" for _ in z], "Ονοματεπώνυμο": [a + " " + b for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))],
                      "Πίεση": [f"{a:.0f}/{b:.0f}" for a, b in zip(upper, lower)], "Σφύξεις": np.round(74 + 8 * x[:, 3]).astype(int),
                      "Γλυκόζη": holes(rng, [f"{comma(v)} mmol/L" if rng.random() < 0.6 else f"{v * 18:.0f} mg/dL" for v in sugar], "—", 0.05),
                      "Βάρος": [f"{comma(79 + 9 * v)} kg" for v in x[:, 4]], "Καπνιστής": rng.choice(["ναι", "όχι"], len(z), p=[0.3, 0.7]), "Ημ/νία": [f"{rng.integers(1, 29)}/{rng.integers(1, 13)}/2024" for _ in z]})
    sugar = np.where(t["Γλυκόζη"].eq("—"), np.nan, np.log(sugar))
    return t, z, std(upper, lower, sugar, x[:, 3], x[:, 4]), dict(sep=";", id="ΑΜΚΑ", labels=36, scaled=True)


@case
def sales_monthly(rng):
    k, m = 4, 12
    z = rng.choice(k, 320)
    month = np.arange(m)
    shape = np.array([1 + 0.8 * np.cos(2 * np.pi * (month - 6) / m), 1 + 0.8 * np.cos(2 * np.pi * month / m), np.linspace(0.5, 1.5, m), 1 + 1.2 * np.isin(month, [10, 11])])
    sales = np.exp(rng.normal(9, 1, (len(z), 1))) * shape[z] * np.exp(0.25 * rng.normal(size=(len(z), m)))
    money = lambda v: f"${v:,.0f}"  # noqa: E731
    names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    t = pd.DataFrame({f"{n} 2024": [money(v) for v in sales[:, j]] for j, n in enumerate(names)})
    t.insert(0, "SKU", [f"{rng.integers(10**5, 10**6)}-{rng.choice(list('RGB'))}{i}" for i in range(len(z))])
    t.insert(1, "Category Manager", rng.choice(["Ito", "Perez", "Lund"], len(z)))
    t["Grand Total"] = [money(v) for v in sales.sum(1)]
    return t, z, np.sqrt(sales / sales.sum(1, keepdims=True)), dict(id="SKU", links=40, scaled=True)


@case
def genotypes(rng):
    k, d = 3, 90
    z = rng.choice(k, 300)
    base = rng.beta(1.5, 1.5, d)
    p = np.clip(base + 0.22 * rng.normal(size=(k, d)), 0.03, 0.97)
    g = rng.binomial(2, p[z])
    pairs = [rng.choice(list("ACGT"), 2, replace=False) for _ in range(d)]
    cells = np.array([[a + a, "".join(sorted(a + b)), b + b] for a, b in pairs])
    t = pd.DataFrame({f"rs{i}": cells[j, g[:, j]] for j, i in enumerate(rng.permutation(10**7)[:d])}).astype(object)
    gone = rng.random(t.shape) < 0.03
    t = t.mask(gone, "--")
    t.insert(0, "IID", [f"NA{i:05d}" for i in rng.permutation(99999)[: len(z)]])
    t.insert(1, "sex", rng.choice([1, 2], len(z)))
    a = np.where(gone, np.nan, g.astype(float))
    a = np.nan_to_num(a - np.nanmean(a, 0))
    u, s, _ = np.linalg.svd(a, full_matrices=False)
    return t, z, (u * s)[:, :8], dict(id="IID", labels=30, scaled=True)


@case
def flats_ko(rng):
    z, x = latent(rng, 420, 4, 4)
    price, area = np.exp(10.8 + 0.35 * x[:, 0]), np.exp(4.2 + 0.25 * x[:, 1])  # of 10,000 won, m²
    won = lambda v: f"{int(v) // 10000}억 {int(v) % 10000 // 100 * 100:,}만원" if v >= 10000 else f"{int(v) // 100 * 100:,}만원"  # noqa: E731
    t = pd.DataFrame({"매물번호": rng.permutation(np.arange(2400000000, 2400999999))[: len(z)], "단지명": [w + "아파트" for w in rng.choice(words(rng, 150, SYL), len(z))],
                      "매매가": [won(v) for v in price], "전용면적": [f"{v:.2f}㎡({v / 3.3058:.1f}평)" for v in area], "층": [f"{rng.integers(1, 25)}층" for _ in z],
                      "준공": [f"{int(v)}년" for v in np.clip(np.round(2005 + 6 * x[:, 2]), 1970, 2025)], "역까지": holes(rng, [f"{max(40, 700 + 160 * v):.0f}m" for v in x[:, 3]], "정보 없음", 0.05),
                      "방향": rng.choice(["남향", "동향", "서향", "남동향"], len(z)), "등록일": [f"2025.{rng.integers(1, 7):02d}.{rng.integers(1, 29):02d}." for _ in z]})
    far = np.where(t["역까지"].eq("정보 없음"), np.nan, x[:, 3])
    return t, z, std(np.log(price), np.log(area), x[:, 2], far), dict(id="매물번호", labels=36, scaled=True)


@case
def parcels_ru(rng):
    z, x = latent(rng, 460, 4, 5)
    worth, days = np.exp(8 + 0.7 * x[:, 0]), np.maximum(1, np.round(np.exp(1.6 + 0.5 * x[:, 1])))
    t = pd.DataFrame({"Трек-номер": [f"RA{rng.integers(10**8, 10**9)}RU" for _ in z], "ФИО": [a + " " + b for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))],
                      "Объявленная ценность": [spaced(v) + " руб." for v in worth], "Срок": [f"{v:.0f} дн." for v in days],
                      "Вес": [f"{comma(v / 1000, 2)} кг" if v > 1000 else f"{v:.0f} г" for v in np.exp(7 + 0.6 * x[:, 2])], "Расстояние": [f"{spaced(max(30, 2200 + 500 * v), 0)} км" for v in x[:, 3]],
                      "Оценка": holes(rng, [comma(min(5, max(1, 3.5 + 0.5 * v))) for v in x[:, 4]], "нет данных", 0.06), "Хрупкое": rng.choice(["да", "нет"], len(z), p=[0.2, 0.8]),
                      "Принято": [f"{rng.integers(1, 29):02d}.{rng.integers(1, 13):02d}.24 {rng.integers(8, 20):02d}:{rng.integers(60):02d}" for _ in z]})
    mark = np.where(t["Оценка"].eq("нет данных"), np.nan, x[:, 4])
    return t, z, std(np.log(worth), np.log(days), x[:, 2], x[:, 3], mark), dict(sep=";", id="Трек-номер", labels=40, wrong=3, scaled=True)


@case
def hotels(rng):
    z, x = latent(rng, 440, 4, 5)
    rate, score = np.exp(4.8 + 0.4 * x[:, 0]), np.clip(7.4 + 0.6 * x[:, 1], 1, 10)
    stars = np.clip(np.round(3.2 + 0.6 * x[:, 2]), 1, 5).astype(int)
    lat, lon = 48.14 + 0.02 * x[:, 3], 11.57 + 0.03 * x[:, 4]
    t = pd.DataFrame({"property": [f"Hotel {a} {b}" for a, b in zip(words(rng, len(z), SYL), words(rng, len(z), SYL))], "code": [f"MUC{i:05d}" for i in rng.permutation(99999)[: len(z)]], "stars": ["★" * v for v in stars],
                      "from": [f"from ${v:,.0f} / night" for v in rate], "guest score": holes(rng, [f"{v:.1f}/10" for v in score], "New", 0.05), "location": [f"{a:.5f}, {b:.5f}" for a, b in zip(lat, lon)],
                      "rooms": np.round(np.exp(4 + 0.5 * rng.normal(size=len(z)))).astype(int), "website": [f"www.{w.lower()}{i}.example" for i, w in enumerate(words(rng, len(z), SYL))], "check-in": rng.choice(["14:00", "15:00", "16:00"], len(z)),
                      "breakfast": rng.choice(["included", "$15", "no"], len(z))})
    score = np.where(t["guest score"].eq("New"), np.nan, score)
    return t, z, std(np.log(rate), score, stars, lat, lon), dict(id="code", labels=40, scaled=True)


TOPICS_PT = ["mar praia onda vento barco areia sal ilha maré pescador", "saudade coração amor beijo adeus lágrima sozinho paixão ciúme", "samba roda pandeiro morro carnaval avenida batucada desfile cavaquinho",
             "estrada boi sertão viola cavalo poeira gado chuva roça"]
FILL_PT = "eu você não que de a o para com meu minha quando mais vai vem só hoje noite dia tudo sem na no me te se foi".split()


@case
def songs_pt(rng):
    z, text = texts(rng, 360, TOPICS_PT, FILL_PT, 0.3)
    t = pd.DataFrame({"faixa": [f"T{i:04d}" for i in rng.permutation(9999)[: len(z)]], "título": [" ".join(words(rng, 2, SYL)) for _ in z], "ano": rng.integers(1950, 2024, len(z)), "duração": [f"{rng.integers(2, 6)}:{rng.integers(60):02d}" for _ in z],
                      "reproduções": [f"{comma(v / 1e6)} mi" if v > 1e6 else f"{v / 1e3:.0f} mil" for v in np.exp(rng.normal(12, 1.5, len(z)))], "letra": text})
    return t, z, text, dict(args=["--text", "letra"], id="faixa", labels=36)


@case
def vectors_cell(rng):
    z, x = latent(rng, 500, 5, 16, sep=5)
    size = np.exp(0.4 * rng.normal(size=(len(z), 1)))
    v = size * (x / np.linalg.norm(x, axis=1, keepdims=True) + 0.02 * rng.normal(size=x.shape))
    t = pd.DataFrame({"image": [f"img/{rng.integers(16**8):08x}.jpg" for _ in z], "model": "clip-vit-b32", "width": rng.choice([640, 800, 1024], len(z)), "embedding": ["[" + ", ".join(f"{y:.4f}" for y in r) + "]" for r in v]})
    return t, z, v / np.linalg.norm(v, axis=1, keepdims=True), dict(id="image", links=50, scaled=True)


@case
def backlog(rng):
    z, x = latent(rng, 420, 4, 4)
    hours, wait = np.exp(2.2 + 0.7 * x[:, 0]), np.exp(4 + 0.6 * x[:, 1])
    spent = lambda h: " ".join(p for p in (f"{int(h) // 8}d" if h >= 8 else "", f"{int(h) % 8}h" if int(h) % 8 else "", f"{int(60 * h) % 60}m" if h < 8 else "") if p)  # noqa: E731
    points = np.array([1, 2, 3, 5, 8, 13, 21])
    p = points[np.clip(np.round(3 + x[:, 2]), 0, 6).astype(int)]
    talk = np.maximum(0, np.round(np.exp(1.8 + 0.7 * x[:, 3]))).astype(int)
    opened = pd.Timestamp("2024-02-01") + pd.to_timedelta(rng.integers(0, 200 * 1440, len(z)), "min")
    closed = opened + pd.to_timedelta(np.round(wait * 60), "min")
    rows = [{"key": f"APP-{i}", "fields": {"summary": " ".join(words(rng, 4, SYL)).lower(), "issuetype": str(rng.choice(["Bug", "Story", "Task"])), "priority": {"name": f"P{rng.integers(1, 5)}"}, "timespent": spent(hours[j]),
                                           "points": None if rng.random() < 0.05 else int(p[j]), "comments": int(talk[j]), "created": opened[j].strftime("%Y-%m-%dT%H:%M:%S.000+0000"), "resolved": closed[j].strftime("%Y-%m-%dT%H:%M:%S.000+0000"),
                                           "assignee": {"name": str(rng.choice(["kim", "lee", "ana", "bo"])), "email": "x@example.com"}, "labels": [str(w) for w in rng.choice(["ui", "api", "db", "ops"], rng.integers(0, 3), replace=False)]}}
            for j, i in enumerate(rng.permutation(9999)[: len(z)])]
    return rows, z, std(np.log(hours), np.log(wait), np.log(p), np.log1p(talk)), dict(id="key", labels=40, scaled=True)
