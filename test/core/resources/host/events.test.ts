import { expect, it } from "vitest";
import { written } from "../../../../core/kernel/events/rewrite.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import type { Health } from "../../../../core/resources/host/health.ts";
import type { Host } from "../../../../core/resources/host/model.ts";
import { hostRecord, readyAgent } from "../../../support/placement.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

/** What is told of hosts: what people do, another state, and what is theirs to do. */

const at = Date.UTC(2026, 5, 1);
const later = at + 24 * 3600 * 1000;
const free: Host = {
  ...hostRecord("h-00001", "hub", "small"),
  status: {
    state: "HOST_STATE_AVAILABLE",
    agent: readyAgent("hub", "agent-h-00001", "2026-06-01T00:00:00.000Z"),
  },
};
const deps = { kinds, clock: new VirtualClock(later) };
const changed = (before: Host, change: Partial<Host>): Host =>
  written(deps, before, { ...before, ...change }).object;
const maintenance = { since: "2026-06-01T00:00:00.000Z", by: "ann" };
const health: Health = {
  state: "HEALTH_STATE_ALERT",
  since: "2026-06-01T00:00:00.000Z",
  prevents_allocation: true,
  suppresses_alarms: false,
  alerts: [],
};
const holder = { kind: "cluster", id: "c-1", tenant: "a", node_set: "workers" } as const;

it.each<[string, Partial<Host>]>([
  ["maintenance", { maintenance }],
  ["an alert that keeps it from orders", { status: { ...free.status, health } }],
  ["that a cluster holds it", { status: { ...free.status, owner: holder } }],
  ["another switch port", { spec: { ...free.spec, nics: [] } }],
])("%s of a host is told", (_, change) => {
  const { event } = changed(free, change);
  expect(event).toMatchObject({
    type: "slipway.host.updated.v1",
    sequence: free.event.sequence + 1,
  });
});

it.each<[string, Partial<Host>]>([
  [
    "that its agent reports",
    {
      status: { ...free.status, agent: readyAgent("hub", "agent-h-00001", "2026-06-02T00:00:00Z") },
    },
  ],
])("%s is not", (_, change) => {
  expect(changed(free, change).event.sequence).toBe(free.event.sequence);
});

it("what its controller says of its power is not", () => {
  const bmc = { address: "redfish://10.0.0.1/redfish/v1/Systems/1", credentials: "bmc-1" };
  const managed = (power: "on" | "off"): Host => ({
    ...free,
    spec: { ...free.spec, bmc },
    server: { condition: "READY", seen: { power, hasMedia: false, at: "2026-06-02T00:00:00Z" } },
  });
  const { event } = changed(managed("on"), managed("off"));
  expect(event.sequence).toBe(free.event.sequence);
  expect(event.kept_back).toContain("status.server.power");
});

it("what nobody was told goes with the next event", () => {
  const { agent } = free.status;
  const reported = changed(free, {
    status: { ...free.status, ...(agent && { agent: { ...agent, message: "other words" } }) },
  });
  expect(reported.event.sequence).toBe(free.event.sequence);
  const { event } = changed(reported, { maintenance });
  expect(event.changed).toEqual(
    expect.arrayContaining(["status.agent.message", "status.maintenance"]),
  );
});

it("its return from maintenance is told", () => {
  const kept = changed(free, { maintenance });
  expect(kept.status.state).toBe("HOST_STATE_MAINTENANCE");
  const { maintenance: _, ...back } = kept;
  const again = written<Host>(deps, kept, back).object;
  expect(again.status.state).toBe("HOST_STATE_AVAILABLE");
  expect(again.event.sequence).toBe(kept.event.sequence + 1);
});
