"""Three kinds of tables that only judge: they were written before the work on links, precision and calibration that they measure, and nothing was fitted or chosen with them in view."""
from unseen import drop, slip
from words import FIRST, LAST, NICK, invented, typo, zipf


def vehicles(rng, n):
    """Vehicles in the books of a workshop and of an insurer: fleets of one model, cars that change owner and plate."""
    makes = {m: [f"{w}{rng.choice(['', ' GT', ' Plus', ' Combi'])}" for w in invented(rng, 6, 1, 2)] for m in invented(rng, 12, 1, 2)}
    towns, owners = invented(rng, 40, 1, 2), [f"{rng.choice(FIRST)} {zipf(rng, LAST)}" for _ in range(400)]
    firms = [f"{w} {rng.choice(['Transport', 'Bau', 'Services', 'Pflege'])} {rng.choice(['GmbH', 'Ltd', 'SA'])}" for w in invented(rng, 25)]
    marks = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"

    def plate(town):
        return f"{town[:2].upper()} {rng.choice(marks[:23])}{rng.choice(marks[:23])} {rng.randint(10, 9999)}"
    cars = []
    for _ in range(n):
        make = zipf(rng, list(makes))
        town = zipf(rng, towns)
        c = dict(make=make, model=rng.choice(makes[make]), colour=rng.choice("white black silver grey blue red".split()), vin="W" + "".join(rng.choice(marks) for _ in range(10)) + f"{rng.randint(0, 999999):06}",
                 first=(rng.randint(2004, 2024), rng.randint(1, 12), rng.randint(1, 28)), owner=rng.choice(owners), town=town, km=rng.randint(5, 240) * 1000)
        if cars and rng.random() < .25:  # the next car of a fleet
            o = cars[-1]
            c.update(make=o["make"], model=o["model"], colour=o["colour"], vin=o["vin"][:-4] + f"{rng.randint(0, 9999):04}", owner=o["owner"] if o["owner"] in firms else rng.choice(firms), town=o["town"])
            if rng.random() < .6:
                c["first"] = o["first"]
        elif cars and rng.random() < .1:  # the second car of a household
            o = rng.choice(cars)
            c.update(owner=o["owner"], town=o["town"])
        c["plate"] = plate(c["town"])
        cars.append(c)

    def copy(c, again):
        y, m, d = c["first"]
        p = c["plate"]
        owner, town = c["owner"], c["town"]
        if again and rng.random() < .12:  # sold
            owner, town = rng.choice(owners), zipf(rng, towns)
            p = plate(town)
        vin = c["vin"] if rng.random() < .75 else c["vin"][-6:]
        r = dict(plate=rng.choice([p, p, p.replace(" ", "-"), p.replace(" ", "")]), vin=vin, make=c["make"] if rng.random() < .8 else c["make"].upper(), model=c["model"] if rng.random() < .85 else c["model"].split()[0],
                 colour=c["colour"] if rng.random() < .9 else rng.choice(["anthracite", "light " + c["colour"], "metallic"]), registered=rng.choice([f"{y}-{m:02}-{d:02}", f"{d:02}/{m:02}/{y}", f"{m:02}/{y}"]),
                 owner=owner if rng.random() < .7 else ", ".join(owner.split(" ", 1)[::-1]), town=town, mileage=str(c["km"] + rng.randint(0, 30000)))
        if again:
            slip(rng, r, ["plate", "vin", "owner", "town", "model"], .06)
        drop(rng, r, dict(vin=.35, plate=.12, registered=.2, owner=.15, colour=.2, mileage=.4, town=.1))
        return r
    return cars, copy, [.45, .3, .15, .07, .03]


def events(rng, n):
    """Concerts as ticket shops list them: one performer on tour, several evenings in one hall, support acts."""
    performers = [rng.choice(["", "The ", "DJ ", ""]) + w + rng.choice(["", "", " Quartet", " & Band", " Orchestra"]) for w in invented(rng, 150)]
    towns = invented(rng, 30, 1, 2)
    halls = [(f"{rng.choice(invented(rng, 60))} {rng.choice(['Arena', 'Hall', 'Club', 'Theatre'])}", t) for t in towns for _ in range(3)]
    tours = [w for w in invented(rng, 120, 1, 2)]
    shows = []
    for _ in range(n):
        hall = zipf(rng, halls)
        s = dict(who=zipf(rng, performers), tour=rng.choice(tours), hall=hall, date=(2025, rng.randint(1, 12), rng.randint(1, 28)), hour=rng.choice([18, 19, 19, 20, 20, 21]), price=rng.choice([18, 25, 32, 45, 59, 75, 90]))
        if shows and rng.random() < .35:
            o = rng.choice(shows)
            s.update(who=o["who"], tour=o["tour"], price=o["price"], hour=o["hour"])
            if rng.random() < .35:  # one more evening in the same hall
                y, m, d = o["date"]
                s.update(hall=o["hall"], date=(y, m, d % 28 + 1))
        shows.append(s)

    def copy(s, again):
        y, m, d = s["date"]
        who = s["who"]
        title = rng.choice([who, f"{who} – {s['tour']} Tour", f"{who}: {s['tour']}", f"{who} live in {s['hall'][1]}"])
        if rng.random() < .15:
            title += f" + {rng.choice(performers)}"
        if rng.random() < .1:
            title = title.upper()
        r = dict(event=title, venue=s["hall"][0] if rng.random() < .8 else f"{s['hall'][0]}, {s['hall'][1]}", city=s["hall"][1], date=rng.choice([f"{y}-{m:02}-{d:02}", f"{d:02}.{m:02}.{y}", f"{d:02}.{m:02}.{y}"]),
                 starts=rng.choice([f"{s['hour']}:00", f"{s['hour']}:30" if rng.random() < .2 else f"{s['hour']}:00"]), price=f"{s['price'] * (1 if rng.random() < .5 else rng.uniform(1, 1.2)):.2f}")
        if again:
            slip(rng, r, ["event", "venue", "city"], .07)
            if rng.random() < .05:
                r["date"] = f"{y}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"  # postponed
        drop(rng, r, dict(starts=.3, price=.3, venue=.1, city=.08, date=.04))
        return r
    return shows, copy, [.4, .3, .2, .1]


def members(rng, n):
    """Members of an association, from forms written by hand: spouses, children named after a parent, people who moved, given names in full or not."""
    lasts, streets, towns = LAST + invented(rng, 220), invented(rng, 160), invented(rng, 60)
    people = []
    for _ in range(n):
        p = dict(first=zipf(rng, FIRST), second=rng.choice(FIRST), last=zipf(rng, lasts), street=rng.choice(streets), house=rng.randint(1, 99), town=rng.randrange(len(towns)), born=(rng.randint(1935, 2012), rng.randint(1, 12), rng.randint(1, 28)),
                 iban=f"XX{rng.randint(10, 99)}{rng.randint(10 ** 11, 10 ** 12 - 1)}", joined=rng.randint(1970, 2024), mobile=f"01{rng.randint(50, 79)} {rng.randint(1000000, 9999999)}")
        if people and rng.random() < .3:
            o = rng.choice(people)
            p.update({f: o[f] for f in ("last", "street", "house", "town")})
            if rng.random() < .6:
                p["iban"] = o["iban"]
            if rng.random() < .15:
                p["first"] = o["first"]  # named after the parent
            if rng.random() < .2:
                p["joined"] = o["joined"]
        people.append(p)

    def copy(p, again):
        y, m, d = p["born"]
        first = p["first"] if rng.random() < .8 else rng.choice([NICK.get(p["first"], p["first"]), p["first"][0] + ".", f"{p['first']} {p['second']}"])
        last = p["last"] if not again or rng.random() < .95 else rng.choice([f"{p['last']}-{rng.choice(lasts)}", rng.choice(lasts)])
        street, house, town = p["street"], p["house"], p["town"]
        if again and rng.random() < .12:
            street, house, town = rng.choice(streets), rng.randint(1, 99), rng.randrange(len(towns))
        r = dict(member=rng.choice([f"{first} {last}", f"{last}, {first}", f"{last} {first}"]), address=f"{street}{rng.choice(['str.', 'straße', ' Str.'])} {house}", place=f"{20000 + 411 * town} {towns[town]}" if rng.random() < .7 else towns[town],
                 birthday=rng.choice([f"{d:02}.{m:02}.{y}", f"{d}.{m}.{y % 100:02}", f"{y}-{m:02}-{d:02}"]), iban=p["iban"] if rng.random() < .6 else " ".join(p["iban"][i:i + 4] for i in range(0, 16, 4)),
                 mobile=p["mobile"] if rng.random() < .6 else "+49" + p["mobile"][1:].replace(" ", ""), joined=str(p["joined"]))
        if again:
            slip(rng, r, ["member", "address", "place", "mobile", "iban"], .07)
            if rng.random() < .05:
                r["birthday"] = typo(rng, r["birthday"])
            if rng.random() < .1:
                r["joined"] = str(p["joined"] + rng.choice([-1, 1]))
        drop(rng, r, dict(iban=.45, mobile=.4, birthday=.3, joined=.25, address=.06))
        return r
    return people, copy, [.5, .3, .13, .05, .02]


JUDGES = dict(vehicles=vehicles, events=events, members=members)
