import { expect, it } from "vitest";
import type { Event } from "../../../../core/kernel/events/events.ts";
import { eventIn, packedEvent } from "../../../../core/kernel/events/log-entry.ts";

const event: Event = {
  specversion: "1.0",
  id: "c1.1",
  source: "slipway",
  type: "slipway.cluster.created.v1",
  subject: "clusters/c1",
  time: "2026-01-01T00:00:00.000Z",
  tenant: "tenant-a",
  sequence: 1,
  datacontenttype: "application/json",
  data: { object: { id: "c1", name: "é 😀" }, changed: ["status.state"] },
};
const entry = (value: string) => ({ pk: "log#tenant-a", sk: "1", event: value });

it("gives back the event that it packed", () => {
  expect(eventIn(entry(packedEvent(event)))).toEqual(event);
});

it("reads what was kept as it is, and nothing from what is no event", () => {
  expect(eventIn({ pk: "log#tenant-a", sk: "1", event })).toEqual(event);
  expect(eventIn(entry("not deflated"))).toBeUndefined();
  expect(eventIn(undefined)).toBeUndefined();
});
