#!/usr/bin/env bash
# Starts OpenStack's Keystone and Neutron on loopback, without agents and without root: Neutron drives OVN's
# databases, and switches by networking-generic-switch, whose own stand-in takes the place of a switch. Installs them
# and MariaDB into the cache (500 MB), with the migrated databases, which take minutes the first time.
#
#   test/live/neutron.sh                                          prints the environment, serves until Ctrl-C
#   test/live/neutron.sh npx vitest run test/live/neutron         runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where they cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/python.sh"
source "$(dirname "$0")/debian.sh"
source "$(dirname "$0")/ovn-programs.sh"

packages=('keystone>=30,<31' 'neutron>=29,<30' 'networking-generic-switch>=8,<10' pymysql 'uwsgi>=2.0.30,<2.1')
install_python Neutron neutron 'neutron, keystone, pymysql, networking_generic_switch' "${packages[@]}"
install_debian Neutron mariadb mariadb-server-core
install_ovn Neutron

# mariadb FOLDER: with the database of this folder, in place of the shell that calls it.
mariadb() {
  in_root /usr/sbin/mariadbd --no-defaults --basedir="$root/usr" --lc-messages-dir="$root/usr/share/mariadb" \
    --character-sets-dir="$root/usr/share/mariadb/charsets" --datadir="$1/mariadb" \
    --socket="$folder/mariadb.sock" --pid-file="$folder/mariadb.pid" --skip-networking --skip-grant-tables \
    --user="$(id -un)" --innodb-buffer-pool-size=64M --innodb-log-file-size=16M --aria-log-file-size=8M \
    --innodb-flush-log-at-trx-commit=0 >"$folder/mariadb.log" 2>&1
}

# configure FOLDER: writes the files of both services; FOLDER has their databases.
configure() {
  cat >"$folder/keystone.conf" <<INI
[DEFAULT]
log_file = $folder/keystone.log
[database]
connection = sqlite:///$1/keystone.sqlite
[fernet_tokens]
key_repository = $1/fernet
[credential]
key_repository = $1/credential
INI
  cat >"$folder/neutron.conf" <<INI
[DEFAULT]
log_file = $folder/neutron.log
api_paste_config = $venv/etc/neutron/api-paste.ini
core_plugin = ml2
service_plugins = ovn-router,trunk,port_forwarding,segments,qos
transport_url = fake://
rpc_workers = 0
rpc_state_report_workers = 0
auth_strategy = keystone
state_path = $folder/neutron
[nova]
auth_type = none
[database]
connection = mysql+pymysql://root@localhost/neutron?unix_socket=$folder/mariadb.sock
[keystone_authtoken]
www_authenticate_uri = http://127.0.0.1:$keystone
auth_url = http://127.0.0.1:$keystone
auth_type = password
username = admin
password = $(cat "$1/password")
project_name = admin
user_domain_id = default
project_domain_id = default
[oslo_concurrency]
lock_path = $folder/locks
[quotas]
quota_network = -1
quota_subnet = -1
quota_port = -1
quota_router = -1
quota_floatingip = -1
quota_security_group = -1
quota_security_group_rule = -1
INI
  cat >"$folder/ml2.ini" <<INI
[ml2]
type_drivers = flat,vlan,geneve
tenant_network_types = vlan
mechanism_drivers = ovn,genericswitch
extension_drivers = port_security,dns,qos
[ml2_type_vlan]
network_vlan_ranges = physnet1:100:199
[ml2_type_flat]
flat_networks = public
[ml2_type_geneve]
vni_ranges = 1:65536
max_header_size = 38
[securitygroup]
enable_security_group = true
[ovn]
ovn_nb_connection = unix:$folder/nb.sock
ovn_sb_connection = unix:$folder/sb.sock
[genericswitch:leaf-a1]
device_type = netmiko_fake
ngs_mac_address = 02:00:00:00:0a:01
ip = 127.0.0.1
[genericswitch:leaf-a2]
device_type = netmiko_fake
ngs_mac_address = 02:00:00:00:0a:02
ip = 127.0.0.1
INI
}

# migrate FOLDER PACKAGE...: makes the databases of both services there, of these packages.
migrate() {
  local made=$1 conf="$folder/keystone.conf" pid
  mkdir -p "$made/mariadb" "$made/fernet" "$made/credential"
  (umask 077 && "$venv/bin/python" -c 'import secrets; print(secrets.token_hex(16), end="")' >"$made/password")
  configure "$made"
  "$venv/bin/keystone-manage" --config-file "$conf" db_sync
  for each in fernet credential; do
    "$venv/bin/keystone-manage" --config-file "$conf" "${each}_setup" \
      --keystone-user "$(id -un)" --keystone-group "$(id -gn)"
  done
  OS_BOOTSTRAP_PASSWORD=$(cat "$made/password") "$venv/bin/keystone-manage" --config-file "$conf" bootstrap
  mariadb "$made" &
  pid=$!
  for ((tenth = 0; tenth < 600; tenth++)); do [ -S "$folder/mariadb.sock" ] && break || sleep 0.1; done
  "$venv/bin/python" - "$folder/mariadb.sock" <<'PYTHON'
import pymysql, sys
pymysql.connect(unix_socket=sys.argv[1], user="root").cursor().execute("CREATE DATABASE neutron")
PYTHON
  "$venv/bin/neutron-db-manage" --config-file "$folder/neutron.conf" --config-file "$folder/ml2.ini" upgrade heads
  kill "$pid"
  wait "$pid" || true
}
installers+=(in_root mariadb configure migrate)

read -r keystone neutron < <(free_ports 2)
export folder root venv keystone
said=$(installed neutron-databases migrate "$cache/neutron-databases" "${packages[@]}" 2>&1) || skip Neutron "$said"

cp -r "$cache/neutron-databases" "$folder/databases"
configure "$folder/databases"
start_ovn
mariadb "$folder/databases" &
pids+=($!)
uwsgi() {
  local port=$1 module=$2
  shift 2
  "$venv/bin/uwsgi" --master --die-on-term --need-app --lazy-apps --processes 1 --threads 4 --enable-threads \
    --http-socket "127.0.0.1:$port" --buffer-size 65535 --add-header "Connection: close" --set-ph "start-time=%t" --module "$module.wsgi.api:application" \
    --pyargv "$*" >"$folder/$module-uwsgi.log" 2>&1 &
  pids+=($!)
}
uwsgi "$keystone" keystone --config-file "$folder/keystone.conf"
until_true 60 Neutron test -S "$folder/mariadb.sock"
uwsgi "$neutron" neutron --config-file "$folder/neutron.conf" --config-file "$folder/ml2.ini"
until_true 90 Neutron answers "http://127.0.0.1:$keystone/v3"
until_true 120 Neutron answers "http://127.0.0.1:$neutron/"

# A gateway chassis, and what its controller would do there: it says of each bare-metal port that it is up.
ovn-sbctl --db="$OVN_SB_DB" chassis-add gateway geneve 127.0.0.1 -- set Chassis gateway \
  other_config:ovn-cms-options=enable-chassis-as-gw other_config:ovn-bridge-mappings=physnet1:br-ex,public:br-pub
chassis() {
  local port
  while sleep 0.3; do
    for port in $(ovn-sbctl --db="$OVN_SB_DB" --bare --columns=logical_port find Port_Binding type=external 'up!=true'); do
      ovn-sbctl --db="$OVN_SB_DB" set Port_Binding "$port" up=true \
        chassis="$(ovn-sbctl --db="$OVN_SB_DB" --bare --columns=_uuid find Chassis name=gateway)"
    done
  done
}
chassis >"$folder/chassis.log" 2>&1 &
pids+=($!)

export NEUTRON_AUTH_URL="http://127.0.0.1:$keystone" NEUTRON_CLOUD="$folder/cloud.json"
(umask 077 && "$venv/bin/python" "$live/neutron/cloud.py" "$NEUTRON_AUTH_URL" "http://127.0.0.1:$neutron" \
  <"$folder/databases/password" >"$NEUTRON_CLOUD" 2>"$folder/cloud.log") ||
  { grep -h -A30 -m1 " ERROR " "$folder/neutron.log" | without_hosts >&2; skip Neutron "$(cat "$folder/cloud.log")"; }
runs "$("$venv/bin/pip" list 2>/dev/null | awk '/^(keystone|neutron|networking-generic-switch) / { printf "%s%s %s", (n++ ? ", " : ""), $1, $2 }'), MariaDB and OVN"

serve_or_run "NEUTRON_AUTH_URL NEUTRON_CLOUD" "$@"
