#!/usr/bin/env bash
# Starts Kea's DHCPv4 server on loopback with its HTTP socket and its hook libraries, out of the packages of Debian's
# unstable (85 MB in the cache). It needs no root. When its process ends, another starts, which reads the file anew.
#
#   test/live/kea.sh                                        prints the environment, serves until Ctrl-C
#   test/live/kea.sh npx vitest run test/live/kea           runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where Kea cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/debian.sh"

install_debian Kea kea kea-dhcp4-server
hooks=$(dirname "$root"/usr/lib/*/kea/hooks/libdhcp_subnet_cmds.so)
[ -d "$hooks" ] || skip Kea "its package has no hook libraries"
read -r api_port dhcp_port < <(free_ports 2)
password=$("$node" -p 'require("node:crypto").randomBytes(16).toString("hex")')

(umask 077; cat >"$folder/kea-dhcp4.conf" <<CONF
{
  "Dhcp4": {
    "interfaces-config": { "interfaces": ["lo"], "dhcp-socket-type": "udp" },
    "control-sockets": [
      {
        "socket-type": "http",
        "socket-address": "127.0.0.1",
        "socket-port": $api_port,
        "authentication": {
          "type": "basic",
          "realm": "kea",
          "clients": [{ "user": "slipway", "password": "$password" }]
        }
      }
    ],
    "lease-database": { "type": "memfile", "persist": true, "name": "$folder/leases.csv", "lfc-interval": 0 },
    "hooks-libraries": [
      { "library": "$hooks/libdhcp_subnet_cmds.so" },
      { "library": "$hooks/libdhcp_host_cmds.so" },
      { "library": "$hooks/libdhcp_lease_cmds.so" }
    ],
    "loggers": [{ "name": "kea-dhcp4", "severity": "WARN", "output-options": [{ "output": "stdout" }] }],
    "subnet4": []
  }
}
CONF
)
export KEA_HOOKS_PATH="$hooks" KEA_DHCP_DATA_DIR="$folder" KEA_PIDFILE_DIR="$folder" KEA_LOCKFILE_DIR=none

# keep_running PROGRAM ARGUMENT...: until this is ended; what ends by itself with a failure is not started again.
keep_running() {
  local process=
  trap 'kill "$process"; wait "$process"; exit' TERM
  while :; do
    in_root "$@" &
    process=$!
    wait "$process" || return
  done
}
keep_running /usr/sbin/kea-dhcp4 -p "$dhcp_port" -c "$folder/kea-dhcp4.conf" >"$folder/kea.log" 2>&1 &
pids+=($!)
export KEA_URL="http://127.0.0.1:$api_port" KEA_USER=slipway KEA_PASSWORD="$password" KEA_DHCP="127.0.0.1:$dhcp_port"
until_true 30 Kea answers "$KEA_URL/"
runs "Kea $(in_root /usr/sbin/kea-dhcp4 -v)"

serve_or_run "KEA_URL KEA_USER KEA_PASSWORD KEA_DHCP" "$@"
