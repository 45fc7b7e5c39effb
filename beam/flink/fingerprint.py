#!/usr/bin/env python3
"""fingerprint.py MODEL LABELS: the SHA-256 of objective, model and cluster names (their numbers are
written so that they come back to the bit) and of all labels. The program that wrote the model and its
seed are left out."""
import hashlib
import json
import sys

with open(sys.argv[1]) as f:
    f.readline()
    fit = json.loads(f.readline())
h = hashlib.sha256()
h.update(json.dumps([fit["objective"], fit["model"], fit["clusters"]], sort_keys=True).encode())
with open(sys.argv[2], "rb") as f:
    while chunk := f.read(1 << 20):
        h.update(chunk)
print(h.hexdigest())
