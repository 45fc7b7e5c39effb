#!/bin/bash
# Kills things in the middle of a pass on Flink, and checks what becomes of it. cluster.sh start must have been called.
#
#   killtests.sh [DIR]    works in DIR (default: a temporary folder)
#
# 1. kill -9 of a worker process: Flink runs the pass again, the result is the same.
# 2. kill -9 of a TaskManager: the same, after a new one has come.
# 3. kill -9 of the client: no job runs ten seconds later.
# 4. Ctrl-C of the client: the best so far is written, exit code 130, no job runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mkdir -p "${1:-$(mktemp -d)}" && cd "${1:-$(mktemp -d)}" && pwd)
RUN=${RUN:-$here/run} REST=${REST:-8081} FLINK=${FLINK:-localhost:8099} ROWS=${ROWS:-300000} DELAY=${DELAY:-1s}
export RUN REST
(cd "$here/.." && go build -o "$dir/inkling-beam" ./cmd/inkling-beam && go build -o "$dir/sampledata" ./flink/sampledata)
cd "$dir"
[ -f links.csv ] || ./sampledata -rows "$ROWS" -cols 8 -classes 5 -constraints 500 -shards 7 .
failed=0
check() { # check WHAT GOT WANTED
  if [ "$2" = "$3" ]; then echo "ok    $1: $2"; else echo "WRONG $1: $2, wanted $3" && failed=1; fi
}
fit() { # fit NAME MORE...: a fit of 3 iterations
  local name=$1
  shift
  exec ./inkling-beam cluster '7/part-*.npy' -k 5 --restarts 1 --max-iter 3 --parallelism 4 --runner flink --flink "$FLINK" --flink-rest "localhost:$REST" --work "$dir" \
    -o "$name.csv" --save "$name.model" "$@" >"$name.log" 2>&1
}
busy() { # waits until a worker has begun with units of a pass
  for _ in $(seq 300); do
    [ -n "$(workers)" ] && "$here/cluster.sh" running | grep -qv '^0$' && return 0
    sleep 0.2
  done
  echo "no pass has begun" && exit 1
}
workers() { pgrep -f "^$dir/inkling-beam --worker=true" || true; }
await_end() { # await_end PID: the exit code of a process
  local code=0
  wait "$1" || code=$?
  echo $code
}
rm -f ./*.csv.* plain.* worker.* taskmanager.* client.* interrupted.*

before=$("$here/cluster.sh" restarts)
(fit plain) & await_end $! >/dev/null
want=$(python3 "$here/fingerprint.py" plain.model plain.csv)
check "restarts of an undisturbed fit" "$(($("$here/cluster.sh" restarts) - before))" 0

(fit worker --unit-delay "$DELAY") & pid=$!
busy && sleep 2
kill -9 $(workers | head -n 1)
code=0; wait $pid || code=$?
check "exit code after the death of a worker" $code 0
check "bits after the death of a worker" "$(python3 "$here/fingerprint.py" worker.model worker.csv)" "$want"

(fit taskmanager --unit-delay "$DELAY") & pid=$!
busy && sleep 2
kill -9 "$(cat "$RUN/taskmanager2.pid")"
sleep 4
"$here/cluster.sh" taskmanager 2
code=0; wait $pid || code=$?
check "exit code after the death of a TaskManager" $code 0
check "bits after the death of a TaskManager" "$(python3 "$here/fingerprint.py" taskmanager.model taskmanager.csv)" "$want"
check "restarts are seen" "$([ "$("$here/cluster.sh" restarts)" -gt "$before" ] && echo yes || echo no)" yes

(fit client --unit-delay 5s) & pid=$!
busy && sleep 2
kill -9 $pid
wait $pid 2>/dev/null || true
sleep 10
check "jobs ten seconds after the death of the client" "$("$here/cluster.sh" running)" 0
check "files of a killed client" "$(ls client.csv client.model 2>/dev/null | wc -l)" 0

(fit interrupted --max-iter 100 -k 12 --unit-delay 100ms --tol 0) & pid=$!
for _ in $(seq 300); do [ "$(ls -d inkling-beam-*/pass-000004.job 2>/dev/null | wc -l)" -gt 0 ] && break; sleep 0.2; done
sleep 1
kill -INT $pid
code=0; wait $pid || code=$?
check "exit code after Ctrl-C" $code 130
check "files after Ctrl-C" "$(ls interrupted.csv interrupted.model 2>/dev/null | wc -l)" 2
sleep 1
check "jobs after Ctrl-C" "$("$here/cluster.sh" running)" 0
exit $failed
