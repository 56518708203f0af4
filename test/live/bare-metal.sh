#!/usr/bin/env bash
# Starts what can judge our bare metal adapters and our simulated controllers, on loopback: OpenStack's
# Ironic without a cloud, and the controller that sushy-tools emulates. Installs them into the
# cache with pip when they are not there (320 MB); that brings sushy too, the Redfish client of Ironic.
#
#   test/live/bare-metal.sh                                         prints the environment, serves until Ctrl-C
#   test/live/bare-metal.sh npx vitest run test/live/bare-metal     runs the command in it, then stops
#
# With --optional before the command it says why and succeeds where they cannot be had: `npm run test:live`.
set -euo pipefail

source "$(dirname "$0")/program.sh"
source "$(dirname "$0")/python.sh"
install_python Ironic ironic 'ironic, sushy, sushy_tools' 'ironic==39.0.0' 'sushy==5.14.0' 'sushy-tools==2.2.0'

read -r emulator ironic images < <(free_ports 3)

mkdir "$folder/state" "$folder/images"
cat >"$folder/emulator.py" <<PYTHON
SUSHY_EMULATOR_LISTEN_IP = "127.0.0.1"
SUSHY_EMULATOR_LISTEN_PORT = $emulator
SUSHY_EMULATOR_FEATURE_SET = "full"
SUSHY_EMULATOR_STATE_DIR = "$folder/state"
SUSHY_EMULATOR_FAKE_SYSTEMS = [{
    "uuid": "7f5a4c1e-3b52-4d3a-9a53-5c0e1f3b6a01",
    "name": "node-1",
    "power_state": "Off",
    "external_notifier": False,
    "nics": [{"mac": "52:54:00:12:34:56", "ip": "10.0.0.1"}],
}]
SUSHY_EMULATOR_STORAGE = {"7f5a4c1e-3b52-4d3a-9a53-5c0e1f3b6a01": [{
    "Id": "1",
    "Name": "Storage",
    "StorageControllers": [{"MemberId": "0", "Name": "RAID", "SpeedGbps": 12}],
    "Drives": ["bay-1", "bay-2"],
}]}
SUSHY_EMULATOR_DRIVES = {("7f5a4c1e-3b52-4d3a-9a53-5c0e1f3b6a01", "1"): [
    {"Id": "bay-1", "Name": "Drive 1", "CapacityBytes": 899527000000, "Protocol": "SAS"},
    {"Id": "bay-2", "Name": "Drive 2", "CapacityBytes": 12345670000, "Protocol": "SATA"},
]}
PYTHON
cat >"$folder/ironic.conf" <<INI
[DEFAULT]
auth_strategy = noauth
rpc_transport = none
host = localhost
my_ip = 127.0.0.1
state_path = $folder
enabled_hardware_types = redfish
enabled_boot_interfaces = redfish-virtual-media
enabled_deploy_interfaces = direct,ramdisk
enabled_bios_interfaces = no-bios,redfish
enabled_firmware_interfaces = no-firmware,redfish
enabled_inspect_interfaces = no-inspect,redfish,agent
enabled_management_interfaces = redfish
enabled_power_interfaces = redfish
enabled_raid_interfaces = no-raid,redfish,agent
enabled_rescue_interfaces = no-rescue,agent
enabled_vendor_interfaces = no-vendor,redfish
enabled_console_interfaces = no-console
enabled_network_interfaces = noop
enabled_storage_interfaces = noop
[database]
connection = sqlite:///$folder/ironic.sqlite
[api]
host_ip = 127.0.0.1
port = $ironic
[deploy]
http_root = $folder/images
http_url = http://127.0.0.1:$images
[oslo_concurrency]
lock_path = $folder
INI

"$venv/bin/sushy-emulator" --fake --config "$folder/emulator.py" >"$folder/emulator.log" 2>&1 &
pids+=($!)
"$venv/bin/ironic-dbsync" --config-file "$folder/ironic.conf" create_schema >"$folder/ironic.log" 2>&1
"$venv/bin/ironic" --config-file "$folder/ironic.conf" >>"$folder/ironic.log" 2>&1 &
pids+=($!)

export SUSHY_PYTHON="$venv/bin/python" SUSHY_EMULATOR_URL="http://127.0.0.1:$emulator" IRONIC_URL="http://127.0.0.1:$ironic"
until_true 60 Ironic answers "$SUSHY_EMULATOR_URL/redfish/v1/"
until_true 60 Ironic answers "$IRONIC_URL/v1/"
runs "$("$venv/bin/python" -c '
from importlib.metadata import version
print(", ".join(f"{name} {version(name)}" for name in ["ironic", "sushy", "sushy-tools"]))')"

serve_or_run "SUSHY_PYTHON SUSHY_EMULATOR_URL IRONIC_URL" "$@"
