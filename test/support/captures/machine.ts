import type { MachineDrive } from "../../../sim/bmc/hardware.ts";
import { type Capture, isDrive, linksIn, type Resource, within } from "./capture.ts";

/** The machine that a capture tells of. */

/** By which a drive is known under each of its paths. */
export const keyOf = (drive: Resource): string =>
  String(drive.SerialNumber || drive.Id || drive["@odata.id"]).trim();

const protocols = { NVMe: "NVMe", PCIe: "NVMe", SATA: "SATA", SAS: "SAS" } as const;
const isProtocol = (name: string): name is keyof typeof protocols => name in protocols;

/** Its drives, each once. */
export function drivesIn(capture: Capture): MachineDrive[] {
  const drives = [...capture.values()].filter(isDrive);
  const machines = drives.map((drive): [string, MachineDrive] => {
    const protocol = String(drive.Protocol);
    return [
      keyOf(drive),
      {
        id: keyOf(drive),
        name: String(drive.Name),
        serial: String(drive.SerialNumber ?? ""),
        model: String(drive.Model ?? "unknown"),
        protocol: isProtocol(protocol) ? protocols[protocol] : "NVMe",
        media: drive.MediaType === "HDD" ? "HDD" : "SSD",
        bytes: Number(drive.CapacityBytes ?? 1),
        methods: ["cryptographic", "block"],
      },
    ];
  });
  return [...new Map(machines).values()];
}

/** The MAC addresses of a system, in lower case. */
export function macsIn(capture: Capture, system: string): string[] {
  const [nics] = linksIn(capture.get(system)?.EthernetInterfaces);
  const members = linksIn(capture.get(nics ?? "")?.Members);
  const macs = members.map((path) => capture.get(path)?.MACAddress);
  return [
    ...new Set(macs.flatMap((mac) => (typeof mac === "string" && mac ? [mac.toLowerCase()] : []))),
  ];
}

/** The resources that take a change of `Boot`, the settings first where they show an override. */
export function bootPaths(capture: Capture, system: string): string[] {
  const settings = within(capture.get(system)?.["@Redfish.Settings"]).SettingsObject;
  const [path] = linksIn(settings);
  const boot = within(capture.get(path ?? "")?.Boot);
  return path !== undefined && "BootSourceOverrideTarget" in boot ? [path] : [system];
}
