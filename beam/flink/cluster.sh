#!/bin/bash
# A Flink cluster on this machine for trying and testing: a JobManager, TaskManagers and Beam's job server.
#
#   cluster.sh jars            fetch the jars by Maven (162 files, 152 MB)
#   cluster.sh start           start all; writes logs and process ids to RUN
#   cluster.sh taskmanager N   start TaskManager N
#   cluster.sh restarts        print how often a job was restarted since the start
#   cluster.sh running         print how many jobs run
#   cluster.sh stop            stop all
#
# RUN (default: run beside this file), TASKMANAGERS (2), SLOTS (2), REST (8081), RPC (6123) and PORT (8099, the job
# server) may be set in the environment.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
RUN=${RUN:-$here/run} TASKMANAGERS=${TASKMANAGERS:-2} SLOTS=${SLOTS:-2} REST=${REST:-8081} RPC=${RPC:-6123} PORT=${PORT:-8099}
mkdir -p "$RUN/conf"

opens=
for p in java.util java.lang java.net java.io java.nio java.lang.reflect java.text java.time \
  java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks; do
  opens="$opens --add-opens=java.base/$p=ALL-UNNAMED"
done
opens="$opens --add-opens=java.base/sun.nio.ch=ALL-UNNAMED"

# launch NAME JAVA-ARGUMENTS: starts a process in the background, and keeps its id and log.
launch() {
  local name=$1
  shift
  nohup nice -n 10 java $opens -Dlog4j.configurationFile="$RUN/conf/log4j.properties" "$@" >"$RUN/$name.log" 2>&1 &
  echo $! >"$RUN/$name.pid"
}

jars() {
  mvn -B -q -f "$here/pom.xml" dependency:copy-dependencies -DoutputDirectory="$RUN/lib" -DincludeScope=runtime
  mkdir -p "$RUN/jobserver"
  javac -cp "$RUN/lib/*" -d "$RUN/jobserver" "$here/JobServer.java"
  echo empty >"$RUN/jobserver/empty"
  (cd "$RUN/jobserver" && jar cf empty.jar empty)
}

configure() {
  cat >"$RUN/conf/config.yaml" <<END
jobmanager.rpc.address: localhost
jobmanager.rpc.port: $RPC
jobmanager.bind-host: localhost
taskmanager.bind-host: localhost
taskmanager.host: localhost
rest.address: localhost
rest.bind-address: localhost
rest.port: $REST
taskmanager.numberOfTaskSlots: $SLOTS
parallelism.default: $SLOTS
# A TaskManager wants every kind of memory said.
taskmanager.cpu.cores: 1
taskmanager.memory.framework.heap.size: 128m
taskmanager.memory.framework.off-heap.size: 128m
taskmanager.memory.task.heap.size: 512m
taskmanager.memory.task.off-heap.size: 0b
taskmanager.memory.managed.size: 256m
taskmanager.memory.network.min: 256m
taskmanager.memory.network.max: 256m
taskmanager.memory.jvm-metaspace.size: 512m
taskmanager.memory.jvm-overhead.min: 192m
taskmanager.memory.jvm-overhead.max: 192m
taskmanager.network.sort-shuffle.min-buffers: 64
# A TaskManager that died is noticed within seconds, and its work done again.
heartbeat.interval: 1000
heartbeat.timeout: 30000
restart-strategy.type: fixed-delay
restart-strategy.fixed-delay.attempts: 20
restart-strategy.fixed-delay.delay: 1s
END
  cat >"$RUN/conf/log4j.properties" <<END
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console
appender.console.name = Console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} - %m%n
END
}

jobmanager() {
  launch jobmanager -Xmx1g -cp "$RUN/lib/*" org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint --configDir "$RUN/conf"
}

taskmanager() {
  launch "taskmanager$1" -Xmx768m -XX:MaxDirectMemorySize=1g -XX:MaxMetaspaceSize=512m -cp "$RUN/lib/*" \
    org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir "$RUN/conf" -D "taskmanager.resource-id=tm$1-$(date +%s)"
}

jobserver() {
  EMPTY_JAR=$RUN/jobserver/empty.jar launch jobserver -Xmx1g -Dorg.slf4j.simpleLogger.showDateTime=true -cp "$RUN/jobserver:$RUN/lib/*" \
    JobServer --flink-master="localhost:$REST" --flink-conf-dir="$RUN/conf" --job-host=localhost --job-port="$PORT" \
    --artifact-port=0 --expansion-port=0 --artifacts-dir="$RUN/artifacts"
}

await() { # await WHAT COMMAND: waits up to two minutes until the command succeeds
  local what=$1
  shift
  for _ in $(seq 240); do
    "$@" && return 0
    sleep 0.5
  done
  echo "$what does not come up; see the logs in $RUN" >&2
  return 1
}

has_taskmanagers() {
  [ "$(curl -sf "localhost:$REST/taskmanagers" | python3 -c 'import json,sys; print(len(json.load(sys.stdin)["taskmanagers"]))' 2>/dev/null || echo 0)" -ge "$TASKMANAGERS" ]
}

has_port() { (exec 3<>"/dev/tcp/localhost/$PORT") 2>/dev/null; }

case ${1:-} in
jars) jars ;;
start)
  [ -f "$RUN/jobserver/empty.jar" ] || jars
  configure
  jobmanager
  for i in $(seq "$TASKMANAGERS"); do taskmanager "$i"; done
  jobserver
  await "the cluster" has_taskmanagers
  await "the job server" has_port
  echo "job server at localhost:$PORT, web page at http://localhost:$REST"
  ;;
taskmanager) taskmanager "$2" ;;
restarts) grep -c 'to RESTARTING' "$RUN/jobmanager.log" || true ;;
running) curl -sf "localhost:$REST/jobs/overview" | python3 -c 'import json,sys; print(sum(j["state"] not in ("FINISHED","CANCELED","FAILED") for j in json.load(sys.stdin)["jobs"]))' ;;
stop)
  for f in "$RUN"/*.pid; do
    [ -f "$f" ] || continue
    kill "$(cat "$f")" 2>/dev/null || true
    rm "$f"
  done
  ;;
*) sed -n '2,13p' "$0" ;;
esac
