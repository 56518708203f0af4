#!/usr/bin/env bash
# Starts PowerDNS's authoritative server on loopback with its API, on an empty SQLite database that
# is thrown away at the end. It comes out of the packages of Debian's unstable, or with POWERDNS_SUITE of another suite.
#
#   test/live/powerdns.sh                                     prints the environment, serves until Ctrl-C
#   test/live/powerdns.sh npx vitest run test/live/dns        runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where PowerDNS cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/debian.sh"

suite=${POWERDNS_SUITE:-unstable}
DEBIAN_SUITE=$suite install_debian PowerDNS "powerdns-$suite" pdns-server pdns-backend-sqlite3
read -r api_port dns_port < <(free_ports 2)
key=$("$node" -p 'require("node:crypto").randomBytes(16).toString("hex")')

"$node" --no-warnings -e '
  const { readFileSync } = require("node:fs");
  const { DatabaseSync } = require("node:sqlite");
  const [database, schema] = process.argv.slice(1);
  new DatabaseSync(database).exec(readFileSync(schema, "utf8"));' \
  "$folder/zones.db" "$root/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql"

# The key goes into a file that only we can read, not onto the command line.
(umask 077; cat >"$folder/pdns.conf" <<CONF
launch=gsqlite3
gsqlite3-database=$folder/zones.db
module-dir=$(dirname "$root"/usr/lib/*/pdns/libgsqlite3backend.so)
local-address=127.0.0.1
local-port=$dns_port
socket-dir=$folder
webserver=yes
webserver-address=127.0.0.1
webserver-port=$api_port
webserver-allow-from=127.0.0.1
api=yes
api-key=$key
CONF
)
in_root /usr/sbin/pdns_server --config-dir="$folder" --daemon=no --guardian=no >"$folder/pdns.log" 2>&1 &
pids+=($!)
export POWERDNS_URL="http://127.0.0.1:$api_port" POWERDNS_KEY="$key" POWERDNS_DNS="127.0.0.1:$dns_port"
until_true 30 PowerDNS answers "$POWERDNS_URL/api"
POWERDNS_VERSION=$(sed -n "s/.*PowerDNS Authoritative Server \([0-9.]*\) .*/\1/p" "$folder/pdns.log" | head -n 1)
export POWERDNS_VERSION
runs "PowerDNS $POWERDNS_VERSION"

serve_or_run "POWERDNS_URL POWERDNS_KEY POWERDNS_DNS POWERDNS_VERSION" "$@"
