import { describe, expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { asOperationId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import type { Consent } from "../../../../core/resources/baremetal-instance/consent.ts";
import type { BaremetalInstance } from "../../../../core/resources/baremetal-instance/model.ts";
import {
  goOnWithRepair,
  hasRepairToDo,
  isToRestart,
  type Repair,
  repairOf,
} from "../../../../core/resources/baremetal-instance/repair.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { consentToRepair } from "../../../support/actions.ts";
import { testDeps } from "../../../support/deps.ts";
import { instanceRecord, onHost } from "../../../support/instance-record.ts";
import { ann } from "../../../support/orders.ts";
import { hostRecord } from "../../../support/placement.ts";

/** What is asked of a tenant when the provider wants more, less or the same of the host. */

const wish = (since: string) => ({ since, by: "root" });
const consent = { given: "window", by: "ann", at: "2" } as const;

const dpus = { reinstall: wish("1") };
const dpusAgain = { reinstall: wish("3") };
const firmware = { firmware_update: wish("3") };

it.each<[string, Pick<Repair, "dpus" | "firmware">, object, object | undefined]>([
  [
    "the same again: the consent lasts",
    { dpus: true },
    dpusAgain,
    { since: "3", dpus: true, consent },
  ],
  [
    "more: it is asked for anew",
    { dpus: true },
    { ...dpus, ...firmware },
    { since: "3", dpus: true, firmware: true },
  ],
  ["something else: it is asked for", { dpus: true }, firmware, { since: "3", firmware: true }],
  [
    "less: it lasts",
    { dpus: true, firmware: true },
    dpusAgain,
    { since: "3", dpus: true, consent },
  ],
  ["nothing: nothing is asked", { dpus: true }, {}, undefined],
])("%s", (_, asked, wanted, expected) => {
  // Nothing else of a host is asked for.
  const host = wanted as Host;
  expect(repairOf({ since: "1", ...asked, consent }, host)).toEqual(expected);
});

const since = "2026-05-04T10:00:00.000Z";
const asked: Repair = { since, dpus: true };
const given = (consent: Consent["given"], more: Partial<Consent> = {}): { consent: Consent } => ({
  consent: { given: consent, by: "ann", at: since, ...more },
});

/** A tenant's server on a host whose DPUs the provider wants installed anew. */
async function opened(repair: Repair | undefined, more: Partial<BaremetalInstance> = {}) {
  const deps = testDeps();
  const host = { ...hostRecord("h1", "hub", "metal"), reinstall: { since, by: "root" } };
  const server = instanceRecord({
    ...{ published: true, ...onHost("h1"), ...(repair && { repair }) },
    ...more,
  });
  await deps.store.transact([...putNew(deps.kinds, host), ...putNew(deps.kinds, server)]);
  const now = () => mustLoad(deps, "baremetal_instance", server.id);
  return { deps, server, now };
}

describe("a consent", () => {
  it("begins the repair at once where it says so, even after an attempt that failed", async () => {
    for (const repair of [asked, { ...asked, hasFailed: true as const }]) {
      const { deps, server, now } = await opened(repair);
      const { operation } = await consentToRepair(deps, ann, server.id, { consent: "now" });
      expect(operation).toEqual(expect.any(String));
      const { repair: after, ...instance } = await now();
      expect(instance).toMatchObject({ operation, restarting: true });
      expect(after).toEqual({ ...asked, consent: expect.objectContaining({ given: "now" }) });
    }
  });

  it.each<[string, Partial<BaremetalInstance>]>([
    ["that is not made yet", { published: false }],
    ["that something else works on", { operation: asOperationId("o1") }],
  ])("begins nothing on a server %s", async (_, more) => {
    const { deps, server, now } = await opened(asked, more);
    const { operation } = await consentToRepair(deps, ann, server.id, { consent: "now" });
    expect(operation).toBeUndefined();
    expect((await now()).repair?.consent).toMatchObject({ given: "now", by: "ann" });
  });

  it("that is taken back leaves what the provider asks for, and nothing begins", async () => {
    const { deps, server, now } = await opened({ ...asked, ...given("on_restart") });
    await consentToRepair(deps, ann, server.id, { consent: "none" });
    expect((await now()).repair).toEqual(asked);
  });

  it("is refused where nothing is asked for, and for a server that is being deleted", async () => {
    const { deps, server } = await opened(asked);
    const refused = { kind: "FailedPrecondition" };
    const consent = () => consentToRepair(deps, ann, server.id, { consent: "now" });
    const marked = { ...server.metadata, deletion_timestamp: since };
    await changeObject(deps, "baremetal_instance", server.id, (each) => ({
      ...each,
      metadata: marked,
    }));
    await expect(consent()).rejects.toMatchObject(refused);
    const idle = await opened(undefined);
    await changeObject(idle.deps, "host", "h1", ({ reinstall: _, ...host }) => host);
    await expect(
      consentToRepair(idle.deps, ann, server.id, { consent: "now" }),
    ).rejects.toMatchObject(refused);
  });
});

const window = given("window", { from: timestamp(1000), until: timestamp(2000) });

it.each<[string, Repair | undefined, number, "begins" | "ends" | "waits"]>([
  ["nothing asked", undefined, 1500, "waits"],
  ["no consent", asked, 1500, "waits"],
  ["a window to come", { ...asked, ...window }, 999, "waits"],
  ["a window that is open", { ...asked, ...window }, 1500, "begins"],
  [
    "a window that is open, and a failed attempt",
    { ...asked, ...window, hasFailed: true },
    1500,
    "waits",
  ],
  ["a window that is over", { ...asked, ...window }, 2000, "ends"],
])("when its time comes, a repair with %s %s", async (_, repair, at, what) => {
  const { deps, server, now } = await opened(repair);
  await deps.clock.advance(at - deps.clock.now());
  expect(hasRepairToDo(server, at)).toBe(what !== "waits");
  await goOnWithRepair(deps, server.id);
  const after = await now();
  expect(after.operation !== undefined).toBe(what === "begins");
  expect(after.repair).toEqual(what === "ends" ? asked : repair);
});

it.each<[string, Partial<Repair>, boolean]>([
  ["no consent", {}, false],
  ["a consent at once", given("now"), false],
  ["a consent with the next restart", given("on_restart"), true],
  ["an attempt that failed", { hasFailed: true }, true],
])("whether the next restart is a repair, with %s", (_, repair, expected) => {
  expect(isToRestart(instanceRecord({ repair: { ...asked, ...repair } }))).toBe(expected);
});
