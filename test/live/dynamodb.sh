#!/usr/bin/env bash
# Starts DynamoDB Local, AWS's own stand-in for DynamoDB, on loopback; what it holds is gone at the end.
# Needs Java 17 and Maven, which fetches it from Maven Central into .build/dynamodb (70 MB) once.
#
#   test/live/dynamodb.sh                                               prints the environment, serves until Ctrl-C
#   test/live/dynamodb.sh npx vitest run test/core/kernel/store/dynamodb-live.test.ts      runs the command in it, then stops
set -euo pipefail

root="$(cd "$(dirname "$0")/../.." && pwd)"
home="$root/.build/dynamodb"
if [ ! -d "$home/lib" ]; then
  mkdir -p "$home"
  cat >"$home/pom.xml" <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>slipway</groupId>
  <artifactId>dynamodb-local</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>com.amazonaws</groupId>
      <artifactId>DynamoDBLocal</artifactId>
      <version>2.6.1</version>
    </dependency>
  </dependencies>
</project>
POM
  mvn --quiet --batch-mode --file "$home/pom.xml" dependency:copy-dependencies -DoutputDirectory="$home/new"
  mv "$home/new" "$home/lib"
fi

port=${DYNAMODB_PORT:-18000}
log=$(mktemp)
java -Djava.library.path="$home/lib" -cp "$home/lib/*" \
  com.amazonaws.services.dynamodbv2.local.main.ServerRunner -inMemory -disableTelemetry -port "$port" \
  >"$log" 2>&1 &
pid=$!
stop() {
  kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true
  rm -f "$log"
}
trap stop EXIT
trap 'exit 130' INT TERM

export DYNAMODB_ENDPOINT="http://127.0.0.1:$port"
for _ in $(seq 300); do
  # It answers 400 to whoever does not sign.
  if curl --silent --output /dev/null "$DYNAMODB_ENDPOINT" || ! kill -0 "$pid" 2>/dev/null; then break; fi
  sleep 0.1
done
if ! kill -0 "$pid" 2>/dev/null; then
  cat "$log" >&2
  exit 1
fi

if [ $# -gt 0 ]; then
  "$@"
else
  echo "export DYNAMODB_ENDPOINT=$DYNAMODB_ENDPOINT"
  wait "$pid"
fi
