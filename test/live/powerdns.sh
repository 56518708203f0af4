#!/usr/bin/env bash
# Starts PowerDNS's authoritative server on loopback with its API, on an empty SQLite database that
# is thrown away at the end. On Debian: apt-get install pdns-server pdns-backend-sqlite3
#
#   test/live/powerdns.sh                                     prints the environment, serves until Ctrl-C
#   test/live/powerdns.sh npx vitest run test/live            runs the command in it, then stops
set -euo pipefail

schema=/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql
server=$(command -v pdns_server || echo /usr/sbin/pdns_server)
if [ ! -x "$server" ] || [ ! -f "$schema" ]; then
  echo "needs Debian's packages pdns-server and pdns-backend-sqlite3" >&2
  exit 1
fi

node="$(cd "$(dirname "$0")/../.." && pwd)/node_modules/.bin/node"
[ -x "$node" ] || node=node

folder=$(mktemp -d)
pid=
stop() {
  if [ -n "$pid" ]; then kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

# Two ports that are free now.
read -r api_port dns_port < <("$node" -e '
  const { createServer } = require("node:net");
  const servers = [createServer(), createServer()];
  const ports = servers.map((server) => new Promise((done) => {
    server.listen(0, "127.0.0.1", () => done(server.address().port));
  }));
  Promise.all(ports).then((all) => {
    console.log(all.join(" "));
    for (const server of servers) server.close();
  });')
key=$("$node" -p 'require("node:crypto").randomBytes(16).toString("hex")')

"$node" --no-warnings -e '
  const { readFileSync } = require("node:fs");
  const { DatabaseSync } = require("node:sqlite");
  const [database, schema] = process.argv.slice(1);
  new DatabaseSync(database).exec(readFileSync(schema, "utf8"));' "$folder/zones.db" "$schema"

# The key goes into a file that only we can read, not onto the command line.
(umask 077; cat >"$folder/pdns.conf" <<CONF
launch=gsqlite3
gsqlite3-database=$folder/zones.db
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
"$server" --config-dir="$folder" --daemon=no --guardian=no >"$folder/log" 2>&1 &
pid=$!

for _ in $(seq 100); do
  if ! kill -0 "$pid" 2>/dev/null; then break; fi
  if "$node" -e 'fetch(process.argv[1]).then(() => process.exit(0), () => process.exit(1))' \
    "http://127.0.0.1:$api_port/api"; then
    ready=yes
    break
  fi
  sleep 0.1
done
if [ -z "${ready:-}" ]; then
  cat "$folder/log" >&2
  exit 1
fi

export POWERDNS_URL="http://127.0.0.1:$api_port" POWERDNS_KEY="$key" POWERDNS_DNS="127.0.0.1:$dns_port"
if [ $# -gt 0 ]; then
  "$@"
else
  echo "export POWERDNS_URL=$POWERDNS_URL POWERDNS_KEY=$POWERDNS_KEY POWERDNS_DNS=$POWERDNS_DNS"
  wait "$pid"
fi
