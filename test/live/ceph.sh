#!/usr/bin/env bash
# Starts a Ceph cluster on loopback, out of Debian's packages (720 MB in the cache): a monitor, a manager with its
# dashboard, and one OSD whose data lies in memory. As root, in a root folder and a mount namespace of its own.
#
#   test/live/ceph.sh                                       prints the environment, serves until Ctrl-C
#   test/live/ceph.sh npx vitest run test/live/ceph         runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where Ceph cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/debian.sh"

[ "$(id -u)" = 0 ] || skip Ceph "only root may change the root folder"
unshare --mount mount -t tmpfs tmpfs /mnt 2>/dev/null || skip Ceph "this machine allows no mounts in a mount namespace"
install_debian Ceph ceph ceph-mon ceph-mgr ceph-osd ceph-mgr-dashboard ceph-common bash coreutils python3-six

# within_root COMMAND...: in place of the shell that calls it; /mnt in there is $folder.
within_root() {
  exec unshare --mount bash -c '
    set -e
    root=$1 folder=$2
    shift 2
    mkdir -p "$root/mnt" "$root/proc" "$root/dev" "$root/tmp"
    mount --bind "$folder" "$root/mnt"
    mount --bind /proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp"
    exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin HOME=/mnt LC_ALL=C.UTF-8 CEPH_CONF=/mnt/ceph.conf "$@"
  ' within_root "$root" "$folder" "$@"
}
in_ceph() { (within_root "$@"); }

[ -s "$root/etc/passwd" ] || echo "root:x:0:0:root:/:/bin/sh" >"$root/etc/passwd"
# With Python 3.14 the list of users answers 500: what it asks for the hints of is an instance.
crud="$root/usr/share/ceph/mgr/dashboard/controllers/_crud.py"
sed -i 's/get_type_hints(o)/get_type_hints(type(o))/' "$crud"

read -r mon_port dashboard < <(free_ports 2)
fsid=$("$node" -p 'crypto.randomUUID()')
password=$("$node" -p 'require("node:crypto").randomBytes(12).toString("hex")')
mkdir -p "$folder"/{mon,mgr,osd,run,log}
cat >"$folder/ceph.conf" <<CONF
[global]
fsid = $fsid
mon_host = v1:127.0.0.1:$mon_port/0
mon_data = /mnt/mon
mgr_data = /mnt/mgr
osd_data = /mnt/osd
run_dir = /mnt/run
admin_socket =
log_file = /mnt/\$name.log
mon_cluster_log_file = /mnt/cluster.log
pid_file =
keyring = /mnt/keyring
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_allow_insecure_global_id_reclaim = false
mon_allow_pool_size_one = true
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_crush_chooseleaf_type = 0
mon_data_avail_crit = 1
[mgr.x]
keyring = /mnt/mgr/keyring
[osd.0]
keyring = /mnt/osd/keyring
CONF
in_ceph ceph-authtool --create-keyring /mnt/keyring --gen-key -n mon. --cap mon 'allow *' >/dev/null
in_ceph ceph-authtool /mnt/keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' --cap mds 'allow *'
in_ceph monmaptool --create --fsid "$fsid" --addv a "[v1:127.0.0.1:$mon_port]" /mnt/monmap >/dev/null
in_ceph ceph-mon --mkfs -i a --monmap /mnt/monmap --keyring /mnt/keyring
daemon() {
  within_root "$@" >>"$folder/daemons.log" 2>&1 &
  pids+=($!)
}
daemon ceph-mon -f -i a
until_true 60 Ceph in_ceph timeout 5 ceph -s
in_ceph ceph auth get-or-create mgr.x mon 'allow profile mgr' osd 'allow *' mds 'allow *' >"$folder/mgr/keyring"
in_ceph ceph config set --force mgr mgr/dashboard/ssl false
in_ceph ceph config set --force mgr mgr/dashboard/server_addr 127.0.0.1
in_ceph ceph config set --force mgr mgr/dashboard/server_port "$dashboard"
daemon ceph-mgr -f -i x
osd=$(in_ceph ceph osd create)
in_ceph ceph auth get-or-create "osd.$osd" mon 'allow profile osd' mgr 'allow profile osd' osd 'allow *' >"$folder/osd/keyring"
in_ceph ceph-osd -i "$osd" --mkfs >>"$folder/daemons.log" 2>&1
in_ceph ceph osd crush add "osd.$osd" 1 root=default host=here
daemon ceph-osd -f -i "$osd"
in_ceph ceph mgr module enable dashboard --force
in_ceph ceph osd pool create clusters 8
until_true 60 Ceph in_ceph timeout 20 rbd pool init clusters
in_ceph ceph config set --force mgr mgr/dashboard/PWD_POLICY_ENABLED false
echo "$password" >"$folder/password"
until_true 60 Ceph in_ceph ceph dashboard ac-user-create --force-password slipway -i /mnt/password administrator
export CEPH_URL="http://127.0.0.1:$dashboard" CEPH_USER=slipway CEPH_PASSWORD="$password" CEPH_POOL=clusters
until_true 60 Ceph answers "$CEPH_URL/"
# What a client has that is given a user: rbd, with the cluster's configuration and its folder as /mnt.
{
  echo "#!/usr/bin/env bash"
  declare -p root folder
  declare -f within_root
  echo 'within_root rbd "$@"'
} >"$folder/rbd"
chmod +x "$folder/rbd"
export CEPH_RBD="$folder/rbd"
runs "$(in_ceph ceph --version | sed -n 's/^ceph version \([0-9.]*\).* \([a-z]*\) (.*/Ceph \1 \2/p')"

serve_or_run "CEPH_URL CEPH_USER CEPH_PASSWORD CEPH_POOL CEPH_RBD" "$@"
