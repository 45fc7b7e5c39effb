#!/usr/bin/env python3
"""k-means iterations on a GPU as people write them with PyTorch and CuPy: their time, and how many labels of
100,000 rows are not those of float64. Rows come from the machine's memory, so the way to the GPU counts once.

    bench/gpu/peers.py [ROWS FEATURES CLUSTERS SPREAD]
"""

import sys
import time

import numpy as np
import torch

n, d, k = (int(float(a)) for a in (sys.argv[1:4] or (10_000_000, 128, 1024)))
spread = float(sys.argv[4]) if len(sys.argv) > 4 else 2.0
torch.manual_seed(1)
centres = torch.randn(k, d, device="cuda")
rows = torch.empty(n, d)
for lo in range(0, n, 1 << 20):
    m = min(1 << 20, n - lo)
    rows[lo:lo + m] = (centres[torch.randint(k, (m,), device="cuda")] + spread * torch.randn(m, d, device="cuda")).cpu()
first = rows[:: n // k][:k].clone()


def torch_step(x, c, half):
    norm = (c * c).sum(1)
    sums, count = torch.zeros_like(c), torch.zeros(k, device="cuda")
    labels = torch.empty(len(x), dtype=torch.int64, device="cuda")
    t = c.T.half() if half else c.T
    for lo in range(0, len(x), 1 << 18):
        part = x[lo:lo + (1 << 18)]
        label = (norm - 2 * ((part.half() @ t).float() if half else part @ t)).argmin(1)
        labels[lo:lo + (1 << 18)] = label
        sums.index_add_(0, label, part)
        count += torch.bincount(label, minlength=k)
    return labels, torch.where(count[:, None] > 0, sums / count.clamp(min=1)[:, None], c)


def wrong(x, c, labels):
    pick = torch.arange(0, n, max(1, n // 100_000), device="cuda")
    wide, c = x[pick].double(), c.double()
    best = torch.cat([((c * c).sum(1) - 2 * part @ c.T).argmin(1) for part in wide.split(1 << 14)])
    return int((best != labels[pick]).sum()), len(pick)


for name, precision, half in (("PyTorch float32", "highest", False), ("PyTorch tf32", "high", False), ("PyTorch float16", "high", True)):
    torch.set_float32_matmul_precision(precision)
    torch_step(rows[:1000].cuda(), first.cuda(), half)
    torch.cuda.synchronize()
    start = time.perf_counter()
    x, c = rows.cuda(), first.cuda()
    torch.cuda.synchronize()
    sent = time.perf_counter()
    for _ in range(20):
        before = c
        labels, c = torch_step(x, c, half)
    torch.cuda.synchronize()
    end = time.perf_counter()
    bad, of = wrong(x, before, labels)
    print(f"{name}: {end - start:.2f} s, of them {sent - start:.2f} to send; an iteration {50 * (end - sent):.1f} ms; {bad} of {of} labels wrong", flush=True)
    del x

try:
    import cupy as cp
except ImportError:
    sys.exit("CuPy is not installed")


def cupy_step(x, c):
    norm = (c * c).sum(1)
    sums, count = cp.zeros_like(c), cp.zeros(k, dtype=cp.float32)
    for lo in range(0, len(x), 1 << 18):
        part = x[lo:lo + (1 << 18)]
        label = (norm - 2 * part @ c.T).argmin(1)
        cp.add.at(sums, label, part)
        count += cp.bincount(label, minlength=k)
    return cp.where(count[:, None] > 0, sums / cp.maximum(count, 1)[:, None], c)


torch.cuda.empty_cache()
cupy_step(cp.asarray(rows[:1000].numpy()), cp.asarray(first.numpy()))
cp.cuda.Device().synchronize()
start = time.perf_counter()
x, c = cp.asarray(rows.numpy()), cp.asarray(first.numpy())
cp.cuda.Device().synchronize()
sent = time.perf_counter()
for _ in range(3):
    c = cupy_step(x, c)
cp.cuda.Device().synchronize()
print(f"CuPy float32: {sent - start:.2f} s to send; an iteration {1000 * (time.perf_counter() - sent) / 3:.1f} ms", flush=True)
