"""Tables with drawn columns: the weights of package dedupe are fitted on them (see fit), so nothing is ever measured on them.

drawn(rng, n) draws which columns there are, how many values each has, how often cells are wrong, missing, changed or written
otherwise, how many records an entity has and how many entities look alike, and returns what the generators of generate.py return.
"""
import math

from words import FIRST, LAST, NICK, invented, typo, zipf


def log_uniform(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


class Person:
    def __init__(self, rng, n):
        self.last = LAST + invented(rng, int(log_uniform(rng, 20, 600)))
        self.whole, self.initials, self.swaps, self.nicks = rng.random() < .5, rng.choice([0, .05, .15]), rng.choice([0, .03, .08]), rng.choice([0, .1])
        self.comma = rng.choice([0, .3])
        self.fields = ["name"] if self.whole else ["first", "last"]

    def draw(self, rng):
        return zipf(rng, FIRST), zipf(rng, self.last)

    def sibling(self, rng, v):
        return (zipf(rng, FIRST), v[1])

    def write(self, rng, v):
        first, last = v
        if rng.random() < self.nicks:
            first = NICK.get(first, first)
        if rng.random() < self.initials:
            first = first[0] + "."
        if self.whole:
            return dict(name=f"{last}, {first}" if rng.random() < self.comma else f"{first} {last}")
        return dict(first=last, last=first) if rng.random() < self.swaps else dict(first=first, last=last)


class Words:
    """A title, a description or the name of a firm or a thing."""
    def __init__(self, rng, n):
        self.name = rng.choice(["title", "description", "company", "item"])
        self.words = invented(rng, int(log_uniform(rng, 80, 900)), 1, 3)
        self.low = rng.choice([1, 2, 3, 4])
        self.high = self.low + rng.randint(0, 4)
        self.extra, self.drop, self.shuffle, self.short = rng.choice([0, .1, .3]), rng.choice([0, .05, .15]), rng.choice([0, 0, .2]), rng.choice([0, 0, .15])
        self.fillers = rng.sample(self.words, 6)
        self.fields = [self.name]

    def draw(self, rng):
        return [zipf(rng, self.words) for _ in range(rng.randint(self.low, self.high))]

    def sibling(self, rng, v):
        v = list(v)
        if rng.random() < .3:
            return v + [rng.choice(self.words)]
        v[rng.randrange(len(v))] = rng.choice(self.words)
        return v

    def write(self, rng, v):
        v = list(v)
        if len(v) > 2 and rng.random() < self.drop:
            v.pop(rng.randrange(len(v)))
        if rng.random() < self.shuffle:
            rng.shuffle(v)
        if rng.random() < self.extra:
            v.append(rng.choice(self.fillers))
        if rng.random() < self.short:
            v[-1] = v[-1][:4] + "."
        return {self.name: " ".join(v)}


class Place:
    def __init__(self, rng, n):
        self.streets, self.cities = invented(rng, int(log_uniform(rng, 30, 300))), invented(rng, int(log_uniform(rng, 8, 90)))
        self.whole, self.short, self.code = rng.random() < .4, rng.choice([0, .25]), rng.random() < .5
        self.fields = ["address"] if self.whole else ["street", "city"] + (["postcode"] if self.code else [])

    def draw(self, rng):
        c = rng.randrange(len(self.cities))
        return rng.choice(self.streets), rng.choice(["Street", "Road", "Lane"]), rng.randint(1, 120), self.cities[c], f"{10000 + 531 * c + rng.randrange(7)}"

    def sibling(self, rng, v):
        return (v[0], v[1], rng.randint(1, 120), v[3], v[4])

    def write(self, rng, v):
        kind = v[1].replace("Street", "St.").replace("Road", "Rd") if rng.random() < self.short else v[1]
        if self.whole:
            return dict(address=f"{v[0]} {kind} {v[2]}, {v[4] + ' ' if self.code else ''}{v[3]}")
        return dict({"street": f"{v[0]} {kind} {v[2]}", "city": v[3]}, **({"postcode": v[4]} if self.code else {}))


class Mail:
    """Often the name again, with digits."""
    fields = ["email"]

    def __init__(self, rng, n):
        self.digits = rng.choice([.3, .7])

    def draw(self, rng, who=None):
        first, last = who or (zipf(rng, FIRST), zipf(rng, LAST))
        at = rng.choice([f"{first}.{last}", f"{first[0]}{last}", f"{last}_{first}"]).lower().replace("'", "")
        return f"{at}{rng.randint(1, 99) if rng.random() < self.digits else ''}@{rng.choice(['mail', 'post', 'web'])}.example"

    def sibling(self, rng, v):
        return v.replace("@", f"{rng.randint(1, 99)}@")

    def write(self, rng, v):
        return dict(email=v)


class Phone:
    fields = ["phone"]

    def __init__(self, rng, n):
        self.forms = rng.choice([0, .4])

    def draw(self, rng):
        return f"0{rng.randint(20, 99)}{rng.randint(1000000, 9999999)}"

    def sibling(self, rng, v):
        return v[:-2] + f"{rng.randint(10, 99)}"

    def write(self, rng, v):
        return dict(phone=rng.choice([f"+49 {v[1:3]} {v[3:]}", f"{v[:3]}/{v[3:]}"]) if rng.random() < self.forms else v)


class Day:
    fields = ["born"]

    def __init__(self, rng, n):
        self.forms = rng.choice([0, .4])
        self.first = rng.choice([1930, 1990, 2015])

    def draw(self, rng):
        return rng.randint(self.first, 2024), rng.randint(1, 12), rng.randint(1, 28)

    def sibling(self, rng, v):
        return (v[0], rng.randint(1, 12), rng.randint(1, 28))

    def write(self, rng, v):
        return dict(born=f"{v[2]:02}.{v[1]:02}.{v[0]}" if rng.random() < self.forms else f"{v[0]}-{v[1]:02}-{v[2]:02}")


class Code:
    fields = ["code"]

    def __init__(self, rng, n):
        self.digits = rng.choice([4, 6, 9])
        self.prefix = rng.choice(["", "A", "DE", "MX-"])

    def draw(self, rng):
        return f"{self.prefix}{rng.randrange(10 ** self.digits):0{self.digits}d}"

    def sibling(self, rng, v):
        return v[:-1] + rng.choice("0123456789")

    def write(self, rng, v):
        return dict(code=v)


class Amount:
    def __init__(self, rng, n):
        self.name = rng.choice(["price", "year", "size"])
        self.noise = rng.choice([0, .02, .1]) if self.name == "price" else rng.choice([0, .1])
        self.fields = [self.name]

    def draw(self, rng):
        return log_uniform(rng, 5, 900) if self.name == "price" else rng.randint(1970, 2024) if self.name == "year" else rng.choice([1, 2, 3, 5, 10, 20, 50])

    def sibling(self, rng, v):
        return v * rng.uniform(1.05, 1.6) if self.name == "price" else v + rng.choice([-1, 1, 2])

    def write(self, rng, v):
        if self.name == "price":
            return dict(price=f"{v * (1 + rng.uniform(-self.noise, self.noise)):.2f}")
        return {self.name: str(v + (rng.choice([-1, 1]) if rng.random() < self.noise else 0))}


class Group:
    """One of few values."""
    def __init__(self, rng, n):
        self.values = invented(rng, rng.choice([2, 4, 8, 20, 60]), 1, 2)
        self.name = rng.choice(["category", "sex", "brand", "country"])
        self.fields = [self.name]

    def draw(self, rng):
        return zipf(rng, self.values)

    def sibling(self, rng, v):
        return rng.choice(self.values)

    def write(self, rng, v):
        return {self.name: v}


def drawn(rng, n):
    main = rng.choice([Person, Person, Words, Words])
    others = [k for k in (Person, Words, Place, Mail, Phone, Day, Code, Amount, Amount, Group, Group) if k is not main]
    parts, names = [main(rng, n)], set()
    names.update(parts[0].fields)
    for k in rng.sample(others, rng.randint(2, 6)):
        made = k(rng, n)
        if not names & set(made.fields):
            parts.append(made)
            names.update(made.fields)
    order = list(range(len(parts)))
    rng.shuffle(order)
    alike, near = rng.choice([.05, .15, .3]), rng.choice([.3, .6])
    entities = []

    def values():
        out = {}
        for i, p in enumerate(parts):
            out[i] = p.draw(rng, out[0]) if isinstance(p, Mail) and isinstance(parts[0], Person) else p.draw(rng)
        return out
    for _ in range(n):
        e = values()
        if entities and rng.random() < alike:  # a relative, a namesake, another size
            o = rng.choice(entities)
            shared = [i for i in order if rng.random() < rng.choice([.3, .6, .8])]
            e.update({i: o[i] for i in shared[:len(parts) - 1]})
            for i in order:
                if i not in shared and rng.random() < near:
                    e[i] = parts[i].sibling(rng, o[i])
        entities.append(e)
    wrong = [rng.choice([.02, .05, .1, .2]) for _ in parts]
    absent = [rng.choice([0, .05, .15, .35, .5]) if i else rng.choice([0, .04]) for i in range(len(parts))]
    change = [rng.choice([0, 0, .03, .1]) if i else rng.choice([0, .02]) for i in range(len(parts))]
    capital = rng.choice([0, .1])

    def copy(e, again):
        r = {}
        for i in order:
            v = parts[i].draw(rng) if again and rng.random() < change[i] else e[i]
            cells = parts[i].write(rng, v)
            for f, c in cells.items():
                if again and rng.random() < wrong[i]:
                    c = typo(rng, c)
                if rng.random() < capital:
                    c = c.upper()
                if rng.random() < absent[i]:
                    c = rng.choice(["", "", "n/a"])
                r[f] = c
        return r
    sizes = rng.choice([[.8, .2], [.6, .3, .1], [.4, .3, .18, .08, .04], [.2, .25, .25, .15, .1, .05]])
    return entities, copy, sizes
