"""Seconds and CPU seconds of a task alone, without starting, importing and loading."""

import time


class Clock:
    def __init__(self):
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def stop(self):
        return {"seconds": time.perf_counter() - self.wall, "cpu": time.process_time() - self.cpu}


def per_iteration(one, more, iterations):
    """The figures of one iteration, from a fit of 1 and a fit of 1 + iterations.

    What a fit does once, such as checking and copying its input, cancels out.
    """
    out = dict(more)
    for key in ("seconds", "cpu"):
        out[key] = (more[key] - one[key]) / iterations
    return out
