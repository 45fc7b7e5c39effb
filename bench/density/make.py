"""Makes the rows of one table: nine of ten in 30 blobs of different width, the others noise all over."""
import sys

import numpy as np

path, n, d = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
draw, blobs = np.random.default_rng(7), 30
centre, width = draw.uniform(-10, 10, (blobs, d)), draw.uniform(0.3, 1.2, blobs)
m = n * 9 // 10
of = draw.integers(0, blobs, m)
x = np.concatenate([centre[of] + draw.normal(size=(m, d)) * width[of][:, None], draw.uniform(-12, 12, (n - m, d))])
x[draw.permutation(n)].astype("<f8").tofile(path)
