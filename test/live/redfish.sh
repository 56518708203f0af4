#!/usr/bin/env bash
# Starts sushy-tools' BMC emulator on loopback, a second one to ask beside our own simulator, and names
# the Python that has sushy, the client that Ironic uses. Installs both into .build/sushy with pip when
# they are not there.
#
#   test/live/redfish.sh                                          prints the environment, serves until Ctrl-C
#   test/live/redfish.sh npx vitest run test/live/redfish         runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where they cannot be had: `npm run test:redfish`.
set -euo pipefail

optional=
if [ "${1:-}" = --optional ]; then
  optional=yes
  shift
fi

root="$(cd "$(dirname "$0")/../.." && pwd)"
venv="$root/.build/sushy"
install() {
  command -v python3 >/dev/null || { echo "there is no python3" && return 1; }
  python3 -m venv "$venv" || return 1
  "$venv/bin/pip" install --quiet --disable-pip-version-check 'sushy-tools==2.2.0' 'sushy==5.14.0'
}
if ! "$venv/bin/python" -c 'import sushy, sushy_tools' 2>/dev/null && ! said=$(install 2>&1); then
  rm -rf "$venv"
  echo "tests on sushy SKIPPED, sushy cannot be installed: $(grep . <<<"$said" | tail -n 1)" >&2
  [ "$optional" ] && exit 0
  exit 1
fi

folder=$(mktemp -d)
pid=
stop() {
  if [ -n "$pid" ]; then kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

port=$("$venv/bin/python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
mkdir "$folder/state"
cat >"$folder/emulator.py" <<PYTHON
SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"
SUSHY_EMULATOR_LISTEN_PORT = $port
SUSHY_EMULATOR_FEATURE_SET = "full"
SUSHY_EMULATOR_STATE_DIR = "$folder/state"
SUSHY_EMULATOR_FAKE_SYSTEMS = [{
    "uuid": "7f5a4c1e-3b52-4d3a-9a53-5c0e1f3b6a01",
    "name": "node-1",
    "power_state": "Off",
    "external_notifier": False,
    "nics": [{"mac": "52:54:00:12:34:56", "ip": "10.0.0.1"}],
}]
PYTHON
"$venv/bin/sushy-emulator" --fake --config "$folder/emulator.py" >"$folder/log" 2>&1 &
pid=$!

export SUSHY_EMULATOR_URL="http://127.0.0.1:$port" SUSHY_PYTHON="$venv/bin/python"
answers() { "$venv/bin/python" -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1])' "$SUSHY_EMULATOR_URL/redfish/v1/" 2>/dev/null; }
for _ in $(seq 100); do
  if answers || ! kill -0 "$pid" 2>/dev/null; then break; fi
  sleep 0.2
done
if ! answers; then
  cat "$folder/log" >&2
  exit 1
fi

if [ $# -gt 0 ]; then
  "$@"
else
  echo "export SUSHY_EMULATOR_URL=$SUSHY_EMULATOR_URL SUSHY_PYTHON=$SUSHY_PYTHON"
  wait "$pid"
fi
