#!/usr/bin/env bash
# Starts the databases of OVN and its northd on Unix sockets: no kernel, no root, no port. They judge which
# packets arrive.
#
#   test/live/ovn.sh                                       prints the environment, serves until Ctrl-C
#   test/live/ovn.sh npx vitest run test/live/ovn          runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where OVN cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/ovn-programs.sh"

install_ovn OVN
start_ovn
runs "$(ovn-trace --version | sed -n 's/^ovn-trace \([0-9.]*\).*/OVN \1/p' | head -n 1)"

serve_or_run "PATH LD_LIBRARY_PATH OVN_NB_DB OVN_SB_DB" "$@"
