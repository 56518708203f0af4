#!/usr/bin/env bash
# Starts moto's server, which stands in for AWS, on loopback; what it holds is gone at the end. Installs
# it into .build/moto with pip when it is not there. It answers one request at a time: with threads, two
# writers can both find the same condition true.
#
#   test/live/aws.sh                                   prints the environment, serves until Ctrl-C
#   test/live/aws.sh npx vitest run test/live/aws      runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where moto cannot be had: `npm run test:aws`.
set -euo pipefail

source "$(dirname "$0")/python.sh"
install_python moto moto moto.server 'moto[server]==5.2.5'

folder=$(mktemp -d)
pid=
stop() {
  if [ -n "$pid" ]; then kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

# Writes its port into a file once it listens.
"$venv/bin/python" - "$folder/port" >"$folder/log" 2>&1 <<'PYTHON' &
import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=False)
with open(sys.argv[1], "w") as file:
    file.write(f"{server.server_port}\n")
server.serve_forever()
PYTHON
pid=$!

for _ in $(seq 300); do
  if [ -s "$folder/port" ] || ! kill -0 "$pid" 2>/dev/null; then break; fi
  sleep 0.1
done
if [ ! -s "$folder/port" ]; then
  cat "$folder/log" >&2
  exit 1
fi

export AWS_ENDPOINT_URL="http://127.0.0.1:$(cat "$folder/port")"
export AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
if [ $# -gt 0 ]; then
  "$@"
else
  echo "export AWS_ENDPOINT_URL=$AWS_ENDPOINT_URL AWS_REGION=$AWS_REGION AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test"
  wait "$pid"
fi
