# Sourced by what starts a program from PyPI.

# install_python NAME FOLDER MODULES PACKAGE...: a Python in the cache, as $venv, which has these modules.
# Where they cannot be installed with pip, says why and ends the script, with success if that is optional.
install_python() {
  local name=$1 modules=$3 said
  venv="$cache/$2"
  said=$(installed "$2" pip_install "$venv" "$modules" "${@:4}" 2>&1) || skip "$name" "$said"
}

pip_install() {
  local venv=$1 modules=$2
  shift 2
  command -v python3 >/dev/null || { echo "there is no python3" && return 1; }
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$@"
  "$venv/bin/python" -c "import $modules"
}
installers+=(pip_install)
