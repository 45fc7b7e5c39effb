#!/bin/bash
# Measures what a pass costs and how much memory it takes: inkling cluster beside Prism on the same rows.
#
#   cost.sh [DIR]     works in DIR (default: a temporary folder)
#
# ROWS ("1000000 10000000"), COLS (32), K (100), MAXITER (10) and PARALLELISM (2) may be set in the environment. With
# FLINK=host:port the same fit runs on Flink too.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:=$(mktemp -d)}"
dir=$(cd "$1" && pwd)
ROWS=${ROWS:-1000000 10000000} COLS=${COLS:-32} K=${K:-100} MAXITER=${MAXITER:-10} PARALLELISM=${PARALLELISM:-2} FLINK=${FLINK:-}
(cd "$here/.." && go build -o "$dir/inkling-beam" ./cmd/inkling-beam && go build -o "$dir/sampledata" ./flink/sampledata)
(cd "$here/../.." && go build -o "$dir/inkling" ./cmd/inkling)
cd "$dir"
fit="-k $K --method kmeans --init random --seed 1 --restarts 1 --max-iter $MAXITER --tol 0 --effort low -q --json"
report() { # report NAME: prints what the last fit took
  python3 - "$1" <<'END'
import json, sys
r = json.load(open("found.json"))
time = open("time.txt").read().split()
passes = r["iterations"] + 1
own = r.get("beam", {}).get("pass_seconds")
print("%-28s %3d passes, %6.2f s of fit per pass%s, %.1f s CPU in all, %.0f MB"
      % (sys.argv[1], passes, r["seconds"]["fit"] / passes, ", %.2f s of that in Beam" % (sum(own) / len(own)) if own else "",
         float(time[0]) + float(time[1]), float(time[2]) / 1024))
END
}
for n in $ROWS; do
  mkdir -p "$n"
  [ -f "$n/links.csv" ] || ./sampledata -rows "$n" -cols "$COLS" -classes 60 -constraints 10 -shards 1,8 "$n"
  echo "$n x $COLS, k = $K, parallelism $PARALLELISM"
  /usr/bin/time -o time.txt -f "%U %S %M" ./inkling cluster "$n/1/part-00000.npy" $fit --workers "$PARALLELISM" -o found.csv --save one.model >found.json
  cp found.csv one.csv
  report "inkling cluster"
  /usr/bin/time -o time.txt -f "%U %S %M" ./inkling-beam cluster "$n/8/part-*.npy" $fit --parallelism "$PARALLELISM" -o found.csv --save found.model >found.json
  report "prism"
  if [ "$(python3 "$here/fingerprint.py" one.model one.csv)" != "$(python3 "$here/fingerprint.py" found.model found.csv)" ]; then
    echo "NOT the same bits" && exit 1
  fi
  if [ -n "$FLINK" ]; then
    /usr/bin/time -o time.txt -f "%U %S %M" ./inkling-beam cluster "$n/8/part-*.npy" $fit --parallelism 4 --runner flink --flink "$FLINK" --work "$dir" -o found.csv --save found.model >found.json &
    pid=$!
    most=0
    while kill -0 $pid 2>/dev/null; do
      for w in $(pgrep -f "^$dir/inkling-beam --worker=true" || true); do
        kb=$(awk '/VmHWM/ {print $2}' "/proc/$w/status" 2>/dev/null || echo 0)
        [ "${kb:-0}" -gt "$most" ] && most=$kb
      done
      sleep 0.2
    done
    wait $pid
    report "flink (memory of the driver)"
    echo "largest worker on Flink: $((most / 1024)) MB"
  fi
done
