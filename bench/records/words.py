"""Names, and words that are made up."""

ONSETS = "b br ch d dr f fl g gr h j k kl l m n p pl r s sch st t tr v w z".split()
VOWELS = "a a e e i o o u ei ia au".split()
CODAS = ["n", "r", "l", "s", "t", "m", "k", "nd", "rt", "x", "", "", "", ""]
FIRST = ("Anna Maria Peter Hans Julia Lena Paul Max Sofia Emma Jonas Lukas Laura Sarah David Michael Thomas Stefan Andreas Martin Elena Ivan Olga Pierre "
         "Marie Claire Luc Giulia Marco Luca Chiara Jan Piotr Katarzyna Agnieszka Tomasz William Robert Elizabeth Margaret James John Katherine Alexander "
         "Richard Edward Susan Joseph Daniel Christopher Nicholas Benjamin Samuel Jennifer Patricia Rebecca Victoria Theresa Frederik Søren Åsa Björn").split()
NICK = {"William": "Bill", "Robert": "Bob", "Elizabeth": "Liz", "Margaret": "Peggy", "James": "Jim", "John": "Jack", "Katherine": "Kate", "Alexander": "Alex",
        "Richard": "Dick", "Edward": "Ted", "Susan": "Sue", "Joseph": "Joe", "Daniel": "Dan", "Christopher": "Chris", "Nicholas": "Nick", "Benjamin": "Ben",
        "Samuel": "Sam", "Jennifer": "Jenny", "Patricia": "Pat", "Rebecca": "Becky", "Victoria": "Vicky", "Michael": "Mike", "Thomas": "Tom", "Martin": "Marty"}
LAST = ("Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf Schröder Neumann Schwarz Braun Krüger "
        "Smith Jones Taylor Brown Wilson Evans Thomas Johnson Roberts Walker Wright Robinson Rossi Russo Ferrari Bianchi Dubois Moreau Laurent Girard "
        "Nowak Kowalski Wiśniewski Wójcik Kamiński Lewandowski Hansen Nilsson Lindström Ødegård O'Neill García Fernández Łukasik Žižek").split()


def invented(rng, count, least=2, most=3):
    seen = []
    while len(seen) < count:
        w = "".join(rng.choice(ONSETS) + rng.choice(VOWELS) for _ in range(rng.randint(least, most))) + rng.choice(CODAS)
        if w not in seen:
            seen.append(w)
    return [w.capitalize() for w in seen]


def zipf(rng, values):
    return values[int(len(values) * rng.random() ** 2)]


def typo(rng, s):
    if len(s) < 3:
        return s
    i = rng.randrange(len(s) - 1)
    c = rng.choice("0123456789") if s[i].isdigit() else rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice([s[:i] + s[i + 1] + s[i] + s[i + 2:], s[:i] + s[i + 1:], s[:i] + c + s[i + 1:], s[:i] + c + s[i:]])
