# Sourced by what starts a program from PyPI. Takes --optional off the arguments of the script that sources it.

optional=
if [ "${1:-}" = --optional ]; then
  optional=yes
  shift
fi

# install_python NAME FOLDER MODULES PACKAGE...: a Python under .build/FOLDER, as $venv, which has these modules.
# Where they cannot be installed with pip, says why and ends the script, with success if that is optional.
install_python() {
  local name=$1 modules=$3 said
  venv="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.build/$2"
  shift 3
  if "$venv/bin/python" -c "import $modules" 2>/dev/null || said=$(pip_install "$@" 2>&1); then return; fi
  rm -rf "$venv"
  echo "tests on $name SKIPPED, $name cannot be installed: $(grep . <<<"$said" | tail -n 1)" >&2
  [ "$optional" ] && exit 0
  exit 1
}

pip_install() {
  command -v python3 >/dev/null || { echo "there is no python3" && return 1; }
  python3 -m venv "$venv" || return 1
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$@"
}
