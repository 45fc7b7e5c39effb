#!/usr/bin/env python3
"""Word counts of 20 Newsgroups, as the recipes read them.

    20news.py MESSAGES STOPWORDS OUT

MESSAGES has a folder for each group with a file for each message. STOPWORDS has
one word a line. Writes data.mtx.gz, labels.txt.gz and vocab.txt.gz to OUT.

A message is its Subject line and what follows its first blank line. Words are
runs of a to z, 2 to 20 letters long, in lower case. Stop words, words of fewer
than 8 messages and words of more than 15 % of them are left out.
"""
import collections
import gzip
import os
import re
import sys


def words(path):
    with open(path, encoding="latin-1") as f:
        head, _, body = f.read().replace("\r\n", "\n").partition("\n\n")
    subject = re.search(r"^Subject:(.*)$", head, re.MULTILINE | re.IGNORECASE)
    text = (subject.group(1) if subject else "") + "\n" + body
    return [w for w in re.findall(r"[a-z]+", text.lower()) if 2 <= len(w) <= 20]


def order(name):
    return (0, int(name)) if name.isdigit() else (1, name)


def main(messages, stopwords, out):
    with open(stopwords, encoding="utf-8") as f:
        stop = set(f.read().split())
    labels, counts, documents = [], [], collections.Counter()
    for group in sorted(os.listdir(messages)):
        for name in sorted(os.listdir(os.path.join(messages, group)), key=order):
            count = collections.Counter(words(os.path.join(messages, group, name)))
            labels.append(group)
            counts.append(count)
            documents.update(count.keys())
    n = len(labels)
    vocabulary = sorted(w for w, df in documents.items() if w not in stop and 8 <= df <= 0.15 * n)
    column = {w: j for j, w in enumerate(vocabulary, 1)}
    entries = [(i, column[w], c) for i, count in enumerate(counts, 1)
               for w, c in count.items() if w in column]
    entries.sort()
    os.makedirs(out, exist_ok=True)
    with gzip.open(os.path.join(out, "data.mtx.gz"), "wt") as f:
        f.write("%%MatrixMarket matrix coordinate integer general\n")
        f.write(f"{n} {len(vocabulary)} {len(entries)}\n")
        f.writelines(f"{i} {j} {c}\n" for i, j, c in entries)
    for name, lines in (("labels", labels), ("vocab", vocabulary)):
        with gzip.open(os.path.join(out, name + ".txt.gz"), "wt") as f:
            f.writelines(line + "\n" for line in lines)
    print(f"{n} messages, {len(vocabulary)} words, {len(entries)} counts")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
