import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import { workFor } from "../../../../core/resources/host/care.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { hostSagas, sagaFor } from "../../../../core/resources/host/sagas.ts";
import {
  type HostWork,
  isErased,
  type ServerCondition,
  type ServerRecord,
  serverConditions,
} from "../../../../core/resources/host/server.ts";
import { hostRecord } from "../../../support/placement.ts";

/** The work that a host needs, which the present records alone decide. */

const managed: Partial<Host> = {
  spec: { ...hostRecord("h1", "hub", "metal").spec, bmc: { address: "", credentials: "secret" } },
};
const hostOf = (server: ServerRecord, more: Partial<Host> = {}): Host => ({
  ...hostRecord("h1", "hub", "metal"),
  ...managed,
  ...{ server, ...more },
});

const used: ServerRecord = { condition: "USED" };
const ready: ServerRecord = { condition: "READY" };
const maintenance = { maintenance: { since: "", by: "root" } };
const firmware_update = { since: "", by: "root" } as NonNullable<Host["firmware_update"]>;
const owner = { kind: "cluster", id: "c1", name: "c1", node_set: "workers" } as const;
const { status } = hostRecord("h1", "hub", "metal");

it.each<[string, ServerRecord, Partial<Host>, HostWork | undefined]>([
  ["was used", used, {}, "clean"],
  ["was used, and is retired", { ...used, isRetired: true }, {}, "clean"],
  ["was used, and is in maintenance", used, maintenance, "clean"],
  [
    "was used, and is quarantined",
    { ...used, quarantine: { since: "", reason: "" } },
    {},
    undefined,
  ],
  ["was used, and something works on it", used, { operation: asOperationId("o1") }, undefined],
  [
    "was used, and is owned",
    used,
    { status: { ...status, owner: owner as unknown as NonNullable<Host["status"]["owner"]> } },
    undefined,
  ],
  [
    "was used, and is managed by somebody else",
    used,
    { spec: hostRecord("h1", "hub", "m").spec },
    undefined,
  ],
  ["is ready", ready, {}, undefined],
  ["is ready, and retired", { ...ready, isRetired: true }, {}, "switch_off"],
  ["is ready, and in maintenance", ready, maintenance, "switch_off"],
  ["is ready, and has firmware to get", ready, { firmware_update }, "update_firmware"],
  ["is off, and in maintenance", { condition: "CLEAN" }, maintenance, undefined],
  [
    "is off, in maintenance, with firmware to get",
    { condition: "CLEAN" },
    { ...maintenance, firmware_update },
    undefined,
  ],
  ["is off", { condition: "CLEAN" }, {}, "discover"],
  ["is unknown", { condition: "UNKNOWN" }, {}, "discover"],
])("a host that %s", (_, server, more, expected) => {
  expect(workFor(hostOf(server, more))).toBe(expected);
});

it("a host with DPUs that are not all registered gets no firmware", () => {
  const { spec } = hostOf(ready);
  const host = hostOf(ready, { firmware_update, spec: { ...spec, dpus: 1 } });
  expect(workFor(host)).toBeUndefined();
  expect(workFor({ ...host, dpus: ["d1"] })).toBe("update_firmware");
});

it("a server is erased once it is clean, until somebody has used it", () => {
  const erased = serverConditions.filter((condition: ServerCondition) =>
    isErased(hostOf({ condition })),
  );
  expect(erased).toEqual(["CLEAN", "READY"]);
});

it("a host with DPUs is discovered once these are provisioned", () => {
  const { spec } = hostOf(ready);
  expect(sagaFor({ spec }, "discover")).toBe(hostSagas.discover);
  expect(sagaFor({ spec: { ...spec, dpus: 1 } }, "discover")).toBe(hostSagas.provision);
  expect(sagaFor({ spec: { ...spec, dpus: 1 } }, "clean")).toBe(hostSagas.clean);
});
