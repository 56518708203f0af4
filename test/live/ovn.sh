#!/usr/bin/env bash
# Starts the databases of OVN and its northd on Unix sockets: no kernel, no root, no port. They judge which
# packets arrive. Takes OVN out of Debian's packages into .build/ovn when it is not there (30 MB, not installed).
#
#   test/live/ovn.sh                                       prints the environment, serves until Ctrl-C
#   test/live/ovn.sh npx vitest run test/live/ovn          runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where OVN cannot be had: `npm run test:ovn`.
set -euo pipefail

optional=
if [ "${1:-}" = --optional ]; then
  optional=yes
  shift
fi

ovn="$(cd "$(dirname "$0")/../.." && pwd)/.build/ovn"

fetch_ovn() {
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "there is no apt-get" && return 1; }
  local packages=(openvswitch-common openvswitch-switch ovn-common ovn-central libunbound8 libxdp1 libbpf1)
  rm -rf "$ovn"
  mkdir -p "$ovn/packages"
  (cd "$ovn/packages" && apt-get download -qq "${packages[@]}") || return 1
  for package in "$ovn"/packages/*.deb; do dpkg -x "$package" "$ovn" || return 1; done
  rm -r "$ovn/packages"
}

export LD_LIBRARY_PATH="$ovn/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export PATH="$ovn/usr/bin:$ovn/usr/sbin:$PATH"
if ! [ -x "$ovn/usr/bin/ovn-trace" ] && ! said=$(fetch_ovn 2>&1) || ! said=$(ovn-trace --version 2>&1); then
  rm -rf "$ovn"
  echo "tests on OVN SKIPPED, OVN cannot be had: $(grep . <<<"$said" | tail -n 1)" >&2
  [ "$optional" ] && exit 0
  exit 1
fi

folder=$(mktemp -d)
stop() {
  for pid in "$folder"/*.pid; do
    if [ -f "$pid" ]; then kill "$(cat "$pid")" 2>/dev/null || true; fi
  done
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

background() {
  local name=$1
  shift
  "$@" -vconsole:off --pidfile="$folder/$name.pid" --unixctl="$folder/$name.ctl" \
    --log-file="$folder/$name.log" --detach
}
for name in nb sb; do
  ovsdb-tool create "$folder/$name.db" "$ovn/usr/share/ovn/ovn-$name.ovsschema"
  background "$name" ovsdb-server --remote="punix:$folder/$name.sock" "$folder/$name.db"
done
export OVN_NB_DB="unix:$folder/nb.sock" OVN_SB_DB="unix:$folder/sb.sock"
background northd ovn-northd --ovnnb-db="$OVN_NB_DB" --ovnsb-db="$OVN_SB_DB"

if [ $# -gt 0 ]; then
  "$@"
else
  echo "export PATH=$ovn/usr/bin:\$PATH LD_LIBRARY_PATH=$LD_LIBRARY_PATH OVN_NB_DB=$OVN_NB_DB OVN_SB_DB=$OVN_SB_DB"
  sleep infinity
fi
