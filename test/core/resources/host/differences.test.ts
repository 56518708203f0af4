import { describe, expect, it } from "vitest";
import type { ReportedDisk, ReportedHardware } from "../../../../core/ports/hub/agents/hardware.ts";
import { differencesIn } from "../../../../core/resources/host/differences.ts";
import type { DriveRecord } from "../../../../core/resources/host/server.ts";
import type { Hardware } from "../../../../core/resources/host-type/model.ts";
import { hostRecord } from "../../../support/placement.ts";

/** What keeps a server out of the pool, when its agent has looked at it. */

const gib = 2 ** 30;
const mac = "52:54:00:00:00:01";
const disk = (name: string, more: Partial<ReportedDisk> = {}): ReportedDisk => ({
  ...{ name, serial: `Z1${name.toUpperCase()}`, bytes: 960 * 10 ** 9, isBootable: false },
  ...more,
});
const unnamed = (name: string): ReportedDisk => {
  const { serial: _, ...rest } = disk(name);
  return rest;
};
const drive = (serial?: string): DriveRecord => ({
  ...{ id: `/${serial}`, name: `${serial}`, method: "block", state: "done", message: "" },
  ...(serial !== undefined && { serial }),
});

const found: ReportedHardware = {
  ...{ cpus: 64, memory: 256 * gib, macs: [mac] },
  disks: [disk("a"), disk("b")],
  gpus: ["NVIDIA H100 80GB", "NVIDIA H100 80GB"],
};

interface Case {
  found?: Partial<ReportedHardware>;
  hardware?: Hardware;
  foreign?: string[];
  drives?: DriveRecord[];
  /** The serial number that the inventory has. */
  serial?: string;
}

function differences({ found: more, hardware, foreign = [], drives, serial }: Case): string[] {
  const { spec, ...rest } = hostRecord("h-00001", "hub", "small");
  const nics = [{ name: "eno1", mac, switch: "leaf-1", port: "swp1" }];
  const server = { condition: "CLEAN" as const, drives: drives ?? [drive("Z1A"), drive("Z1B")] };
  const host = {
    ...rest,
    spec: { ...spec, nics, ...(serial !== undefined && { serial }) },
    server,
  };
  return differencesIn({ ...found, ...more }, { host, hardware, foreign }).map(
    ({ field, expected, seen }) => `${field}: ${expected}; ${seen}`,
  );
}

describe("hardware that is as it should be", () => {
  it.each<[string, Case]>([
    ["where nothing is promised", {}],
    ["with the serial number of the inventory", { serial: "S-1", found: { serial: "S-1" } }],
    ["with a serial number that the inventory does not know", { found: { serial: "S-1" } }],
    [
      "as its type promises",
      {
        hardware: {
          ...{ cpus: 64, memory_gib: 256 },
          disks: [{ count: 2, min_gib: 890 }],
          gpus: [{ count: 2, model: "h100" }],
        },
      },
    ],
    [
      "with more memory and larger disks",
      { hardware: { memory_gib: 128, disks: [{ count: 1, min_gib: 400 }] } },
    ],
    ["with a drive that the system does not see", { found: { disks: [disk("a")] } }],
    [
      "with disks whose serial numbers nobody tells",
      { found: { disks: [disk("a"), unnamed("b")] } },
    ],
    [
      "with drives whose serial numbers the controller does not tell",
      { found: { disks: [unnamed("a"), unnamed("b")] }, drives: [drive(), drive()] },
    ],
    [
      "with a SAS drive, of which the system tells another name than the controller",
      {
        found: { disks: [disk("a", { serial: "5000c50012345678" })] },
        drives: [{ ...drive("Z1"), wwn: "5000c50012345678" }],
      },
    ],
    [
      "with a drive that is known by its World Wide Name alone",
      {
        found: { disks: [disk("a", { serial: "other", wwn: "5000c50012345678" })] },
        drives: [{ ...drive(), wwn: "5000c50012345678" }],
      },
    ],
    ...["8DH7VKWH            ", "            8DH7VKWH"].flatMap((padded): [string, Case][] => [
      [
        `with a drive whose number its controller tells as '${padded}'`,
        { found: { disks: [disk("a", { serial: "8DH7VKWH" })] }, drives: [drive(padded)] },
      ],
      [
        `with a drive whose number its system tells as '${padded}'`,
        { found: { disks: [disk("a", { serial: padded })] }, drives: [drive("8DH7VKWH")] },
      ],
    ]),
    ["without any disk", { found: { disks: [] }, drives: [] }],
  ])("%s", (_, given) => {
    expect(differences(given)).toEqual([]);
  });
});

it.each<[string, Case, string[]]>([
  ["other CPUs", { hardware: { cpus: 32 } }, ["cpus: 32; 64"]],
  ["less memory", { hardware: { memory_gib: 512 } }, ["memory_gib: 512; 256"]],
  [
    "too few disks of a size",
    { hardware: { disks: [{ count: 2, min_gib: 1000 }] } },
    ["disks: 2 of 1000 GiB; 0 of that size"],
  ],
  ["fewer GPUs", { hardware: { gpus: [{ count: 8, model: "H100" }] } }, ["gpus: 8 × H100; 2"]],
  ["other GPUs", { hardware: { gpus: [{ count: 2, model: "L40S" }] } }, ["gpus: 2 × L40S; 0"]],
  ["no NIC of the inventory", { found: { macs: [] } }, [`NIC eno1: ${mac}; no such address`]],
  [
    "another serial number",
    { serial: "S-1", found: { serial: "S-2" } },
    ["serial number: S-1; S-2"],
  ],
  ["no serial number", { serial: "S-1" }, ["serial number: S-1; nothing"]],
  [
    "a NIC of another host",
    { foreign: ["52:54:00:00:00:02"] },
    ["NICs: those of this host; 52:54:00:00:00:02 of another host"],
  ],
  [
    "something on a disk",
    { found: { disks: [disk("a", { isBootable: true }), disk("b")] } },
    ["disk a: erased; something that boots"],
  ],
  [
    "a disk that was not erased",
    { found: { disks: [disk("a"), disk("c")] } },
    ["disk c: one that was erased; serial number Z1C"],
  ],
  [
    "a disk that its controller does not show",
    { found: { disks: [unnamed("a")] }, drives: [] },
    ["disks without a serial number: at most 0, which were erased; 1"],
  ],
  [
    "one more disk than was erased",
    { found: { disks: [disk("a"), unnamed("b"), unnamed("c")] } },
    ["disks without a serial number: at most 1, which were erased; 2"],
  ],
  [
    "two disks whose numbers are blank, of which one was erased",
    {
      found: { disks: [disk("a", { serial: "  " }), disk("b", { serial: " " })] },
      drives: [drive("   ")],
    },
    ["disks without a serial number: at most 1, which were erased; 2"],
  ],
  [
    "two disks whose numbers nobody has entered, of which one was erased",
    {
      found: { disks: [disk("a", { serial: "N/A" }), disk("b", { serial: "N/A" })] },
      drives: [drive("N/A")],
    },
    ["disks without a serial number: at most 1, which were erased; 2"],
  ],
  [
    "nothing reported of what is promised",
    { found: { disks: [], gpus: [] }, hardware: { disks: [{ count: 1, min_gib: 1 }] } },
    ["disks: 1 of 1 GiB; 0 of that size"],
  ],
])("%s: says field by field what was expected and what was seen", (_, given, expected) => {
  expect(differences(given)).toEqual(expected);
});
