"""What the cases of files share."""
import numpy as np

CASES = {}


def case(f):
    CASES[f.__name__.replace("_", "-")] = f
    return f


def latent(rng, n, k, d, sep=4.5):
    """Rows in k groups of unequal size whose centres are at least sep apart, in d columns."""
    z = rng.choice(k, n, p=rng.dirichlet(np.full(k, 8.0)))
    best = max((rng.normal(size=(k, d)) for _ in range(300)), key=lambda c: min(np.linalg.norm(c[i] - c[j]) for i in range(k) for j in range(i)))
    best = best / min(np.linalg.norm(best[i] - best[j]) for i in range(k) for j in range(i))
    return z, sep * best[z] + rng.normal(size=(n, d))


def words(rng, n, parts):
    return ["".join(rng.choice(p) for p in parts).capitalize() for _ in range(n)]


def level(rng, z, names, strength=0.75):
    own = {g: rng.choice(names) for g in range(z.max() + 1)}
    return np.where(rng.random(len(z)) < strength, [own[g] for g in z], rng.choice(names, len(z)))


def holes(rng, column, token, share=0.05):
    column = np.array(column, dtype=object)
    column[rng.random(len(column)) < share] = token
    return column


def comma(v, digits=1):
    return f"{v:.{digits}f}".replace(".", ",")


SYL = [["ka", "lo", "mi", "ra", "te", "vo", "su", "ne", "bri", "dan"], ["ri", "na", "lu", "to", "ska", "ver", "lin", "mar"], ["s", "n", "a", "o", "k", ""]]


def texts(rng, n, topics, fill, own=0.4):
    z = rng.integers(len(topics), size=n)
    return z, [" ".join(rng.choice(topics[g].split()) if rng.random() < own else rng.choice(fill) for _ in range(rng.integers(12, 40))) for g in z]
