#!/usr/bin/env bash
# Starts moto's server, which stands in for AWS, on loopback; what it holds is gone at the end. Installs
# it into the cache with pip when it is not there. It answers one request at a time: with threads, two
# writers can both find the same condition true.
#
#   test/live/aws.sh                                   prints the environment, serves until Ctrl-C
#   test/live/aws.sh npx vitest run test/live/aws      runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where moto cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/python.sh"
install_python moto moto moto.server 'moto[server]==5.2.5'

# Writes its port into a file once it listens.
"$venv/bin/python" - "$folder/port" >"$folder/moto.log" 2>&1 <<'PYTHON' &
import sys
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=False)
with open(sys.argv[1], "w") as file:
    file.write(f"{server.server_port}\n")
server.serve_forever()
PYTHON
pids+=($!)
until_true 60 moto test -s "$folder/port"

export AWS_ENDPOINT_URL="http://127.0.0.1:$(cat "$folder/port")"
export AWS_REGION=us-east-1 AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test
runs "moto $("$venv/bin/python" -c 'from importlib.metadata import version; print(version("moto"))')"

serve_or_run "AWS_ENDPOINT_URL AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY" "$@"
