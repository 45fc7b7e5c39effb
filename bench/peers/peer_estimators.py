"""The estimators of the Python package, and what is measured beside them."""

import json
import os
import statistics
import subprocess
import time

from clock import Clock
from peer_kmeans import inertia
from peer_linked import ari, given_pairs


def make_iris(path):
    import numpy as np
    from sklearn.datasets import load_iris

    np.save(path, load_iris().data)
    return None


def small_fits(whose, path, count):
    """The median of many fits, after a first one that starts what has to be started."""
    import numpy as np

    x = np.load(path)
    if whose == "inkling":
        import inkling as library
    else:
        import sklearn.cluster as library
    model = library.KMeans(n_clusters=3, n_init=1, random_state=1)
    times = []
    for _ in range(1 + int(count)):
        clock = Clock()
        model.fit(x)
        times.append(clock.stop())
    return {
        "first": times[0]["seconds"],
        "seconds": statistics.median(t["seconds"] for t in times[1:]),
        "cpu": statistics.median(t["cpu"] for t in times[1:]),
        "check": inertia(x, model.cluster_centers_, model.labels_),
    }


def memory(pid):
    """Megabytes of a process by kind, and the most that it had at a time (VmHWM), as Linux counts them."""
    with open(f"/proc/{pid}/status") as f:
        lines = dict(line.split(":", 1) for line in f)
    return {key: int(lines[key].split()[0]) / 1024 for key in ("VmRSS", "VmHWM", "RssFile", "RssShmem")}


def cpu(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Most:
    """The most memory that this process and its engine take from now on. The system counts it: to look again and again
    while the clock runs would take time from the engine."""

    def __init__(self, engine):
        self.pids = (os.getpid(), engine)
        for pid in self.pids:
            with open(f"/proc/{pid}/clear_refs", "w") as f:
                f.write("5")  # VmHWM begins again
        self.before = memory(self.pids[0])

    def stop(self):
        python, engine = (memory(pid) for pid in self.pids)
        shared = max(python["RssShmem"], engine["RssShmem"])  # the engine keeps what it was given
        return {"python": python["VmHWM"] - self.before["VmRSS"], "shared": shared,
                "engine": engine["VmHWM"] - engine["RssShmem"] - engine["RssFile"]}


def estimator_fit(points, centres, limit):
    import numpy as np

    import inkling
    from inkling._client import engine

    x, first = np.load(points), np.load(centres)
    small = inkling.KMeans(n_clusters=2, n_init=1).fit(x[:100])  # starts the engine
    del small
    pid = engine().pid
    model = inkling.KMeans(n_clusters=len(first), init=first, n_init=1, max_iter=int(limit), tol=0)
    most, used, clock = Most(pid), cpu(pid), Clock()
    model.fit(x)
    done = clock.stop()
    done["cpu"] += cpu(pid) - used
    taken = most.stop()
    size = x.nbytes / (1 << 20)
    return done | taken | {"x": size, "iterations": model.n_iter_, "check": inertia(x, model.cluster_centers_, model.labels_)}


def command_fit(program, points, centres, k, limit):
    """What the command line says of the seconds of its fit."""
    command = [program, "cluster", points, "-k", k, "--method", "kmeans", "--init", centres, "--restarts", "1",
               "--max-iter", limit, "--tol", "0", "--json", "-o", os.devnull]
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    whole = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed with {child.returncode}")
    said = json.loads(out)
    return {"seconds": said["seconds"]["fit"], "cpu": usage.ru_utime + usage.ru_stime, "iterations": said["iterations"],
            "check": said["objective"]["total"], "most": usage.ru_maxrss / 1024, "whole": whole}


def estimator_linked(prefix, name, starts):
    import inkling
    from inkling._client import engine

    x, must, cannot = given_pairs(prefix)
    inkling.KMeans(n_clusters=2, n_init=1).fit(x[:100])  # starts the engine
    pid = engine().pid
    model = getattr(inkling, name)(n_clusters=10, n_init=starts if starts == "auto" else int(starts), random_state=1)
    used, clock = cpu(pid), Clock()
    model.fit(x, must_link=must, cannot_link=cannot)
    done = clock.stop()
    done["cpu"] += cpu(pid) - used
    return done | {"ari": ari(prefix + ".truth.npy", model.labels_)}


TASKS = {"make-iris": make_iris, "small-fits": small_fits, "estimator-fit": estimator_fit, "command-fit": command_fit,
         "estimator-linked": estimator_linked}
