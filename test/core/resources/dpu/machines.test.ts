import { expect, it } from "vitest";
import { type MachineRequest, machineRequests } from "../../../../core/machine/requests.ts";
import { machines } from "../../../../core/resources/dpu/machines.ts";
import type { Dpu } from "../../../../core/resources/dpu/model.ts";

/** What a DPU may ask and report by its token, in each state of its provision. */

const boot = (phase: string) => ({ operation: "o1", boot: { number: 1, phase, at: "" } });
const wanted = { wanted: { version: 1 } };
const installing: MachineRequest[] = ["boot", "seed", "phone_home", "discovery", "health"];
const networking: MachineRequest[] = ["network", "applied"];

it.each<[string, object, MachineRequest[]]>([
  ["that nothing works on", {}, []],
  ["that is set aside", { ...wanted, quarantine: {}, boot: boot("booting").boot }, []],
  ["that is being switched off", { ...boot("switching_off"), ...wanted }, []],
  ["that stays off for a while", { ...boot("resting"), ...wanted }, []],
  ["that is told where to boot from", { ...boot("setting"), ...wanted }, []],
  ["that may be on", boot("switching_on"), installing],
  ["that boots", boot("booting"), installing],
  ["that boots as a leaf", { ...boot("booting"), ...wanted }, [...installing, ...networking]],
  ["that is installed", { isProvisioned: true, ...wanted }, ["discovery", "health", ...networking]],
])("a DPU %s", (_, record, allowed) => {
  // Nothing else of it is asked for.
  const dpu = { kind: "dpu", id: "d1", ...record } as Dpu;
  const machine = { kind: "dpu", id: dpu.id } as const;
  const found = machineRequests.filter((request) => machines.allows(dpu, request, machine));
  expect(new Set(found)).toEqual(new Set(allowed));
});

it.each<[string, number | undefined, number | undefined, number, boolean]>([
  ["is desired", 3, undefined, 3, true],
  ["is older than the desired one, as the first", 3, undefined, 2, true],
  ["is as old as the last reported one", 3, 2, 2, true],
  ["is older than the last reported one", 3, 3, 2, false],
  ["nobody has desired yet", 3, 2, 4, false],
  ["comes before anything is desired", undefined, undefined, 1, false],
])("a report of a version that %s", (_, desired, last, version, isTaken) => {
  const at = "2026-05-04T10:00:00.000Z";
  const versionOf = (number: number | undefined) =>
    number === undefined ? undefined : { version: number };
  // Nothing else of it is asked for.
  const dpu = { kind: "dpu", wanted: versionOf(desired), applied: versionOf(last) } as Dpu;
  const from = { machine: { kind: "dpu", id: "d1" }, now: at } as const;
  const report = { of: "applied", version, state: "applied" } as const;
  const applied = { at, version, state: "applied" };
  expect(machines.reported(dpu, report, from)).toEqual(isTaken ? { ...dpu, applied } : undefined);
});
