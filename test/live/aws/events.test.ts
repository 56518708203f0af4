import { afterAll, beforeAll, expect, it } from "vitest";
import type { Event } from "../../../core/kernel/events/events.ts";
import { type LiveBus, liveBus } from "./bus.ts";
import { overTheWire } from "./endpoint.ts";

const event = (n: number, more: object = {}): Event => ({
  specversion: "1.0",
  id: `c${n}.1`,
  source: "slipway",
  type: "slipway.cluster.created.v1",
  subject: `clusters/c${n}`,
  time: "2026-01-01T00:00:00.000Z",
  tenant: "tenant-a",
  sequence: 1,
  datacontenttype: "application/json",
  data: { object: { id: `c${n}`, ...more }, changed: [] },
});

overTheWire("the publishing of events", () => {
  let live: LiveBus;
  beforeAll(async () => {
    live = await liveBus();
  });
  afterAll(() => live.close());

  it("brings every event of many to who listens, and the id of one that is too large", async () => {
    const many = Array.from({ length: 25 }, (_, n) => event(n));
    const large = event(25, { text: "x".repeat(300 * 1024) });
    await live.bus.publish([...many, large]);
    const received = await live.received(26);
    const details = new Map(received.map(({ detail }) => [detail.id, detail]));
    for (const each of many) expect(details.get(each.id)).toEqual(each);
    expect(details.get(large.id)).toMatchObject({ data: { object: { id: "c25" }, changed: [] } });
    expect(new Set(received.map((each) => `${each.source} ${each["detail-type"]}`))).toEqual(
      new Set(["slipway slipway.cluster.created.v1"]),
    );
  });
});
