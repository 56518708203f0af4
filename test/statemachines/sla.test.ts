import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { measure } from "../../core/reconcile/measure.ts";
import { addServerWithDpus, dpuName, settledDpu } from "../support/dpus.ts";
import { withMetal } from "../support/managed-hosts.ts";
import { openSite, type Wire } from "../support/site.ts";

/** How long an object is in a state, beside how long it should be. */

it("is told of a DPU that takes longer than its SLA, in its status, in a list, and among what is late", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withMetal(site);
  const {
    host,
    dpus: [id = ""],
  } = await addServerWithDpus(site, 1, { dpus: 1, missing: 1 });
  const statusOf = async (): Promise<Wire> => (await site.admin("GET", `dpus/${id}`)).body.status;
  const late = async (): Promise<string[]> =>
    (await site.admin("GET", "status")).body.beyond_sla.map((each: Wire) => each.id);
  const filter = `this.status.state == "DPU_STATE_PROVISIONING" && this.status.sla.ends < now`;
  const listed = async (): Promise<string[]> => {
    const { body } = await site.admin("GET", `dpus?filter=${encodeURIComponent(filter)}`);
    return body.items.map((each: Wire) => each.id);
  };
  // Nothing works on it yet.
  expect(await statusOf()).not.toHaveProperty("sla");

  const target = `bmc:${dpuName(1, 0)}`;
  site.world.faults.add({ target, operation: "address", fault: "hold", count: 0 });
  await site.admin("POST", `dpus/${id}/retry`);
  const { since, sla } = await statusOf();
  expect(sla).toEqual({
    seconds: 7200,
    ends: new Date(Date.parse(since) + minutes(120)).toISOString(),
  });
  expect([await late(), await listed()]).toEqual([[], []]);

  await site.laptop.pass(minutes(130));
  const { sla: then, stalled, state } = await statusOf();
  expect(state).toBe("DPU_STATE_PROVISIONING");
  expect(then).toEqual({ ...sla, beyond_seconds: 600 });
  expect(stalled.beyond_seconds).toBeGreaterThan(0);
  expect([await late(), await listed()]).toEqual([[id], [id]]);

  // An administrator knows of it: nobody is alarmed, and the DPU's own status says what is so.
  const stalledIn = async () => {
    const { body } = await site.admin("GET", "status");
    return [body.operations.stalled, (await measure(site.laptop.deps)).values.OperationsStalled];
  };
  expect(await stalledIn()).toEqual([1, 1]);
  const alerts = [{ id: "known", message: "it is mended", classifications: ["suppresses_alarms"] }];
  const override = (mode: string) =>
    site.admin("POST", `hosts/${host}/health/override`, { source: "ann", mode, alerts });
  expect((await override("merge")).status).toBe(200);
  expect([await stalledIn(), await late(), await listed()]).toEqual([[0, 0], [], [id]]);
  expect((await override("none")).status).toBe(200);
  expect([await stalledIn(), await late()]).toEqual([[1, 1], [id]]);

  // It only flags: what gives up is the step.
  expect((await settledDpu(site, id)).status.state).toBe("DPU_STATE_QUARANTINED");
  expect(await statusOf()).not.toHaveProperty("sla");
  expect([await late(), await listed()]).toEqual([[], []]);
});
