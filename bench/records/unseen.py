"""Three more kinds of tables, written after the method and its weights had been fixed. One bound was chosen later, on 25,000 contacts
(leastSize in dedupe/second.go, which tables of this size do not reach); no weight was changed."""
from words import FIRST, LAST, invented, typo, zipf


def slip(rng, r, fields, rate):
    for f in fields:
        if r[f] and rng.random() < rate:
            r[f] = typo(rng, r[f])


def drop(rng, r, rates):
    for f, p in rates.items():
        if rng.random() < p:
            r[f] = ""


def hotels(rng, n):
    """Hotels as three portals list them: chains with several houses in one town, hotels that were renamed."""
    chains, towns, streets = invented(rng, 14), invented(rng, 50), invented(rng, 140)
    adjectives, nouns = ["Grand", "Park", "Royal", "Central", "Old Town", "Sea View", "Garden", "City"], ["Hotel", "Inn", "Resort", "Suites", "Lodge"]
    houses = []
    for _ in range(n):
        town = zipf(rng, towns)
        name = f"{rng.choice(adjectives)} {rng.choice(nouns)} {town}" if rng.random() < .45 else f"{zipf(rng, chains)} {rng.choice(nouns)} {rng.choice(['', town, 'Airport', 'Centre'])}".strip()
        if rng.random() < .3:
            name = f"{rng.choice(nouns)} {rng.choice(LAST)}"
        h = dict(name=name, town=town, street=rng.choice(streets), number=rng.randint(1, 150), stars=rng.choice([2, 3, 3, 4, 4, 5]), rooms=rng.randint(8, 320),
                 phone=f"+{rng.choice([33, 39, 34])} {rng.randint(100, 999)} {rng.randint(100000, 999999)}")
        if houses and rng.random() < .12:  # the same chain next door
            o = rng.choice(houses)
            h.update(name=o["name"] + rng.choice([" II", " Airport", " Centre", " Express"]), town=o["town"])
            if rng.random() < .4:
                h.update(street=o["street"], phone=o["phone"][:-2] + f"{rng.randint(10, 99)}")
        houses.append(h)

    def copy(h, again):
        name = h["name"]
        if rng.random() < .2:
            name = name.replace("Hotel ", "").replace(" Hotel", "") or name
        if rng.random() < .15:
            name += rng.choice([" & Spa", " - adults only", f", {h['town']}", " ***"])
        if again and rng.random() < .05:
            name = f"{rng.choice(chains)} {name.split()[-1]}"  # renamed
        r = dict(hotel=name, address=rng.choice([f"{h['number']} rue {h['street']}", f"Via {h['street']} {h['number']}", f"{h['street']} {h['number']}"]), town=h["town"],
                 stars=str(h["stars"] + (rng.choice([-1, 1]) if rng.random() < .12 else 0)), rooms=str(h["rooms"] + (rng.randint(-6, 6) if rng.random() < .3 else 0)),
                 phone=h["phone"] if rng.random() < .5 else "00" + h["phone"][1:].replace(" ", ""))
        if again:
            slip(rng, r, ["hotel", "address", "town"], .07)
        drop(rng, r, dict(stars=.2, rooms=.45, phone=.35, address=.06))
        return r
    return houses, copy, [.35, .35, .2, .1]


def devices(rng, n):
    """Machines of an inventory, entered by hand and found by a scan: series bought together, parts exchanged."""
    makers = [m.upper()[:5] for m in invented(rng, 9)]
    models = [f"{rng.choice(makers)} {rng.choice(['ProDesk', 'Think', 'Edge', 'Opti', 'Air'])} {rng.randint(10, 99) * 10}{rng.choice(['', 'G', 'S', 'M'])}" for _ in range(40)]
    sites, staff = invented(rng, 12, 1, 2), [f"{rng.choice(FIRST)} {rng.choice(LAST)}" for _ in range(160)]
    machines = []
    for k in range(n):
        m = dict(model=zipf(rng, models), site=rng.choice(sites), room=f"{rng.randint(0, 5)}.{rng.randint(1, 40):02}", serial=f"{rng.choice('CFJ')}{rng.randint(10 ** 7, 10 ** 8 - 1)}", user=zipf(rng, staff),
                 mac=":".join(f"{rng.randrange(256):02x}" for _ in range(6)), bought=(rng.randint(2014, 2024), rng.randint(1, 12), rng.randint(1, 28)))
        if machines and rng.random() < .35:  # of one delivery
            o = machines[-1]
            m.update(model=o["model"], site=o["site"], bought=o["bought"], serial=o["serial"][:-2] + f"{rng.randint(0, 99):02}", mac=o["mac"][:-2] + f"{rng.randrange(256):02x}")
        m["host"] = f"{m['site'][:3].lower()}-{rng.choice(['ws', 'nb', 'srv'])}{k % 400:03}"
        machines.append(m)

    def copy(m, again):
        y, mo, d = m["bought"]
        r = dict(hostname=m["host"] if rng.random() < .8 else m["host"].upper() + ".corp.example", model=m["model"] if rng.random() < .7 else m["model"].split(" ", 1)[1], serial=m["serial"],
                 mac=m["mac"] if rng.random() < .6 else m["mac"].replace(":", "-").upper(), site=m["site"], room=m["room"], user=m["user"] if rng.random() < .8 else ", ".join(m["user"].split()[::-1]),
                 bought=rng.choice([f"{y}-{mo:02}-{d:02}", f"{d:02}.{mo:02}.{y}"]))
        if again:
            slip(rng, r, ["hostname", "serial", "user", "model"], .05)
            if rng.random() < .15:
                r["room"] = f"{rng.randint(0, 5)}.{rng.randint(1, 40):02}"
            if rng.random() < .15:
                r["user"] = zipf(rng, staff)
            if rng.random() < .06:
                r["mac"] = ":".join(f"{rng.randrange(256):02x}" for _ in range(6))
        drop(rng, r, dict(serial=.3, mac=.35, user=.25, bought=.4, room=.2, hostname=.1))
        return r
    return machines, copy, [.5, .3, .15, .05]


def books(rng, n):
    """A second-hand catalogue: editions, volumes, translations, several authors of one surname."""
    words, publishers = [w.lower() for w in invented(rng, 320, 1, 3)], invented(rng, 35)
    authors = [f"{rng.choice(FIRST)} {zipf(rng, LAST)}" for _ in range(220)]
    titles = []
    for _ in range(n):
        b = dict(title=[rng.choice(["the", "a", "on", ""])] + [rng.choice(words) for _ in range(rng.randint(1, 5))], author=zipf(rng, authors), year=rng.randint(1930, 2024), house=zipf(rng, publishers),
                 pages=rng.randint(60, 900), isbn=f"978{rng.randint(10 ** 9, 10 ** 10 - 1)}")
        if titles and rng.random() < .22:
            o = rng.choice(titles)
            b.update(title=list(o["title"]), author=o["author"])
            how = rng.random()
            if how < .4:
                b["title"] += ["vol.", str(rng.randint(1, 4))]
                b.update(house=o["house"], year=o["year"] + rng.randint(0, 2))
            elif how < .7:
                b.update(house=o["house"], year=o["year"] + rng.randint(2, 20), pages=o["pages"] + rng.randint(5, 40))  # another edition
        titles.append(b)

    def copy(b, again):
        first, last = b["author"].split(" ", 1)
        title = " ".join(w for w in b["title"] if w)
        if rng.random() < .15:
            title += rng.choice([" (hardcover)", ": a novel", " [signed]", " 2nd hand"])
        r = dict(title=title.capitalize() if rng.random() < .6 else title.title(), author=rng.choice([b["author"], f"{last}, {first}", f"{first[0]}. {last}"]), publisher=b["house"] if rng.random() < .75 else b["house"] + " Press",
                 year=str(b["year"]), pages=str(b["pages"]) + rng.choice(["", "", " p."]), isbn=b["isbn"] if rng.random() < .5 else f"{b['isbn'][:3]}-{b['isbn'][3:]}")
        if again:
            slip(rng, r, ["title", "author", "publisher", "isbn"], .07)
            if rng.random() < .08:
                r["year"] = str(b["year"] + rng.choice([-1, 1, 2]))
        drop(rng, r, dict(isbn=.55, pages=.35, year=.12, publisher=.15, author=.03))
        return r
    return titles, copy, [.55, .25, .12, .05, .03]


UNSEEN = dict(hotels=hotels, devices=devices, books=books)
