#!/bin/bash
# Compares the bits of inkling cluster, of Prism and of Flink on rows whose sums depend on their order.
#
#   samebits.sh [DIR]     works in DIR (default: a temporary folder)
#
# ROWS (2000000), COLS (32), K (16), CONSTRAINTS (10000), SHARDS ("1 7 40"), PARALLELISM ("1 2 4", of Prism), METHODS,
# MAXITER (300) and FLINK (host:port of the job server; "": without Flink) may be set in the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$(mktemp -d)}
ROWS=${ROWS:-2000000} COLS=${COLS:-32} K=${K:-16} CONSTRAINTS=${CONSTRAINTS:-10000} SHARDS=${SHARDS:-1 7 40} PARALLELISM=${PARALLELISM:-1 2 4}
METHODS=${METHODS:-kmeans constrained-kmeans pc-kmeans mpc-kmeans} MAXITER=${MAXITER:-300} FLINK=${FLINK-localhost:8099}
mkdir -p "$dir"
(cd "$here/.." && go build -o "$dir/inkling-beam" ./cmd/inkling-beam && go build -o "$dir/sampledata" ./flink/sampledata)
(cd "$here/../.." && go build -o "$dir/inkling" ./cmd/inkling)
cd "$dir"
[ -f links.csv ] || ./sampledata -rows "$ROWS" -cols "$COLS" -classes "$K" -constraints "$CONSTRAINTS" -shards "$(echo 1 $SHARDS | tr ' ' '\n' | sort -nu | paste -sd,)" .

failed=0
# one NAME COMMAND...: runs a command that writes model and labels, and prints time and fingerprint.
one() {
  local name=$1 start
  shift
  start=$(date +%s.%N)
  rm -f found.model found.csv
  if ! "$@" -q -o found.csv --save found.model --seed 1 --restarts 1 --max-iter "$MAXITER" --effort low -k "$K" 2>error.log; then
    echo "$method  $name  FAILED: $(tail -n 1 error.log)"
    failed=1
    return 0
  fi
  got=$(python3 "$here/fingerprint.py" found.model found.csv)
  printf '%-19s %-36s %7.1f s  %s' "$method" "$name" "$(echo "$(date +%s.%N) - $start" | bc)" "${got:0:32}"
  if [ -z "$want" ]; then
    want=$got
  elif [ "$got" != "$want" ]; then
    printf '  DIFFERS'
    failed=1
  fi
  echo
}
echo "$ROWS x $COLS, k = $K, $CONSTRAINTS constraints"
before=$([ -z "$FLINK" ] || "$here/cluster.sh" restarts)
for method in $METHODS; do
  want=
  known=()
  case $method in
  constrained-kmeans | seeded-kmeans) known=(--labels labels.csv) ;;
  kmeans) ;;
  *) known=(--links links.csv) ;;
  esac
  one "inkling cluster" ./inkling cluster 1/part-00000.npy --method "$method" "${known[@]}"
  for s in $SHARDS; do
    for p in $PARALLELISM; do
      one "prism, $s shards, parallelism $p" ./inkling-beam cluster "$s/part-*.npy" --method "$method" "${known[@]}" --parallelism "$p"
    done
    [ -z "$FLINK" ] || one "flink, $s shards, parallelism 4" ./inkling-beam cluster "$s/part-*.npy" --method "$method" "${known[@]}" --parallelism 4 --runner flink --flink "$FLINK" --flink-rest "localhost:${REST:-8081}" --work "$dir"
  done
done
if [ -n "$FLINK" ]; then
  again=$(($("$here/cluster.sh" restarts) - before))
  echo "unexpected restarts of jobs: $again"
  [ "$again" = 0 ] || failed=1
fi
[ "$failed" = 0 ] && echo "all the same" || echo "NOT the same"
exit "$failed"
