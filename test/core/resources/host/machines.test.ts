import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { type MachineRequest, machineRequests } from "../../../../core/machine/requests.ts";
import { machines } from "../../../../core/resources/host/machines.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { hostRecord } from "../../../support/placement.ts";

/** What a host may ask and report by its token, in each state of its discovery. */

const at = "2026-06-01T00:00:00.000Z";
const free = hostRecord("h-00001", "hub", "small");
const worked: Host = { ...free, operation: asOperationId("o1") };
const withBoot = (host: Host, boot: object): Host => ({
  ...host,
  server: { condition: "CLEAN", boot: { number: 1, phase: "booting", at, ...boot } },
});

it.each<[string, Host, MachineRequest[]]>([
  ["that nothing works on", free, []],
  ["that was discovered", withBoot(free, { since: at }), []],
  ["that is being erased", worked, []],
  ["that is about to be switched on", withBoot(worked, { phase: "setting" }), ["boot"]],
  ["that may be on", withBoot(worked, { since: at }), ["boot", "health"]],
])("a host %s", (_, host, allowed) => {
  const machine = { kind: "host", id: host.id } as const;
  expect(machineRequests.filter((request) => machines.allows(host, request, machine))).toEqual(
    allowed,
  );
});
