"""Times of core distances, spanning tree and condensed tree with its clusters, min_samples 10, clusters of 25 and more.

    bench/density/run [TABLE...]

Tables are named ROWSxFEATURES, by default 100000x8 1000000x3 100000x64. PEERS names the peers (hdbscan, fast_hdbscan, sklearn,
evoc), CORES the numbers of cores ("1 all"), REPS how often each is run, LIMIT after how many CPU seconds a fit is ended: a
peer that is not done then is not run again on that table. CPU seconds (user and system) decide: they suffer less from what else
runs. They are of the fit alone, after a small one that compiles what is compiled; MB is the peak of the whole process, with its
libraries and the rows.
"""
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "data"
SAMPLES, SIZE = 10, 25
PEERS = os.environ.get("PEERS", "fast_hdbscan hdbscan sklearn evoc").split()
REPS, LIMIT = int(os.environ.get("REPS", 3)), int(os.environ.get("LIMIT", 600))
COMPILE = 300  # more seconds that a process may have before its fit
ALL = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def measure(command, cores):
    env = dict(os.environ) | {"LIMIT": str(LIMIT)} | {k: str(cores) for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS", "GOMAXPROCS")}

    def hold():
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT + COMPILE, 2 * (LIMIT + COMPILE)))
        if cores == 1 and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        p = subprocess.Popen(command, stdout=out, stderr=err, env=env, preexec_fn=hold)
        _, status, used = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        if p.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
            return None
        out.seek(0), err.seek(0)
        if p.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{err.read()}")
        return json.loads(out.read().splitlines()[-1]) | {"MB": used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)}


def compare(table):
    n, d = table.split("x")
    path = DATA / f"{table}.f64"
    if not path.exists():
        subprocess.run([sys.executable, str(HERE / "make.py"), str(path), n, d], check=True)
    args = [str(path), d, str(SAMPLES), str(SIZE)]
    sides = {"inkling": [str(DATA / "bin" / "ours"), *args]} | {p: [sys.executable, str(HERE / "peer.py"), p, *args] for p in PEERS}
    late = set()
    for cores in [ALL if c == "all" else int(c) for c in os.environ.get("CORES", "1 all").split()]:
        print(f"\n{int(n):,} × {d}, {cores} core{'s' * (cores > 1)}, best of {REPS}, load {os.getloadavg()[0]:.1f}")
        runs = {name: [] for name in sides}
        for _ in range(REPS):
            for name, command in sides.items():
                if name not in late:
                    said = measure(command, cores)
                    late.add(name) if said is None else runs[name].append(said)
        ours = min(r["cpu"] for r in runs["inkling"])
        print(f"  {'':14}{'s':>9}{'CPU s':>9}{'ratio of CPU s':>16}{'MB':>8}{'clusters':>10}{'sum of the tree':>18}")
        for name, said in runs.items():
            if not said:
                print(f"  {name:14}{'':9}{f'over {LIMIT}':>9}{f'over {LIMIT / ours:.1f}':>16}", flush=True)
                continue
            cpu, memory = min(r["cpu"] for r in said), max(r["MB"] for r in said)
            check = said[0].get("check")
            print(f"  {name:14}{min(r['seconds'] for r in said):9.2f}{cpu:9.2f}{cpu / ours:16.1f}{memory:8.0f}{said[0]['clusters']:10}"
                  + (f"{check:18.4f}" if check is not None else ""), flush=True)


for table in sys.argv[1:] or ["100000x8", "1000000x3", "100000x64"]:
    compare(table)
