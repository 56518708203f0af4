import { expect, it } from "vitest";
import { slaOf, type Timed } from "../../../core/machine/sla.ts";
import type { InstanceState } from "../../../core/resources/baremetal-instance/model.ts";
import type { HostState } from "../../../core/resources/host/model.ts";

/** How far an object is beyond the time that its state should take. */

const at = Date.UTC(2026, 5, 1);
const since = "2026-06-01T00:00:00.000Z";
const minute = 60_000;
// Nothing else of them is looked at.
const host = (state: HostState) => ({ kind: "host", status: { state, since } }) as Timed;
const server = (state: InstanceState, placed?: string) =>
  ({
    kind: "baremetal_instance",
    status: { state, state_transition_time: since },
    ...(placed !== undefined && { placement: { at: placed } }),
  }) as Timed;

it("a state in which an object passes has an end, and is beyond it afterwards", () => {
  const cleaning = host("HOST_STATE_CLEANING");
  const sla = { seconds: 3600, ends: "2026-06-01T01:00:00.000Z" };
  expect(slaOf(cleaning, at + 60 * minute)).toEqual(sla);
  expect(slaOf(cleaning, at + 61 * minute)).toEqual({ ...sla, beyond_seconds: 60 });
});

it.each<HostState>([
  "HOST_STATE_AVAILABLE",
  "HOST_STATE_RESERVED",
  "HOST_STATE_QUARANTINED",
  "HOST_STATE_MAINTENANCE",
])("%s has none", (state) => {
  expect(slaOf(host(state), at + 10_000 * minute)).toBeUndefined();
});

it("a server that waits for a host has none, and one that has it is timed from then", () => {
  const state = "BARE_METAL_INSTANCE_STATE_PROVISIONING";
  expect(slaOf(server(state), at + 10_000 * minute)).toBeUndefined();
  const placed = server(state, "2026-06-02T00:00:00.000Z");
  expect(slaOf(placed, at)?.ends).toBe("2026-06-02T01:30:00.000Z");
});
