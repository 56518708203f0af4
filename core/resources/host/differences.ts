import { bounds, cut, firstOf, most } from "../../bounds.ts";
import { serialIn } from "../../ports/bare-metal/identity.ts";
import type { ReportedDisk, ReportedHardware } from "../../ports/hub/agents/hardware.ts";
import { wwnIn } from "../../ports/wwn.ts";
import type { Hardware } from "../host-type/model.ts";
import type { Host } from "./model.ts";
import type { ServerDifference } from "./server.ts";
import { serverOf } from "./server.ts";

/** The expected hardware of a host: its inventory entry, and the promises of its type. */
export interface Expected {
  host: Host;
  hardware: Hardware | undefined;
  /** The reported MAC addresses that belong to other hosts. */
  foreign: readonly string[];
}

const gib = 1024 ** 3;
/** The share of a promised size that is enough, because firmware uses some memory and units differ. */
const slack = 0.95;

/**
 * The differences, in words, between the hardware that an agent reports and the expected hardware. Pure. An
 * expected member that is missing in the report is a difference.
 */
export function differencesIn(found: ReportedHardware, expected: Expected): ServerDifference[] {
  const all = [
    ...fromInventory(found, expected),
    ...fromType(found, expected.hardware),
    ...unerased(found, expected),
  ];
  return firstOf(all, most.lines, (more) =>
    difference("others", "none", `${more} more differences`),
  );
}

/** Compares the serial number and the NICs with the inventory. */
function fromInventory(
  { macs, serial = "nothing" }: ReportedHardware,
  { host, foreign }: Expected,
): ServerDifference[] {
  const { nics, serial: wanted = serial } = host.spec;
  const missing = nics.filter(({ mac }) => !macs.includes(mac));
  return [
    ...(isSameSerial(serial, wanted) ? [] : [difference("serial number", wanted, serial)]),
    ...missing.map(({ name, mac }) => difference(`NIC ${name}`, mac, "no such address")),
    ...foreign.map((mac) => difference("NICs", "those of this host", `${mac} of another host`)),
  ];
}

/** Inventories write serial numbers in upper or lower case. */
const isSameSerial = (one: string, other: string): boolean => serialIn(one) === serialIn(other);

function fromType(found: ReportedHardware, hardware: Hardware = {}): ServerDifference[] {
  const { cpus, memory_gib: memory, disks, gpus } = hardware;
  const differences: ServerDifference[] = [];
  const compare = (isSo: boolean, ...said: Parameters<typeof difference>) => {
    if (!isSo) differences.push(difference(...said));
  };
  if (cpus !== undefined)
    compare(found.cpus === cpus, "cpus", String(cpus), String(found.cpus ?? "nothing"));
  if (memory !== undefined)
    compare(
      (found.memory ?? 0) >= memory * gib * slack,
      "memory_gib",
      String(memory),
      found.memory === undefined ? "nothing" : String(Math.round(found.memory / gib)),
    );
  for (const { count, min_gib: size } of disks ?? []) {
    const fit = found.disks.filter(({ bytes }) => bytes >= size * gib * slack).length;
    compare(fit >= count, "disks", `${count} of ${size} GiB`, `${fit} of that size`);
  }
  for (const { count, model } of gpus ?? []) {
    const fit = found.gpus.filter((name) =>
      name.toLowerCase().includes(model.toLowerCase()),
    ).length;
    compare(fit === count, "gpus", `${count} × ${model}`, `${fit}`);
  }
  return differences;
}

/**
 * Signs that not all drives were erased: a disk with a boot loader, or a disk that is not among the erased
 * drives.
 */
export function unerased(
  { disks }: ReportedHardware,
  { host }: Pick<Expected, "host">,
): ServerDifference[] {
  const written = disks.filter(({ isBootable }) => isBootable);
  const { drives = [] } = serverOf(host);
  const erased = new Set(drives.flatMap(namesOf));
  const isNamed = (disk: ReportedDisk) => namesOf(disk).length > 0;
  const others = disks.filter(
    (disk) => isNamed(disk) && !namesOf(disk).some((name) => erased.has(name)),
  );
  // A disk without a name may be any erased drive that no other disk matches.
  const unnamed = disks.filter((disk) => !isNamed(disk)).length;
  const found = new Set(disks.flatMap(namesOf));
  const unmet = drives.filter((drive) => !namesOf(drive).some((name) => found.has(name))).length;
  return [
    ...written.map(({ name }) => difference(`disk ${name}`, "erased", "something that boots")),
    ...others.map(({ name, serial, wwn }) =>
      difference(`disk ${name}`, "one that was erased", `serial number ${serial ?? wwn}`),
    ),
    ...(unnamed > unmet
      ? [
          difference(
            "disks without a serial number",
            `at most ${unmet}, which were erased`,
            String(unnamed),
          ),
        ]
      : []),
  ];
}

/**
 * The names by which a disk matches a drive: some systems report a World Wide Name as the serial number.
 * Placeholders for a missing serial number do not count.
 */
const namesOf = ({ serial, wwn }: Pick<ReportedDisk, "serial" | "wwn">): string[] =>
  [serial, wwn].flatMap((name) => (name && serialIn(name) !== undefined ? wwnIn(name) : []));

const difference = (field: string, expected: string, seen: string): ServerDifference => ({
  field: cut(field, bounds.name),
  expected: cut(expected, bounds.name),
  seen: cut(seen, bounds.name),
});
