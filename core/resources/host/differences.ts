import { bounds, cut, firstOf, most } from "../../bounds.ts";
import { serialIn } from "../../ports/bare-metal/identity.ts";
import type { ReportedDisk, ReportedHardware } from "../../ports/hub/agents/hardware.ts";
import { wwnIn } from "../../ports/wwn.ts";
import type { Hardware } from "../host-type/model.ts";
import type { Host } from "./model.ts";
import type { ServerDifference } from "./server.ts";
import { serverOf } from "./server.ts";

/** What a host should be: its entry in the inventory, what its type promises, and MAC addresses of others. */
export interface Expected {
  host: Host;
  hardware: Hardware | undefined;
  /** The reported MAC addresses that are those of other hosts. */
  foreign: readonly string[];
}

const gib = 1024 ** 3;
/** The share of a promised size that firmware and units may take up. */
const slack = 0.95;

/**
 * How the hardware that an agent reports differs from what is expected, in words. Pure. A member that the
 * agent has not reported is a difference where something is expected of it.
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

/** The serial number and the NICs are those of the inventory. */
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

/** Inventories have them in either case. */
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

/** What somebody may have left there: something on a disk boots, or a disk is no drive that was erased. */
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
  // One that nothing names can be any drive that no other disk is.
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
 * The names by which a disk is known as a drive: a system may tell a World Wide Name as a serial number. One that nobody
 * has entered is none.
 */
const namesOf = ({ serial, wwn }: Pick<ReportedDisk, "serial" | "wwn">): string[] =>
  [serial, wwn].flatMap((name) => (name && serialIn(name) !== undefined ? wwnIn(name) : []));

const difference = (field: string, expected: string, seen: string): ServerDifference => ({
  field: cut(field, bounds.name),
  expected: cut(expected, bounds.name),
  seen: cut(seen, bounds.name),
});
