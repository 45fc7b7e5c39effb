#!/usr/bin/env python3
"""The documents of 3-Sources that all three sources have, as recipes read them.

    3sources.py FOLDER OUT

FOLDER has the unpacked files of the download: for each of bbc, guardian and
reuters 3sources_SOURCE.mtx (Matrix Market, terms are rows) and
3sources_SOURCE.docs (the number of the story of each column, one a line), and
3sources.disjoint.clist (a line a topic: its name, a colon, numbers of stories
with commas between). Writes SOURCE.mtx.gz, stories as rows in rising order of
their numbers, and labels.txt.gz with their topics.
"""
import gzip
import os
import re
import sys

SOURCES = ("bbc", "guardian", "reuters")


def topics(path):
    out = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            name, _, numbers = line.partition(":")
            for number in re.findall(r"\d+", numbers):
                out[int(number)] = name.strip()
    return out


def matrix(path):
    """The words (rows of the file) and entries (word, column, value)."""
    with open(path, encoding="utf-8") as f:
        lines = [line.split() for line in f if line.strip() and not line.startswith("%")]
    return int(lines[0][0]), [(int(w), int(c), v) for w, c, v in lines[1:]]


def main(folder, out):
    topic = topics(os.path.join(folder, "3sources.disjoint.clist"))
    stories = {}
    for source in SOURCES:
        with open(os.path.join(folder, f"3sources_{source}.docs"), encoding="utf-8") as f:
            stories[source] = [int(line) for line in f if line.strip()]
    shared = sorted(set.intersection(*(set(s) for s in stories.values())) & set(topic))
    row = {story: i for i, story in enumerate(shared, 1)}
    os.makedirs(out, exist_ok=True)
    for source in SOURCES:
        words, entries = matrix(os.path.join(folder, f"3sources_{source}.mtx"))
        kept = sorted((row[stories[source][c - 1]], w, v) for w, c, v in entries
                      if stories[source][c - 1] in row)
        with gzip.open(os.path.join(out, source + ".mtx.gz"), "wt") as f:
            f.write("%%MatrixMarket matrix coordinate real general\n")
            f.write(f"{len(shared)} {words} {len(kept)}\n")
            f.writelines(f"{i} {w} {v}\n" for i, w, v in kept)
    with gzip.open(os.path.join(out, "labels.txt.gz"), "wt") as f:
        f.writelines(topic[story] + "\n" for story in shared)
    print(f"{len(shared)} stories")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
