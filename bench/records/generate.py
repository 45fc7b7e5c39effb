"""Made-up records with a known truth: fifteen kinds of tables, each with entities that look alike.

    python generate.py KIND SEED FOLDER [ENTITIES]

writes records.csv (id, then the fields), truth.csv (id,label) and links.csv (a,b,kind: 60 matches, 60 other pairs).
"""
import csv
import pathlib
import random
import sys

from drawn import drawn
from judges import JUDGES
from later import LATER
from unseen import UNSEEN
from words import FIRST, LAST, NICK, invented, typo, zipf


def mess(rng, r, fields, rate):
    for f in fields:
        if r[f] and rng.random() < rate:
            r[f] = typo(rng, r[f])


def blank(rng, r, rates):
    for f, p in rates.items():
        if rng.random() < p:
            r[f] = rng.choice(["", "", "", "n/a", "-"])


def contacts(rng, n):
    """People with namesakes and households; an e-mail address repeats the name."""
    lasts, streets, cities = LAST + invented(rng, 150), invented(rng, 90), invented(rng, 30)
    people = []
    for _ in range(n):
        how, o = rng.random(), rng.choice(people) if people else None
        first, last, place = zipf(rng, FIRST), zipf(rng, lasts), None
        if o and how < .08:
            first, last = o["first"], o["last"]  # a namesake
        elif o and how < .18:
            last, place = o["last"], o  # a household
        city = rng.randrange(len(cities))
        p = dict(first=first, last=last, street=f"{rng.choice(streets)} {rng.choice(['Street', 'Road', 'Weg'])} {rng.randint(1, 120)}", city=cities[city],
                 postcode=f"{10000 + 733 * city + rng.randrange(9)}", phone=f"0{rng.randint(30, 99)}{rng.randint(1000000, 9999999)}")
        if place:
            p.update({f: place[f] for f in ("street", "city", "postcode")})
            if rng.random() < .5:
                p["phone"] = place["phone"]
        at = rng.choice([f"{first}.{last}", f"{first[0]}{last}", f"{last}.{first}"]).lower().replace("'", "")
        p["email"] = f"{at}{rng.choice(['', str(rng.randint(1, 99)), str(rng.randint(60, 99))])}@{rng.choice(['mail', 'post', 'inbox', 'web'])}.example"
        people.append(p)

    def copy(p, again):
        r = dict(p)
        if rng.random() < .1 and r["first"] in NICK:
            r["first"] = NICK[r["first"]]
        elif rng.random() < .1:
            r["first"] = r["first"][0] + "."
        if again:
            mess(rng, r, ["first", "last", "street", "city", "email", "phone"], .07)
        if rng.random() < .06:
            r["first"], r["last"] = r["last"], r["first"]
        if rng.random() < .1:
            r["last"] = r["last"].replace("ü", "ue").replace("ö", "oe").upper()
        if again and rng.random() < .1:
            c = rng.randrange(len(cities))
            r.update(street=f"{rng.choice(streets)} Road {rng.randint(1, 120)}", city=cities[c], postcode=f"{10000 + 733 * c + rng.randrange(9)}")
        if rng.random() < .3:
            r["phone"] = rng.choice([f"+49 {r['phone'][1:3]} {r['phone'][3:]}", f"{r['phone'][:3]}/{r['phone'][3:]}", f"0049{r['phone'][1:]}"])
        blank(rng, r, dict(phone=.3, email=.3, postcode=.06, street=.05))
        return r
    return people, copy, [.4, .3, .18, .08, .04]


def bibliography(rng, n):
    """Papers: the same authors write on the same subject, a talk becomes an article."""
    words = [w.lower() for w in invented(rng, 260, 2, 4)]
    topics = [rng.sample(words, 14) for _ in range(25)]
    authors = [(rng.choice(FIRST), last) for last in (LAST + invented(rng, 160)) for _ in range(2)]
    venues = [(f"{' '.join(w.capitalize() for w in rng.sample(words, 2))}", rng.choice(["Journal of", "Conference on", "Transactions on", "Workshop on"])) for _ in range(30)]
    papers = []
    for _ in range(n):
        o = rng.choice(papers) if papers else None
        topic = rng.choice(topics)
        who = [zipf(rng, authors) for _ in range(rng.choice([1, 2, 2, 3, 3, 4]))]
        title = rng.sample(topic, rng.randint(3, 6)) + rng.sample(words, rng.randint(0, 2))
        if o and rng.random() < .15:  # the same people, nearly the same title
            who, topic = o["who"], o["topic"]
            title = o["title"][:-1] + [rng.choice(["revisited", "extended", "ii", "survey", rng.choice(topic)])]
        elif o and rng.random() < .1:
            who = o["who"]
        v = rng.choice(venues)
        papers.append(dict(who=who, topic=topic, title=title, venue=v, year=rng.randint(1985, 2024), page=rng.randint(1, 900), length=rng.randint(4, 30)))

    def copy(p, again):
        style = rng.randrange(4)
        who = [(f, l) if style != 1 else (f[0] + ".", l) for f, l in p["who"]]
        names = [f"{l}, {f}" if style == 2 else f"{f} {l}" for f, l in who]
        authors = (" and " if style == 2 else ", ").join(names)
        if len(names) > 2 and rng.random() < .12:
            authors = names[0] + " et al."
        title = " ".join(p["title"])
        title = title.title() if rng.random() < .5 else title.capitalize()
        venue = f"{p['venue'][1]} {p['venue'][0]}"
        if rng.random() < .35:
            venue = rng.choice([venue.replace("Journal of", "J.").replace("Conference on", "Conf.").replace("Transactions on", "Trans."), "".join(w[0] for w in venue.split()).upper()])
        r = dict(authors=authors, title=title, venue=venue, year=str(p["year"] + (rng.choice([-1, 1]) if again and rng.random() < .06 else 0)),
                 pages=rng.choice([f"{p['page']}-{p['page'] + p['length']}", f"pp. {p['page']}--{p['page'] + p['length']}", str(p["page"])]))
        if again:
            mess(rng, r, ["authors", "title", "venue"], .15)
        blank(rng, r, dict(venue=.12, year=.1, pages=.35, authors=.03))
        return r
    return papers, copy, [.45, .27, .16, .08, .04]


def products(rng, n):
    """Offers of shops: one line has several sizes and colours."""
    brands, lines = invented(rng, 40, 1, 2), invented(rng, 220, 1, 3)
    kinds = "headphones kettle toaster drill jacket backpack monitor keyboard lamp blender".split()
    colours = "black white red blue silver green".split()
    items = []
    for _ in range(n):
        o = rng.choice(items) if items else None
        p = dict(brand=zipf(rng, brands), line=rng.choice(lines), kind=rng.choice(kinds), size=rng.choice([1, 2, 5, 8, 10, 16, 20, 32, 64]), colour=rng.choice(colours))
        p["price"] = round(10 * 1.9 ** (rng.random() * 6), 2)
        if o and rng.random() < .3:
            p = dict(o)
            if rng.random() < .5:
                p["colour"] = rng.choice([c for c in colours if c != o["colour"]])
            else:
                p.update(size=o["size"] * 2, price=round(o["price"] * rng.uniform(1.1, 1.5), 2))
        p["model"] = f"{p['brand'][:2].upper()}{rng.choice('ABCDEFGHK')}{rng.randint(100, 9999)}{rng.choice(['', '-' + p['colour'][:2].upper()])}"
        items.append(p)

    def copy(p, again):
        size = rng.choice([f"{p['size']} L", f"{p['size']}l", f"{p['size']}L"])
        title = [p["brand"], p["line"], p["kind"], size, p["colour"]]
        if rng.random() < .3:
            title = title[1:]
        if rng.random() < .25:
            rng.shuffle(title)
        if rng.random() < .3:
            title.append(p["model"])
        if rng.random() < .2:
            title.append(rng.choice(["new", "2-pack offer", "free shipping", "original"]))
        if rng.random() < .12:
            title = [t for t in title if t != p["colour"]]
        r = dict(title=" ".join(title), brand=p["brand"], model=p["model"] if rng.random() < .6 else p["model"].replace("-", " ").lower(),
                 price=f"{p['price'] * (1 if rng.random() < .4 else rng.uniform(.85, 1.15)):.2f}", category=p["kind"] if rng.random() < .8 else rng.choice(["home", "sale", "outdoor"]))
        if again:
            mess(rng, r, ["title", "brand", "model"], .08)
        blank(rng, r, dict(brand=.15, model=.4, price=.05, category=.1))
        return r
    return items, copy, [.35, .3, .2, .1, .05]


def companies(rng, n):
    """Firms with subsidiaries and branches."""
    stems, cities, streets = invented(rng, 260), invented(rng, 45), invented(rng, 120)
    trades = "Logistics Foods Software Steel Energy Consulting Textiles Pharma Motors Media".split()
    forms = [("Ltd", "Limited"), ("GmbH", "Ges.m.b.H."), ("Inc", "Incorporated"), ("S.A.", "SA"), ("AG", "Aktiengesellschaft"), ("B.V.", "BV")]
    firms = []
    for _ in range(n):
        o = rng.choice(firms) if firms else None
        p = dict(stem=zipf(rng, stems), trade=rng.choice(trades), form=rng.choice(forms))
        how = rng.random()
        if o and how < .12:
            p["stem"] = o["stem"]  # a sister of another trade
        elif o and how < .2:
            p.update(stem=o["stem"], trade=o["trade"])  # a branch in another country
        c = rng.randrange(len(cities))
        p.update(street=f"{rng.choice(streets)} {rng.choice(['Avenue', 'Street', 'Platz'])} {rng.randint(1, 200)}", city=cities[c], zip=f"{c * 7 + 1000 + rng.randrange(5)}",
                 vat=f"{rng.choice(['DE', 'GB', 'FR', 'NL'])}{rng.randint(10 ** 8, 10 ** 9 - 1)}", web=f"www.{p['stem'].lower()}{rng.choice(['', '-' + p['trade'].lower()])}.example",
                 tel=f"+{rng.choice([49, 44, 33])} {rng.randint(10, 99)} {rng.randint(100000, 9999999)}")
        if o and how < .12 and rng.random() < .4:
            p.update({f: o[f] for f in ("street", "city", "zip", "web")})
        firms.append(p)

    def copy(p, again):
        name = f"{p['stem']} {p['trade']}"
        form = rng.choice([p["form"][0], p["form"][0], p["form"][1], ""])
        if rng.random() < .12:
            name = name.replace(p["trade"], p["trade"][:4] + ".")
        if rng.random() < .08:
            name = p["stem"]
        r = dict(company=f"{name} {form}".strip() if rng.random() < .8 else f"{name} {form}".strip().upper(), street=p["street"], city=p["city"], zip=p["zip"], vat=p["vat"],
                 website=p["web"] if rng.random() < .6 else "http://" + p["web"] + "/", telephone=p["tel"] if rng.random() < .6 else "0" + p["tel"].split(" ", 1)[1].replace(" ", "-"))
        if rng.random() < .3:
            r["street"] = r["street"].replace("Street", "St.").replace("Avenue", "Ave").replace("Platz", "Pl.")
        if again:
            mess(rng, r, ["company", "street", "city"], .08)
            if rng.random() < .1:
                c = rng.randrange(len(cities))
                r.update(street=f"{rng.choice(streets)} Street {rng.randint(1, 200)}", city=cities[c], zip=f"{c * 7 + 1000 + rng.randrange(5)}")
        blank(rng, r, dict(vat=.6, website=.4, telephone=.4, street=.1, zip=.1))
        return r
    return firms, copy, [.4, .3, .18, .08, .04]


def patients(rng, n):
    """Patients with twins, and fathers and sons of one name."""
    lasts, towns = LAST + invented(rng, 300), invented(rng, 40)
    people = []
    for _ in range(n):
        o = rng.choice(people) if people else None
        p = dict(first=zipf(rng, FIRST), middle=rng.choice(FIRST), last=zipf(rng, lasts), born=(rng.randint(1930, 2020), rng.randint(1, 12), rng.randint(1, 28)), sex=rng.choice("FM"),
                 town=zipf(rng, towns), street=f"{rng.choice(lasts)} Lane {rng.randint(1, 60)}", phone=f"0{rng.randint(200, 799)} {rng.randint(100000, 999999)}", number=f"{rng.randint(10 ** 9, 10 ** 10 - 1)}")
        how = rng.random()
        if o and how < .12:
            p.update({f: o[f] for f in ("last", "town", "street", "phone")})
            if how < .03:
                p["born"] = o["born"]  # twins
            elif how < .05:
                p.update(first=o["first"], sex=o["sex"])  # father and son
        people.append(p)

    def copy(p, again):
        first = p["first"]
        if rng.random() < .12:
            first = NICK.get(first, first)
        middle = rng.choice(["", "", p["middle"], p["middle"][0] + "."])
        name = rng.choice([f"{first} {middle} {p['last']}", f"{p['last']}, {first}", f"{first} {p['last']}"]).replace("  ", " ")
        y, m, d = p["born"]
        if again and rng.random() < .04 and d <= 12:
            m, d = d, m
        born = rng.choice([f"{y}-{m:02}-{d:02}", f"{d:02}.{m:02}.{y}"])
        r = dict(name=name, dob=born, sex=p["sex"] if rng.random() < .98 else "", address=f"{p['street']}, {p['town']}", phone=p["phone"], insurance=p["number"])
        if again:
            mess(rng, r, ["name", "address", "phone", "insurance"], .08)
            if rng.random() < .05:
                r["dob"] = typo(rng, r["dob"])
            if rng.random() < .1:
                r["address"] = f"{rng.choice(lasts)} Lane {rng.randint(1, 60)}, {zipf(rng, towns)}"
            if rng.random() < .1:
                r["phone"] = f"0{rng.randint(200, 799)} {rng.randint(100000, 999999)}"
            if rng.random() < .04:
                r["name"] = name.replace(p["last"], rng.choice(lasts))  # married
        blank(rng, r, dict(insurance=.5, phone=.25, address=.1, dob=.06))
        return r
    return people, copy, [.45, .3, .15, .07, .03]


def songs(rng, n):
    """Tracks: covers, live versions and namesakes among titles."""
    words, artists = invented(rng, 240, 1, 2), ["The " + a if rng.random() < .3 else a for a in invented(rng, 180)]
    tracks = []
    for _ in range(n):
        o = rng.choice(tracks) if tracks else None
        p = dict(title=" ".join(rng.choice(words) for _ in range(rng.randint(1, 4))), artist=zipf(rng, artists), year=rng.randint(1960, 2024), seconds=rng.randint(120, 420))
        p["album"] = " ".join(rng.choice(words) for _ in range(rng.randint(1, 3)))
        how = rng.random()
        if o and how < .1:
            p["title"] = o["title"]  # a cover
        elif o and how < .2:
            p.update(title=o["title"] + " " + rng.choice(["(Live)", "(Acoustic)", "(Remix)"]), artist=o["artist"], seconds=o["seconds"] + rng.randint(5, 60), year=o["year"] + rng.randint(0, 5))
        elif o and how < .4:
            p.update(artist=o["artist"], album=o["album"], year=o["year"])
        tracks.append(p)

    def copy(p, again):
        artist = p["artist"]
        if artist.startswith("The ") and rng.random() < .4:
            artist = rng.choice([artist[4:], artist[4:] + ", The"])
        title = p["title"]
        if rng.random() < .12:
            title, artist = title + f" (feat. {rng.choice(artists)})", artist
        seconds = p["seconds"] + rng.choice([0, 0, 0, 1, -1, 2])
        r = dict(artist=artist, track=title, album=p["album"] if rng.random() < .75 else rng.choice([p["album"] + " (Deluxe)", "Greatest Hits", p["album"].upper()]),
                 length=rng.choice([f"{seconds // 60}:{seconds % 60:02}", str(seconds)]), year=str(p["year"] + (rng.randint(1, 12) if rng.random() < .12 else 0)))
        if again:
            mess(rng, r, ["artist", "track", "album"], .08)
        blank(rng, r, dict(album=.2, length=.25, year=.15))
        return r
    return tracks, copy, [.4, .3, .18, .08, .04]


KINDS = dict(contacts=contacts, bibliography=bibliography, products=products, companies=companies, patients=patients, songs=songs)


def known_pairs(rng, truth, rows, count=120):
    """Half matches; of the others two in three share a word of some length, as pairs do that people are asked about."""
    n, groups, words = len(truth), {}, {}
    for i, e in enumerate(truth):
        groups.setdefault(e, []).append(i)
        for w in sorted(set(" ".join(rows[i].values()).lower().split())):
            if len(w) > 3:
                words.setdefault(w, []).append(i)
    shared = [v for v in words.values() if 1 < len(v) < 60]
    many = [g for g in groups.values() if len(g) > 1]
    links, seen = [], set()
    while len(links) < count:
        must = len(links) < count // 2
        if must:
            a, b = rng.sample(rng.choice(many), 2)
        elif len(links) % 3:
            a, b = rng.sample(rng.choice(shared), 2)
        else:
            a, b = rng.sample(range(n), 2)
        if (truth[a] == truth[b]) == must and (min(a, b), max(a, b)) not in seen:
            seen.add((min(a, b), max(a, b)))
            links.append((a, b, "must" if must else "cannot"))
    rng.shuffle(links)
    return links


def generate(kind, seed, folder, entities=700):
    rng = random.Random(f"{kind} {seed}")
    people, copy, sizes = dict(KINDS, **UNSEEN, **JUDGES, **LATER, drawn=drawn)[kind](rng, entities)
    rows, truth = [], []
    for e, p in enumerate(people):
        for c in range(rng.choices(range(1, len(sizes) + 1), sizes)[0]):
            rows.append(copy(p, c > 0))
            truth.append(e)
    order = list(range(len(rows)))
    rng.shuffle(order)
    rows, truth = [rows[i] for i in order], [truth[i] for i in order]
    ids = [f"R{i:06d}" for i in sorted(rng.sample(range(9 * len(rows)), len(rows)))]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def write(name, header, lines):
        with open(folder / name, "w", newline="", encoding="utf-8") as f:
            w = csv.writer(f, lineterminator="\n")
            w.writerow(header)
            w.writerows(lines)
    write("records.csv", ["record_id", *rows[0]], ([i, *r.values()] for i, r in zip(ids, rows)))
    write("truth.csv", ["id", "label"], zip(ids, truth))
    if kind != "drawn":
        links = known_pairs(rng, truth, rows)
        write("links.csv", ["a", "b", "kind"], ((ids[a], ids[b], k) for a, b, k in links))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5) or sys.argv[1] not in dict(KINDS, **UNSEEN, **JUDGES, **LATER):
        sys.exit(__doc__ + "\nKIND is " + ", ".join([*KINDS, *UNSEEN, *JUDGES, *LATER]))
    generate(sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]) if len(sys.argv) == 5 else 700)
