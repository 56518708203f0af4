import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import type { Event } from "../../../../core/kernel/events/events.ts";
import { eventIn, packedEvent } from "../../../../core/kernel/events/log-entry.ts";
import { definitionOf, namesOf } from "../../../../core/kernel/object/kind.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";

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
const entry = (packed: object) => ({ pk: "log#tenant-a#1", sk: "1", ...packed });

it.each(["hub", "cluster"] as const)("gives back the event that it packed, of a %s", (kind) => {
  expect(eventIn(kinds, entry(packedEvent(kinds, kind, event)))).toEqual(event);
});

it("packs of an event that no entry holds the id of its object, so that those behind it go on", () => {
  const large = {
    ...event.data,
    object: { id: "c1", notes: randomBytes(400_000).toString("base64") },
  };
  const packed = packedEvent(kinds, "host", { ...event, data: large });
  expect(JSON.stringify(packed).length).toBeLessThan(1000);
  expect(eventIn(kinds, entry(packed))?.data).toEqual({ object: { id: "c1" }, changed: [] });
});

it("reads nothing from what is no event", () => {
  expect(eventIn(kinds, entry({ event: "not deflated" }))).toBeUndefined();
  expect(eventIn(kinds, undefined)).toBeUndefined();
});

it("reads what was packed by a dictionary before the last, and says when it is of a later version", () => {
  const cluster = definitionOf(kinds, "cluster");
  const [first = Buffer.alloc(0)] = cluster.stored?.dictionaries ?? [];
  const second = Buffer.concat([first, Buffer.from(" and more")]);
  const later = {
    ...kinds,
    cluster: { ...cluster, stored: { ...cluster.stored, dictionaries: [first, second] } },
  };
  expect(eventIn(later, entry(packedEvent(kinds, "cluster", event)))).toEqual(event);
  const packed = packedEvent(later, "cluster", event);
  expect(packed.words).toBe("cluster.2");
  expect(eventIn(later, entry(packed))).toEqual(event);
  expect(() => eventIn(kinds, entry(packed))).toThrow(
    expect.objectContaining({ kind: "Unavailable" }),
  );
});

it("packs by the dictionaries that logs were packed by: none is changed or taken away", () => {
  const dictionaries = namesOf(kinds).flatMap((kind) =>
    (definitionOf(kinds, kind).stored?.dictionaries ?? []).map((text, n) => [
      `${kind}.${n + 1}`,
      createHash("sha256").update(text).digest("hex").slice(0, 16),
    ]),
  );
  expect(Object.fromEntries(dictionaries)).toEqual({
    "cluster.1": "2b7a7939f1f22d0c",
    "operation.1": "5c14dd3a48735b5e",
  });
});
