#!/usr/bin/env python3
"""What answers do to a clustering on the page, over HTTP: the server's own questions, answered by the truth.

	go build -o inkling ./cmd/inkling && bench/ask/overhttp.py ./inkling [--seeds 5] [iris wine blobs two-moons]

The tables are built in. Printed is the adjusted Rand index of the exported clusters after 0, 1, 2, 5, 10, 20, 50 and
100 answers, correct and with one in ten wrong, of each seed (of the program and of what is wrong), then how many are more
than .02 below the clusters without answers. Only the standard library is used.
"""
import argparse
import collections
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ANSWERS = [0, 1, 2, 5, 10, 20, 50, 100]
CLUSTERS = {"iris": 3, "wine": 3, "blobs": 10, "two-moons": 2}


def rand_index(a, b):
    pairs = lambda n: n * (n - 1) / 2
    both = sum(pairs(n) for n in collections.Counter(zip(a, b)).values())
    one, two = (sum(pairs(n) for n in collections.Counter(x).values()) for x in (a, b))
    expected = one * two / pairs(len(a))
    return 1.0 if (one + two) / 2 == expected else (both - expected) / ((one + two) / 2 - expected)


class Page:
    def __init__(self, program, table, folder, seed):
        self.process = subprocess.Popen(
            [program, "web", f"example:{table}.csv", "-k", str(CLUSTERS[table]), "--seed", str(seed), "--session", os.path.join(folder, "s.jsonl"), "--no-open", "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        url = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.token = urllib.parse.parse_qs(url.query)["token"][0]
        self.base = f"{url.scheme}://{url.netloc}/api/"

    def call(self, path, body=None):
        r = urllib.request.Request(self.base + path, None if body is None else json.dumps(body).encode())
        r.add_header("Authorization", "Bearer " + self.token)
        if body is not None:
            r.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(r) as answer:
            return answer.read()

    def settled(self, after):
        """Waits until a fit knows of the event."""
        while True:
            s = json.loads(self.call("state"))
            if s["error"]:
                raise SystemExit(s["error"])
            if s["fit"] and s["fit"]["n"] > after and not s["running"]:
                return s
            time.sleep(0.02)

    def clusters(self):
        rows = csv.reader(io.StringIO(self.call("export/clusters.csv").decode()))
        next(rows)
        return dict(rows)

    def question(self):
        while True:
            q = json.loads(self.call("question"))
            if not q["preparing"]:
                return q["question"]


def converse(program, table, truth, wrong, seed):
    draw, out = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        page = Page(program, table, folder, seed)
        try:
            page.settled(0)
            event = 0
            for n in range(ANSWERS[-1] + 1):
                if n in ANSWERS:
                    if event:
                        page.settled(event)
                    c = page.clusters()
                    out.append(rand_index([truth[i] for i in c], list(c.values())))
                q = page.question()
                if q is None:
                    out += out[-1:] * (len(ANSWERS) - len(out))
                    break
                same = truth[q["a"]["id"]] == truth[q["b"]["id"]]
                if draw.random() < wrong:
                    same = not same
                event = json.loads(page.call("answer", {"a": q["a"]["point"], "b": q["b"]["point"], "say": "same" if same else "different"}))["event"]
        finally:
            page.process.terminate()
            page.process.wait()
    return out


def main():
    options = argparse.ArgumentParser(description="What answers do to a clustering on the page, over HTTP.")
    options.add_argument("program", type=os.path.abspath)
    options.add_argument("tables", nargs="*", default=list(CLUSTERS), metavar="table")
    options.add_argument("--seeds", type=int, default=1, help="conversations about each table")
    o = options.parse_args()
    lost = {0: [], 0.1: []}
    for table in o.tables:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([o.program, "example", table, "-o", folder], capture_output=True, check=True)
            with open(os.path.join(folder, f"{table}-truth.csv"), newline="") as f:
                truth = dict(row[:2] for row in list(csv.reader(f))[1:])
        for wrong in lost:
            for seed in range(1, o.seeds + 1):
                found = converse(o.program, table, truth, wrong, seed)
                lost[wrong] += [found[0] - x for x in found[1:]]
                print(f"{table:10s} wrong {wrong:3.1f} seed {seed}  " + " ".join(f"{x:.3f}" for x in found), flush=True)
    for wrong, by in lost.items():
        bad = sum(x > 0.02 for x in by)
        print(f"wrong {wrong:3.1f}: {bad} of {len(by)} bad, {100 * bad / len(by):.1f} %, worst {-max(by):+.3f}")


if __name__ == "__main__":
    main()
