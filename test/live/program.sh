# Sourced by what starts a real program. Takes --optional off the arguments of the script that sources it.
#
# What a script installs lies in a cache of the user's, so that another clone and the next run find it there. One
# run at a time installs; what was asked for stands in a file beside it, so that another version is installed anew.

optional=
if [ "${1:-}" = --optional ]; then
  optional=yes
  shift
fi

live="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cache="${XDG_CACHE_HOME:-$HOME/.cache}/slipway/live"
node="$live/../../node_modules/.bin/node"
[ -x "$node" ] || node=node

# reports FIELD WORDS: for whoever runs several programs, and prints a table of them (test/live/run.ts).
reports() {
  if [ -n "${LIVE_REPORT:-}" ]; then printf '%s\t%s\n' "$1" "$2" >>"$LIVE_REPORT"; fi
}

# runs WORDS: the program that is up, with its version.
runs() {
  reports program "$1"
  echo "$1" >&2
}

# without_hosts: its input without names of hosts. What apt and pip say names where this machine has its packages from.
without_hosts() {
  sed -E -e "s|(https?://)[^]/ \"'<>)]*|\\1…|g" -e "s/(host=')[^']*/\\1…/g" -e "s/(resolve ')[^']*/\\1…/g" \
    -e 's/(connect to )[^ ]+( \([^)]*\))?/\1…/g'
}

# skip NAME WHY: says why, and ends the script, with success if the program is optional.
skip() {
  local why
  why="$(grep . <<<"$2" | tail -n 1 | without_hosts)"
  reports skipped "$1: $why"
  echo "tests on $1 SKIPPED, $1 cannot be had: $why" >&2
  [ "$optional" ] && exit 0
  exit 1
}

# installed FOLDER COMMAND...: runs the command, which installs into $cache/FOLDER, unless it has succeeded before.
# Prints why it failed. A command that takes longer than INSTALL_LIMIT seconds has failed.
installed() {
  local folder="$cache/$1" wanted="$*" code=0
  shift
  mkdir -p "$cache"
  exec {lock}>"$folder.lock"
  flock "$lock"
  if [ "$(cat "$folder/.installed" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$folder"
    mkdir -p "$folder"
    within "${INSTALL_LIMIT:-480}" "$@" && echo "$wanted" >"$folder/.installed" || code=$?
    [ $code != 124 ] || echo "it took longer than ${INSTALL_LIMIT:-480} s to install"
    [ $code = 0 ] || rm -rf "$folder"
  fi
  exec {lock}>&-
  return $code
}

# within SECONDS COMMAND...: also where the command is a function of ours.
within() {
  local limit=$1
  shift
  export -f "${installers[@]}"
  export cache live
  timeout "$limit" nice bash -c 'set -euo pipefail; "$@"' within "$@"
}
installers=()

# free_ports COUNT: prints ports that are free now.
free_ports() {
  "$node" -e '
    const { createServer } = require("node:net");
    const servers = Array.from({ length: Number(process.argv[1]) }, () => createServer());
    const ports = servers.map((server) => new Promise((done) => {
      server.listen(0, "127.0.0.1", () => done(server.address().port));
    }));
    Promise.all(ports).then((all) => {
      console.log(all.join(" "));
      for (const server of servers) server.close();
    });' "$1"
}

# answers URL: whether something answers there, whatever it says.
answers() {
  "$node" -e 'fetch(process.argv[1]).then(() => process.exit(0), () => process.exit(1))' "$1"
}

# What ends with the script: processes by their ids, the last first, and a folder for what they write.
folder=$(mktemp -d)
pids=()
stop() {
  local n
  for ((n = ${#pids[@]} - 1; n >= 0; n--)); do
    kill "${pids[n]}" 2>/dev/null && wait "${pids[n]}" 2>/dev/null || true
  done
  if declare -F at_stop >/dev/null; then at_stop; fi
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

# until_true SECONDS WORDS COMMAND...: waits; where a process has ended, or the time is over, skips with what was logged.
# WORDS: the name of the program.
until_true() {
  local limit=$1 name=$2 pid
  shift 2
  for ((tenth = 0; tenth < limit * 10; tenth++)); do
    if "$@" >/dev/null 2>&1; then return; fi
    for pid in "${pids[@]}"; do kill -0 "$pid" 2>/dev/null || break 2; done
    sleep 0.1
  done
  tail -n 12 "$folder"/*.log | without_hosts >&2 || true
  skip "$name" "it was not ready after $limit s, or ended"
}

# serve_or_run "EXPORTS" COMMAND...: runs the command in the environment, or prints it and serves until Ctrl-C.
serve_or_run() {
  local names=$1 name
  shift
  if [ $# -gt 0 ]; then
    "$@"
    return
  fi
  for name in $names; do printf 'export %s=%q\n' "$name" "${!name}"; done
  sleep infinity
}
