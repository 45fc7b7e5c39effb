#!/usr/bin/env python3
"""Image 296059 of BSDS500, two elephants, as recipes read it.

    bsds.py 296059.jpg 296059.mat OUT

Needs Pillow, NumPy and SciPy. Writes image.png, seg_1.png and so on (the number
of the segment of each pixel, by annotator), small.png (grey, a tenth as wide and
as high), data.csv.gz (row, column and grey value of its pixels) and
labels.txt.gz (what is at each, by the first annotator).
"""
import gzip
import os
import sys

import numpy
from PIL import Image
from scipy.io import loadmat

# Segments of the first annotator, named by eye; all others are ground.
NAMES = {1: "sky", 2: "elephant_left", 3: "elephant_right"}


def main(photo, truth, out):
    os.makedirs(out, exist_ok=True)
    image = Image.open(photo).convert("RGB")
    image.save(os.path.join(out, "image.png"))
    segments = [s["Segmentation"][0, 0] for s in loadmat(truth)["groundTruth"][0]]
    for k, s in enumerate(segments, 1):
        Image.fromarray(s.astype(numpy.uint8)).save(os.path.join(out, f"seg_{k}.png"))
    small = image.convert("L").resize((48, 32), Image.Resampling.BOX)
    small.save(os.path.join(out, "small.png"))
    grey = numpy.asarray(small)
    high, wide = segments[0].shape
    with gzip.open(os.path.join(out, "data.csv.gz"), "wt") as f:
        f.write("row,col,gray\n")
        f.writelines(f"{r},{c},{grey[r, c]}\n" for r in range(32) for c in range(48))
    with gzip.open(os.path.join(out, "labels.txt.gz"), "wt") as f:
        for r in range(32):
            for c in range(48):
                block = segments[0][r * high // 32:(r + 1) * high // 32, c * wide // 48:(c + 1) * wide // 48]
                value, count = numpy.unique(block, return_counts=True)
                f.write(NAMES.get(int(value[count.argmax()]), "ground") + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
