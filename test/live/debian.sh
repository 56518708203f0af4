# Sourced by what starts a program out of Debian's packages, which are unpacked and not installed.

# install_debian NAME FOLDER PACKAGE...: these packages of Debian, with all that they need, unpacked in the
# cache as $root. They are of the suite DEBIAN_SUITE, of unstable by default.
install_debian() {
  local name=$1 said
  root="$cache/$2"
  export DEBIAN_SUITE
  said=$(installed "$2" unpack_debian "$root" "${@:3}" 2>&1) || skip "$name" "$said"
}

# in_root PROGRAM ARGUMENT...: a program of $root with the libraries of $root, in place of the shell that calls it.
in_root() {
  local loader machine libraries
  loader=$(ls -d "$root"{/usr,}/lib/*/ld-linux*.so.* 2>/dev/null | head -n 1 || true)
  machine=$(basename "$(dirname "$loader")")
  libraries="$root/usr/lib/$machine:$root/lib/$machine:$root/usr/lib/$machine/kea"
  exec "$loader" --library-path "$libraries" "$root$1" "${@:2}"
}

# The packages come from where this machine has Debian's own.
unpack_debian() {
  local root=$1 apt="$cache/apt" source each
  shift
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "there is no apt-get" && return 1; }
  source=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/$') ||
    { echo "apt has no source of Debian's" && return 1; }
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
  exec {unpacking}>"$apt.lock"
  flock "$unpacking"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $source ${DEBIAN_SUITE:-unstable} main" >"$apt/sources.list"
  # Nothing counts as installed, so that all that is needed comes along.
  : >"$apt/status"
  cat >"$apt/apt.conf" <<CONF
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$apt/state";
Dir::State::status "$apt/status";
Dir::Cache "$apt/cache";
APT::Sandbox::User "$(id -un)";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
CONF
  apt-get -qq -c "$apt/apt.conf" update
  rm -f "$apt"/cache/archives/*.deb
  apt-get -qq -c "$apt/apt.conf" install --no-install-recommends --download-only -y "$@"
  for each in "$apt"/cache/archives/*.deb; do dpkg -x "$each" "$root"; done
  # Newer packages leave these to the system.
  for each in bin lib lib64 sbin; do [ -e "$root/$each" ] || ln -s "usr/$each" "$root/$each"; done
  rm -f "$apt"/cache/archives/*.deb
}
installers+=(unpack_debian)
