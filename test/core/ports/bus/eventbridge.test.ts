import {
  EventBridgeClient,
  PutEventsCommand,
  type PutEventsCommandInput,
} from "@aws-sdk/client-eventbridge";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import { type Event, eventSchema, NotAccepted } from "../../../../core/kernel/events/events.ts";
import { eventBridge, hubReports } from "../../../../core/ports/bus/eventbridge.ts";
import { messageSchema } from "../../../../core/ports/hub/news.ts";
import { newsOfKind } from "../../../support/news.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

const client = new EventBridgeClient({ region: "us-east-1" });
const mock = mockClient(client);
beforeEach(() => mock.reset());

const event = (n: number, name = "demo"): Event => ({
  specversion: "1.0",
  id: `c${n}.1`,
  source: "slipway",
  type: "slipway.cluster.ready.v1",
  subject: `clusters/c${n}`,
  time: "2026-11-21T06:00:00.000Z",
  tenant: "tenant-a",
  sequence: 1,
  datacontenttype: "application/json",
  data: { object: { id: `c${n}`, name }, changed: ["status.state"] },
});
const events = (count: number) => Array.from({ length: count }, (_, n) => event(n));

/** Pauses are no part of these tests: none is long when the jitter is nothing. */
const bus = () => eventBridge({ client, bus: "slipway", wall: clock, random: () => 0 });
const clock = {
  now: () => 0,
  after(_: number, fn: () => void) {
    fn();
    return { cancel() {} };
  },
};

const sent = (): NonNullable<PutEventsCommandInput["Entries"]>[] =>
  mock.commandCalls(PutEventsCommand).map(({ args: [{ input }] }) => input.Entries ?? []);
const accepted = (count: number) => ({
  FailedEntryCount: 0,
  Entries: Array.from({ length: count }, (_, n) => ({ EventId: `e${n}` })),
});

describe("publishing on EventBridge", () => {
  it("puts the event into the detail, and its type and source where rules look", async () => {
    mock.on(PutEventsCommand).resolves(accepted(1));
    await bus().publish([event(1)]);
    const [[entry] = []] = sent();
    expect(entry).toMatchObject({
      EventBusName: "slipway",
      Source: "slipway",
      DetailType: "slipway.cluster.ready.v1",
      Time: new Date("2026-11-21T06:00:00.000Z"),
    });
    expect(JSON.parse(entry?.Detail ?? "")).toEqual(event(1));
  });

  it("sends at most ten events a call, every one once", async () => {
    mock.on(PutEventsCommand).callsFake(({ Entries }) => accepted(Entries.length));
    await bus().publish(events(23));
    expect(sent().map((entries) => entries.length)).toEqual([10, 10, 3]);
    const ids = sent().flatMap((entries) =>
      entries.map(({ Detail = "" }) => JSON.parse(Detail).id),
    );
    expect(ids).toEqual(events(23).map(({ id }) => id));
  });

  it("sends at most 256 KB a call", async () => {
    mock.on(PutEventsCommand).callsFake(({ Entries }) => accepted(Entries.length));
    await bus().publish([1, 2, 3].map((n) => event(n, "é".repeat(60_000))));
    expect(sent().map((entries) => entries.length)).toEqual([2, 1]);
  });

  it("sends an event that is too large with its object's id alone", async () => {
    mock.on(PutEventsCommand).resolves(accepted(1));
    await bus().publish([event(7, "x".repeat(300_000))]);
    const [[entry] = []] = sent();
    const detail = eventSchema.parse(JSON.parse(entry?.Detail ?? ""));
    expect(detail).toMatchObject({ id: "c7.1", data: { object: { id: "c7" } } });
    expect(Buffer.byteLength(entry?.Detail ?? "")).toBeLessThan(1000);
  });

  it("sends again what was not accepted, and only that", async () => {
    mock
      .on(PutEventsCommand)
      .resolvesOnce({
        FailedEntryCount: 2,
        Entries: [
          { EventId: "e0" },
          { ErrorCode: "ThrottlingException" },
          { EventId: "e2" },
          { ErrorCode: "InternalFailure" },
        ],
      })
      .resolves(accepted(2));
    await bus().publish(events(4));
    const ids = sent().map((entries) =>
      entries.map(({ Detail = "" }) => JSON.parse(Detail).id as string),
    );
    expect(ids).toEqual([
      ["c0.1", "c1.1", "c2.1", "c3.1"],
      ["c1.1", "c3.1"],
    ]);
  });

  it("is Unavailable when an event is refused again and again", async () => {
    mock.on(PutEventsCommand).resolves({
      FailedEntryCount: 1,
      Entries: [{ ErrorCode: "ThrottlingException" }],
    });
    await expect(bus().publish([event(1)])).rejects.toMatchObject({ kind: "Unavailable" });
    expect(sent()).toHaveLength(5);
  });

  it.each([
    [
      "of the first entry that is refused for good",
      () =>
        mock.on(PutEventsCommand).callsFake(({ Entries }: PutEventsCommandInput) => {
          const first = { ErrorCode: "NotAuthorized", ErrorMessage: "not this source" };
          const answers = [{ EventId: "e" }, first, { ErrorCode: "InternalFailure" }];
          return { FailedEntryCount: 2, Entries: answers.slice(3 - (Entries ?? []).length) };
        }),
      "NotAuthorized: not this source",
    ],
    [
      "of a call that failed",
      () => mock.on(PutEventsCommand).rejects(new Error("ECONNREFUSED")),
      "ECONNREFUSED",
    ],
  ])("gives the reason for the log: that %s", async (_, answer, detail) => {
    answer();
    await expect(bus().publish(events(3))).rejects.toMatchObject({ detail });
  });

  it("names the events that are refused, and takes the others, of later calls too", async () => {
    mock.on(PutEventsCommand).callsFake(({ Entries }: PutEventsCommandInput) => {
      const answers = (Entries ?? []).map(({ Detail = "" }) =>
        JSON.parse(Detail).id === "c3.1" ? { ErrorCode: "InternalFailure" } : { EventId: "e" },
      );
      const FailedEntryCount = answers.filter((answer) => "ErrorCode" in answer).length;
      return { FailedEntryCount, Entries: answers };
    });
    const all = events(12);
    const error = await bus()
      .publish(all)
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NotAccepted);
    expect(error).toMatchObject({ kind: "Unavailable", events: new Set([all[3]]) });
    expect(sent().map((entries) => entries.length)).toEqual([10, 1, 1, 1, 1, 2]);
  });

  it("names all events that are left when the bus can no longer be reached", async () => {
    mock.on(PutEventsCommand).resolvesOnce(accepted(10)).rejects(new Error("ECONNRESET"));
    const all = events(32);
    const error = await bus()
      .publish(all)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "Unavailable", events: new Set(all.slice(10)) });
    // Nobody waits for the timeouts of the rest.
    expect(sent()).toHaveLength(2);
  });

  it("is Unavailable when the bus cannot be reached", async () => {
    mock.on(PutEventsCommand).rejects(new Error("ECONNREFUSED"));
    await expect(bus().publish([event(1)])).rejects.toMatchObject({ kind: "Unavailable" });
  });

  it("waits between tries, longer each time", async () => {
    mock.on(PutEventsCommand).resolves({ FailedEntryCount: 1, Entries: [{}] });
    const wall = new VirtualClock();
    const start = wall.now();
    const publishing = eventBridge({ client, bus: "b", wall, random: () => 0.5 }).publish([
      event(1),
    ]);
    const refused = expect(publishing).rejects.toMatchObject({ kind: "Unavailable" });
    while (sent().length < 5) await wall.advance(10);
    await refused;
    expect(wall.now() - start).toBeGreaterThanOrEqual(50 + 100 + 200 + 400);
  });

  it("asks nothing when there is nothing to publish", async () => {
    await bus().publish([]);
    expect(sent()).toEqual([]);
  });
});

describe("passing on what a hub reports", () => {
  const reports = () => hubReports({ client, bus: "hubs", wall: clock, random: () => 0 });
  const news = (name: string, size = 0) =>
    newsOfKind("NodePool", { metadata: { name }, status: { note: "x".repeat(size) } });

  it("puts it on the hubs' bus with the hub as its source, as its agent would", async () => {
    mock.on(PutEventsCommand).resolves(accepted(1));
    await reports().take({ hub: "eu-1", heartbeat: true, news: [news("a")] });
    const [[entry] = []] = sent();
    expect(entry).toMatchObject({
      EventBusName: "hubs",
      Source: "slipway.hub.eu-1",
      DetailType: "slipway.hub.report.v1",
    });
    expect(JSON.parse(entry?.Detail ?? "")).toEqual({ heartbeat: true, news: [news("a")] });
  });

  it("splits what is too large for one event, in its order, with one heartbeat", async () => {
    mock.on(PutEventsCommand).callsFake(({ Entries }) => accepted(Entries.length));
    const names = ["a", "b", "c", "d", "e"];
    const all = names.map((name) => news(name, 100_000));
    await reports().take({ hub: "eu-1", heartbeat: true, news: all });
    const messages = sent().flatMap((entries) =>
      entries.map(({ Detail = "" }) => messageSchema.parse(JSON.parse(Detail))),
    );
    const told = messages.flatMap((message) =>
      message.news.map(({ object }) => object.metadata.name),
    );
    expect(told).toEqual(names);
    expect(messages.filter(({ heartbeat }) => heartbeat)).toHaveLength(1);
  });

  it("refuses a piece of news that no event can hold", async () => {
    const huge = { hub: "eu-1", heartbeat: false, news: [news("a", 300_000)] };
    await expect(async () => reports().take(huge)).rejects.toMatchObject({ kind: "Invalid" });
    expect(sent()).toEqual([]);
  });
});
