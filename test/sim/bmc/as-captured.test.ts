import { describe, expect, it } from "vitest";
import { SimulatedBmcs } from "../../../sim/bmc/bmcs.ts";
import type { Ways } from "../../../sim/bmc/profiles.ts";
import { openDatabase } from "../../../sim/database.ts";
import { Faults } from "../../../sim/faults.ts";
import {
  allowedIn,
  type Capture,
  type CaptureName,
  haveCaptures,
  linksIn,
  type Resource,
  readCapture,
  within,
} from "../../support/captures/capture.ts";
import { isSlot } from "../../support/captures/controller.ts";
import { makers } from "../../support/captures/makers.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

/** A simulated controller shows nothing that the real one of its maker does not, but what is named here with its reason. */

const erasure = "newer firmware announces it (DSP2046, Drive 1.3); the captured one erases nothing";
const httpBoot =
  "other firmware of the maker takes the URL by standard; the captured one by none, or by its BIOS, which Slipway does not write";
const settings = {
  dell: "iDRAC 10 takes the override there, by a task",
  lenovo: "ThinkEdge SE450 takes the override there (openstack/sushy)",
};

/** Members and values that are shown beyond a capture, and why. */
const beyond: Record<Ways, Record<string, string>> = {
  dell: {
    "ComputerSystem Boot.HttpBootUri": httpBoot,
    "Settings Boot.HttpBootUri": httpBoot,
    "Settings Boot.BootSourceOverrideEnabled": settings.dell,
    "Settings Boot.BootSourceOverrideTarget": settings.dell,
    "Settings Boot.BootSourceOverrideTarget@Redfish.AllowableValues": settings.dell,
    "Drive Oem.Dell.DellPhysicalDisk.SystemEraseCapability":
      "of SAS and SATA drives; those captured have NVMe",
  },
  hpe: {
    "ComputerSystem Boot.HttpBootUri": httpBoot,
    "Chassis Drives": "iLO 6 has drives there too",
    "Drive Actions.#Drive.SecureErase": erasure,
    "Drive Actions.#Drive.SecureErase.target": erasure,
  },
  supermicro: {
    "ComputerSystem Boot.HttpBootUri": httpBoot,
    "Drive Operations": erasure,
    "Drive Actions.#Drive.SecureErase": erasure,
    "Drive Actions.#Drive.SecureErase.target": erasure,
    "Drive Actions.#Drive.SecureErase.@Redfish.ActionInfo": erasure,
  },
  lenovo: {
    "ComputerSystem Boot.HttpBootUri": httpBoot,
    "Settings Boot.HttpBootUri": httpBoot,
    "Settings Boot.BootSourceOverrideEnabled": settings.lenovo,
    "Settings Boot.BootSourceOverrideMode": settings.lenovo,
    "Settings Boot.BootSourceOverrideTarget": settings.lenovo,
    "Settings Boot.BootSourceOverrideTarget@Redfish.AllowableValues": settings.lenovo,
    "boot from UefiHttp": httpBoot,
    "Drive Operations": erasure,
    "Drive Actions": erasure,
    "Drive Actions.#Drive.SecureErase": erasure,
    "Drive Actions.#Drive.SecureErase.target": erasure,
    "Drive Actions.#Drive.SecureErase.SanitizationType@Redfish.AllowableValues": erasure,
  },
  bluefield: {},
};

/** Captures leave these out, whatever the controller has. */
const leftOut: ReadonlySet<string> = new Set([
  ...["ProcessorCollection", "Processor", "DriveCollection", "ActionInfo"],
  ...["SoftwareInventoryCollection", "SoftwareInventory"],
]);

/** Everything that a simulated controller shows, by its paths. */
async function shownBy(vendor: Ways): Promise<Capture> {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const sim = new SimulatedBmcs({ database, clock, wall: clock, faults: new Faults(database) });
  const drives = vendor === "bluefield" && { drives: [] };
  const machine = { id: "a", controller: "bmc.test", vendor, serial: "S", ...drives };
  sim.add({ ...machine, macs: ["52:54:00:00:00:01"] });
  const { username, password } = sim.credential;
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const headers = { authorization: `Basic ${basic}` };
  const shown = new Map<string, Resource>();
  const read = async (path: string): Promise<void> => {
    if (shown.has(path)) return;
    const response = await sim.handle(new Request(`https://bmc.test${path}`, { headers }));
    // Actions are no resources.
    if (response.status !== 200) return;
    const resource = within(await response.json());
    shown.set(path, resource);
    for (const link of JSON.stringify(resource).match(/"\/redfish\/v1[^"]*"/g) ?? [])
      await read(String(JSON.parse(link)).replace(/\/$/, ""));
  };
  await read("/redfish/v1");
  return shown;
}

const isLink = (value: object): boolean => "@odata.id" in value;

/** The members of a resource, those of objects in it with a dot. */
function membersOf(resource: Resource, before = ""): string[] {
  return Object.entries(resource).flatMap(([name, value]) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const inside = isObject && !isLink(value) ? membersOf(within(value), `${before}${name}.`) : [];
    return [`${before}${name}`, ...inside];
  });
}

/** What resources are of one kind: the pending settings of a system are not the system. */
function kindOf(capture: Capture, system: string, [path, resource]: [string, Resource]): string {
  const [pending] = linksIn(within(capture.get(system)?.["@Redfish.Settings"]).SettingsObject);
  const type = String(resource["@odata.type"]).replace(/^#|\..*$/g, "");
  return path === pending ? "Settings" : type;
}

/** The members of each kind of resource. */
function membersByKind(capture: Capture, system: string): Set<string> {
  return new Set(
    [...capture].flatMap((each) => {
      const kind = kindOf(capture, system, each);
      return leftOut.has(kind) ? [] : membersOf(each[1]).map((member) => `${kind} ${member}`);
    }),
  );
}

/** The values that a system announces for its resets and its sources of boots. */
function announcedBy(capture: Capture, system: string): string[] {
  const { Actions, Boot, ...rest } = capture.get(system) ?? {};
  const reset = within(within(Actions)["#ComputerSystem.Reset"]);
  const [pending] = linksIn(within(rest["@Redfish.Settings"]).SettingsObject);
  const boots = [Boot, capture.get(pending ?? "")?.Boot].flatMap(
    (each) => allowedIn(capture, within(each), "BootSourceOverrideTarget") ?? [],
  );
  return [
    ...(allowedIn(capture, reset, "ResetType") ?? []).map((type) => `reset ${type}`),
    ...new Set(boots.map((target) => `boot from ${target}`)),
  ];
}

const slotsOf = (capture: Capture): string[] =>
  [...capture].flatMap(([path, slot]) =>
    isSlot(slot) ? [`${path} ${JSON.stringify(slot.MediaTypes)}`] : [],
  );

describe.skipIf(!haveCaptures())("a simulated controller", () => {
  it.each<[Ways, CaptureName]>([
    ["dell", "dell-multi-dpu"],
    ["hpe", "hpe"],
    ["supermicro", "supermicro"],
    ["lenovo", "lenovo"],
    ["bluefield", "nvidia-dpu"],
  ])("of %s shows what was captured of %s, and nothing else", async (vendor, name) => {
    const { system } = makers[name];
    const [shown, capture] = [await shownBy(vendor), readCapture(name)];
    const known = new Set([...membersByKind(capture, system), ...announcedBy(capture, system)]);
    const all = [...membersByKind(shown, system), ...announcedBy(shown, system)];
    const more = all.filter((each) => !known.has(each));
    expect(more.toSorted()).toEqual(Object.keys(beyond[vendor]).toSorted());
    // Who announces values announces all of them.
    const announced = new Set(announcedBy(shown, system));
    expect(announcedBy(capture, system).filter((each) => !announced.has(each))).toEqual([]);
    const slots = new Set(slotsOf(capture));
    expect(slotsOf(shown).filter((each) => !slots.has(each))).toEqual([]);
  });

  it("of a BlueField-3 has no virtual media, and null for the members of its storage", async () => {
    const shown = await shownBy("bluefield");
    expect([...shown.keys()].filter((path) => path.includes("VirtualMedia"))).toEqual([]);
    expect(shown.get("/redfish/v1/Systems/Bluefield/Storage")).toMatchObject({ Members: null });
  });
});
