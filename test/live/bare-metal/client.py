"""What sushy, Ironic's Redfish client, makes of a controller: a line of JSON for each thing that it tried."""

import json
import sys
import time

import sushy
from sushy import auth
from sushy.taskmonitor import TaskMonitor

url, kind, username, password = sys.argv[1:]
login = {"session": auth.SessionAuth, "basic": auth.BasicAuth}[kind]
image = "http://images.test/discovery.iso"


def attempt(name, work):
    try:
        said = work()
    except Exception as error:  # noqa: BLE001: each refusal is a finding
        said = f"{type(error).__name__}: {error}"
    print(json.dumps({"what": name, "said": said}), flush=True)


def power(wanted):
    for _ in range(200):
        system.refresh(force=True)
        if system.power_state.value == wanted:
            break
        time.sleep(0.05)
    return system.power_state.value


def boot(wanted):
    for _ in range(200):
        system.refresh(force=True)
        if system.boot.enabled.value == wanted:
            break
        time.sleep(0.05)
    return [system.boot.enabled.value, system.boot.target.value]


def switch(value, wanted):
    system.reset_system(value)
    return power(wanted)


def boot_from_media():
    system.set_system_boot_options(
        target=sushy.BOOT_SOURCE_TARGET_CD,
        enabled=sushy.BOOT_SOURCE_ENABLED_ONCE,
        mode=sushy.BOOT_SOURCE_MODE_UEFI,
    )
    return boot("Once")


def drive():
    try:
        drives = system.virtual_media
    except sushy.exceptions.MissingAttributeError:
        drives = system.managers[0].virtual_media
    return next(each for each in drives.get_members() if sushy.VIRTUAL_MEDIA_CD in each.media_types)


def insert():
    found = drive()
    found.insert_media(image)
    found.refresh(force=True)
    return [found.image, found.inserted]


def eject():
    found = drive()
    found.eject_media()
    time.sleep(0.5)
    found.refresh(force=True)
    return found.inserted


def drives():
    found = [drive for storage in system.storage.get_members() for drive in storage.drives]
    return [[each.serial_number, each.capacity_bytes, each.media_type, each.protocol and each.protocol.value] for each in found]


def erase():
    first = system.storage.get_members()[0].drives[0]
    action = first.json["Actions"]["#Drive.SecureErase"]
    named = "@Redfish.ActionInfo" in action or "SanitizationType@Redfish.AllowableValues" in action
    body = {"SanitizationType": "CryptographicErase"} if named else {}
    reply = system._conn.post(action["target"], data=body)
    if reply.status_code == 202:
        monitor = TaskMonitor.from_response(system._conn, reply, action["target"])
        monitor.wait(60)
        ended = monitor.response.json()
        return ended.get("TaskState") or ended.get("JobState")
    for _ in range(200):
        first.refresh(force=True)
        if not first.json["Operations"]:
            break
        time.sleep(0.05)
    return first.json["Operations"]


def versions():
    system.refresh(force=True)
    controller = system.managers[0]
    controller.refresh(force=True)
    return [controller.firmware_version, system.bios_version]


def update():
    before = versions()
    image = "http://images.test/bmc-7.10.bin"
    targets = [system.managers[0].path] if system.manufacturer == "Supermicro" else None
    service.get_update_service().simple_update(image, targets=targets)
    for _ in range(200):
        try:
            if versions() != before:
                break
        except Exception:  # noqa: BLE001: a controller that restarts does not answer
            pass
        time.sleep(0.1)
    return versions()


service = sushy.Sushy(f"{url}/redfish/v1", auth=login(username, password), verify=False)
system = service.get_system_collection().get_members()[0]
attempt("power", lambda: power("Off"))
attempt("macs", lambda: list(system.ethernet_interfaces.summary))
attempt("insert", insert)
attempt("boot", boot_from_media)
attempt("on", lambda: switch(sushy.RESET_ON, "On"))
attempt("after", lambda: boot("Disabled"))
attempt("memory", lambda: system.memory_summary.size_gib)
attempt("drives", drives)
attempt("erase", erase)
attempt("eject", eject)
attempt("off", lambda: switch(sushy.RESET_FORCE_OFF, "Off"))
attempt("versions", versions)
attempt("update", update)
