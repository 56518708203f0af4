# Sourced by what needs OVN's programs: they come out of Debian's packages for this machine (30 MB, not installed).

# install_ovn NAME: OVN in the cache, on the PATH. NAME: the program that needs it.
install_ovn() {
  local said
  ovn="$cache/ovn"
  said=$(installed ovn unpack_ovn "$ovn" 2>&1) || skip "$1" "$said"
  export LD_LIBRARY_PATH="$ovn/usr/lib/$(uname -m)-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  export PATH="$ovn/usr/bin:$ovn/usr/sbin:$PATH"
  said=$(ovn-trace --version 2>&1) || skip "$1" "$said"
}

unpack_ovn() {
  local ovn=$1 package
  local packages=(openvswitch-common openvswitch-switch ovn-common ovn-central libunbound8 libxdp1 libbpf1)
  command -v apt-get >/dev/null && command -v dpkg >/dev/null || { echo "there is no apt-get" && return 1; }
  mkdir -p "$ovn/packages"
  cd "$ovn/packages"
  apt-get download -qq "${packages[@]}"
  for package in "$ovn"/packages/*.deb; do dpkg -x "$package" "$ovn"; done
  rm -r "$ovn/packages"
}
installers+=(unpack_ovn)

# start_ovn: its databases and northd on Unix sockets in $folder, which end with the script.
start_ovn() {
  local name
  for name in nb sb; do
    ovsdb-tool create "$folder/$name.db" "$ovn/usr/share/ovn/ovn-$name.ovsschema"
    ovn_background "$name" ovsdb-server --remote="punix:$folder/$name.sock" "$folder/$name.db"
  done
  export OVN_NB_DB="unix:$folder/nb.sock" OVN_SB_DB="unix:$folder/sb.sock"
  ovn_background northd ovn-northd --ovnnb-db="$OVN_NB_DB" --ovnsb-db="$OVN_SB_DB"
}

ovn_background() {
  local name=$1
  shift
  "$@" -vconsole:off --pidfile="$folder/$name.pid" --unixctl="$folder/$name.ctl" \
    --log-file="$folder/$name.log" --detach
  pids+=("$(cat "$folder/$name.pid")")
}
