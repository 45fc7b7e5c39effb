"""A program as a user of mypy --strict writes it; test_words.py checks it."""

import numpy as np

import inkling

X = np.random.default_rng(0).normal(size=(40, 3))
must_link, cannot_link = inkling.pairs([[0, 1], [2, 3]], [1, -1])
model = inkling.PCKMeans(3, init="farthest", effort="low").fit(X, must_link=must_link, cannot_link=cannot_link)
labels: np.ndarray = model.predict(X)
sizes: int = int(model.n_clusters_)
stream: inkling.KMeans = inkling.KMeans(2).partial_fit(X).partial_fit(X)
score: float = model.score(X)
page: inkling.Report = model.report()
for train, test in inkling.PairKFold(2, must_link=must_link).split(X):
    rows: np.ndarray = train
for q in inkling.ask(X, n_clusters=3, budget=2):
    q.answer("same")
print(labels.shape, sizes, stream.inertia_, score, len(page.html), rows.shape)
