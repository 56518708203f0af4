import { expect, it } from "vitest";
import type { Site } from "../../../../core/at-site/site.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { putNew } from "../../../../core/kernel/object/records.ts";
import { bootKernel, chainWithAddress } from "../../../../core/machine/ipxe.ts";
import {
  type MachineReport,
  type MachineRequest,
  machineRequests,
} from "../../../../core/machine/requests.ts";
import { machines } from "../../../../core/resources/dpu/machines.ts";
import type { Dpu, Told } from "../../../../core/resources/dpu/model.ts";
import { testDeps } from "../../../support/deps.ts";
import { dpuRecord } from "../../../support/dpu-record.ts";
import { hostRecord } from "../../../support/placement.ts";

/** What a DPU may ask and report by its token, in each state of its provision. */

const at = "2026-05-04T10:00:00.000Z";
const from = { machine: { kind: "dpu", id: "d1" }, now: at } as const;
const leaf = { asn: 4_200_000_001, loopback: "10.255.0.1" };
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
  const versionOf = (number: number | undefined) =>
    number === undefined ? undefined : { version: number };
  // Nothing else of it is asked for.
  const dpu = { kind: "dpu", wanted: versionOf(desired), applied: versionOf(last) } as Dpu;
  const report = { of: "applied", version, state: "applied" } as const;
  const applied = { at, version, state: "applied" };
  expect(machines.reported(dpu, report, from)).toEqual(isTaken ? { ...dpu, applied } : undefined);
});

const found = { serial: "S1", nics: [], ports: [], versions: {} };
const well = { successes: [{ id: "fan-speed" }], alerts: [] };
const earlier = "2026-05-04T09:00:00.000Z";

it.each<[string, MachineReport, Told | undefined]>([
  ["its boot", { of: "boot" }, { boot: { at } }],
  [
    "its boot, with its address",
    { of: "boot", address: "10.0.0.9" },
    { boot: { at }, address: { at, is: "10.0.0.9" } },
  ],
  ["that it has its user data", { of: "seed", part: "user-data" }, { seed: { at } }],
  ["that it has another part of its seed", { of: "seed", part: "meta-data" }, undefined],
  ["that it is installed", { of: "phone_home", instance_id: "d1" }, { phone_home: { at } }],
  ["what it has found", { of: "discovery", ...found }, { discovery: { at, ...found } }],
  ["its health", { of: "health", ...well }, { health: { at, ...well } }],
])("a DPU that reports %s", (_, report, told) => {
  const before = dpuRecord("d1", { told: { boot: { at: earlier }, seed: { at: earlier } } });
  const after = machines.reported(before, report, from);
  expect(after).toEqual(told && { ...before, told: { ...before.told, ...told } });
});

it.each<[string, Partial<Dpu>, number | undefined]>([
  ["before anything is desired", {}, undefined],
  ["once something is", { wanted: { leaf, version: 3 } }, 3],
])("a DPU that asks for its network %s is heard, and given that version", (_, more, given) => {
  const before = dpuRecord("d1", { ...more, given_version: 2, heard_at: earlier });
  const { given_version: _given, ...rest } = before;
  expect(machines.reported(before, { of: "network" }, from)).toEqual({
    ...{ ...rest, heard_at: at },
    ...(given !== undefined && { given_version: given }),
  });
});

const urls = {
  boot: "http://c/boot/t/",
  loader: "",
  seed: "http://c/seed/t/",
  phoneHome: "",
  contract: "",
};
const asking = { machine: { kind: "dpu", id: "d1" }, site: "site-1", urls, token: "t" } as const;

it.each([
  ["with the address that iPXE is to fill in", undefined, chainWithAddress(urls.boot)],
  [
    "of its site's image, once that is known",
    "10.0.0.9",
    bootKernel({ kernel: "http://c/hbn.bfb", args: [`ds=nocloud;s=${urls.seed}`] }),
  ],
])("a DPU boots a script %s", async (_, address, script) => {
  const deps = testDeps();
  const site = {
    ...{ ...dpuRecord("site-1"), kind: "site", status: { low: [] } },
    spec: { machines: { url: "", bfb: "http://c/hbn.bfb" } },
  } as unknown as Site;
  await deps.store.transact(putNew(deps.kinds, site));
  const asked = { ...asking, ...(address !== undefined && { address }) };
  expect(await machines.boot?.(deps, dpuRecord("d1"), asked)).toBe(script);
});

it("a DPU of a site that has lost its image boots none", async () => {
  const deps = testDeps();
  const site = {
    ...{ ...dpuRecord("site-1"), kind: "site", status: { low: [] }, spec: {} },
  } as unknown as Site;
  await deps.store.transact(putNew(deps.kinds, site));
  expect(await machines.boot?.(deps, dpuRecord("d1"), { ...asking, address: "10.0.0.9" })).toBe(
    bootKernel({ kernel: "", args: [`ds=nocloud;s=${urls.seed}`] }),
  );
});

it("a DPU is given what is desired, or version 0 of nothing", async () => {
  const given = (more: Partial<Dpu>) =>
    machines.network?.(testDeps(), dpuRecord("d1", more), asking);
  expect(await given({ wanted: { leaf, version: 3 } })).toEqual({ leaf, version: 3 });
  expect(await given({})).toEqual({ version: 0 });
});

it("its host may wait for what a DPU reports, and who has the host", async () => {
  const deps = testDeps();
  const dpu = dpuRecord("d1");
  const host = hostRecord(dpu.spec.host.id, "hub", "metal");
  const others = () => machines.others?.(deps, dpu);
  expect(await others()).toEqual([{ kind: "host", id: host.id }]);
  await deps.store.transact(putNew(deps.kinds, host));
  expect(await others()).toEqual([{ kind: "host", id: host.id }]);
  const owner = { kind: "baremetal_instance", id: "b1", tenant: "a", node_set: "metal" } as const;
  await changeObject(deps, "host", host.id, (each) => ({
    ...each,
    status: { ...each.status, owner },
  }));
  expect(await others()).toEqual([
    { kind: "host", id: host.id },
    { kind: "baremetal_instance", id: "b1" },
  ]);
});
