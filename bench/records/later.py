"""Three kinds of tables more that only judge: they were written before the work on probabilities that they measure, and nothing was fitted or chosen with them in view."""
from unseen import drop, slip
from words import FIRST, LAST, NICK, invented, typo, zipf


def census(rng, n):
    """People as enumerators wrote them down twice or more: families under one roof, ages that are rounded, names by ear, boarders who move."""
    lasts, places = LAST + invented(rng, 120), invented(rng, 70)
    trades = "farmer smith weaver servant clerk miner baker carpenter tailor teacher cooper mason".split()
    people = []
    while len(people) < n:
        last, house = zipf(rng, lasts), rng.randint(1, 400)
        for _ in range(min(rng.choice([1, 1, 2, 3, 4, 5]), n - len(people))):
            people.append(dict(first=zipf(rng, FIRST), last=last, house=house, age=rng.randint(1, 80), place=zipf(rng, places), trade=zipf(rng, trades)))

    def copy(p, again):
        first, last, house, age = p["first"], p["last"], p["house"], p["age"]
        if rng.random() < .1:
            first = NICK.get(first, first)
        if again:
            age += rng.choice([0, 0, 0, 0, 0, 0, 1, -1, 2])
            if rng.random() < .12:
                age = 5 * round(age / 5)
            if rng.random() < .1:
                house = rng.randint(1, 400)
            if rng.random() < .15:  # by ear
                for a, b in rng.sample([("ck", "k"), ("sch", "sh"), ("th", "t"), ("ie", "i"), ("f", "ph"), ("ei", "ai"), ("w", "v"), ("tt", "t")], 4):
                    last = last.replace(a, b)
        r = dict(given=first, surname=last, age=str(age), born_in=p["place"], occupation=p["trade"] if rng.random() < .8 else rng.choice(trades + ["none"]), house=str(house))
        if again:
            slip(rng, r, ["given", "surname", "born_in"], .06)
        drop(rng, r, dict(occupation=.3, born_in=.1, age=.03, house=.08))
        return r
    return people, copy, [.35, .4, .2, .05]


def flats(rng, n):
    """Flats to let, as agents advertise them again and again: several in one house, texts put together from the same phrases, prices that fall."""
    streets, quarters = invented(rng, 130), invented(rng, 18, 1, 2)
    phrases = "bright quiet|newly renovated|with balcony|close to the park|fitted kitchen|old building|top floor|near the station|parking space|no pets|lift|garden".split("|")
    agents = [f"{w} {rng.choice(['Immobilien', 'Homes', 'Estates', '& Sons'])}" for w in invented(rng, 24)]
    homes = []
    for _ in range(n):
        h = dict(street=rng.choice(streets), number=rng.randint(1, 90), quarter=rng.randrange(len(quarters)), area=rng.randint(22, 160), floor=rng.randint(0, 6), says=rng.sample(phrases, rng.randint(2, 5)), agent=zipf(rng, agents))
        h["rooms"] = max(1, round(h["area"] / 30))
        if homes and rng.random() < .25:  # another flat in the house
            o = rng.choice(homes)
            h.update(street=o["street"], number=o["number"], quarter=o["quarter"], agent=o["agent"])
            if rng.random() < .4:
                h.update(area=o["area"] + rng.choice([0, 1, -2, 4]), rooms=o["rooms"], says=o["says"][:-1] + [rng.choice(phrases)])
        h["rent"] = int(h["area"] * rng.uniform(9, 19))
        homes.append(h)

    def copy(h, again):
        says = list(h["says"])
        rng.shuffle(says)
        if len(says) > 2 and rng.random() < .3:
            says.pop()
        title = f"{h['rooms']} room flat, {', '.join(says)}" if rng.random() < .6 else f"{', '.join(says)} in {quarters[h['quarter']]}"
        number = f" {h['number']}" if rng.random() < .7 else ""
        rent = h["rent"] if not again or rng.random() < .7 else int(h["rent"] * rng.uniform(.88, 1))
        r = dict(title=title, address=f"{h['street']} {rng.choice(['Street', 'St.', 'Street'])}{number}", quarter=quarters[h["quarter"]], rooms=str(h["rooms"]), area=rng.choice([f"{h['area']} m²", f"{h['area']}", f"{h['area'] + rng.choice([0, 0, 1])} sqm"]),
                 rent=rng.choice([f"{rent}", f"{rent} EUR", f"{rent}.00"]), floor=str(h["floor"]), agent=h["agent"] if not again or rng.random() < .85 else rng.choice(agents))
        if again:
            slip(rng, r, ["title", "address", "agent"], .06)
        drop(rng, r, dict(floor=.4, address=.12, quarter=.1, area=.08, agent=.15, rooms=.1))
        return r
    return homes, copy, [.4, .3, .15, .1, .05]


def journals(rng, n):
    """Journals in lists of libraries: series that split into sections, titles in full or abbreviated, two numbers for print and online."""
    subjects, fields, houses = invented(rng, 70, 2, 4), invented(rng, 40, 2, 4), invented(rng, 30)
    cities = invented(rng, 25, 1, 2)
    kinds = ["Journal of", "Annals of", "Archive for", "Review of", "International Journal of", "Transactions in", "Letters in"]

    def number():
        return f"{rng.randint(1000, 9999)}-{rng.randint(100, 999)}{rng.choice('0123456789X')}"
    items = []
    for _ in range(n):
        j = dict(kind=rng.choice(kinds), subject=zipf(rng, subjects), field=rng.choice(fields) if rng.random() < .6 else "", section="", house=zipf(rng, houses), city=rng.choice(cities), since=rng.randint(1880, 2015), print=number(), online=number())
        if items and rng.random() < .22:
            o = rng.choice(items)
            j.update(kind=o["kind"], subject=o["subject"], field=o["field"], house=o["house"], city=o["city"])
            how = rng.random()
            if how < .5:
                j["section"] = rng.choice(["Series A", "Series B", "Part C", "Supplement", "Section 2"])
            elif how < .75:
                j["field"] = rng.choice(fields)
            else:
                j["since"] = o["since"] + rng.randint(5, 40)
        items.append(j)
    short = {"Journal of": "J.", "Annals of": "Ann.", "Archive for": "Arch.", "Review of": "Rev.", "International Journal of": "Int. J.", "Transactions in": "Trans.", "Letters in": "Lett."}

    def copy(j, again):
        if rng.random() < .3:
            title = " ".join(t for t in [short[j["kind"]], j["subject"][:5] + ".", j["field"][:4] + "." if j["field"] else "", j["section"]] if t)
        else:
            title = " ".join(t for t in [j["kind"], j["subject"], f"and {j['field']}" if j["field"] else "", j["section"]] if t)
        publisher = j["house"] if not again or rng.random() < .88 else rng.choice(houses)
        r = dict(title=title if rng.random() < .9 else title.upper(), issn=j["print"] if rng.random() < .65 else j["online"], publisher=rng.choice([publisher, publisher, f"{publisher} Verlag", f"{publisher} Press"]),
                 city=j["city"], since=str(j["since"] + (rng.choice([-1, 1, 2]) if again and rng.random() < .1 else 0)), language=rng.choice(["en", "en", "en", "eng"]))
        if again:
            slip(rng, r, ["title", "publisher", "city"], .05)
            if rng.random() < .04:
                r["issn"] = typo(rng, r["issn"])
        drop(rng, r, dict(issn=.3, publisher=.15, city=.25, since=.25, language=.1))
        return r
    return items, copy, [.4, .3, .2, .1]


LATER = dict(census=census, flats=flats, journals=journals)
