import { expect, it } from "vitest";
import { listedOrphans, type Orphan, toldOf } from "../../../core/ports/orphan.ts";
import { orphansSchema } from "../../../core/ports/orphans-wire.ts";

const orphan = (id: string): Orphan => ({
  system: "fabric",
  kind: "network",
  id,
  owner: { kind: "cluster", id: "c1" },
  number: "3999",
  first_seen: "2026-01-01T00:00:00.000Z",
});

/** As the API answers it, and nothing more. */
const answer = orphansSchema.extend({
  items: orphansSchema.shape.items.element.strict().array(),
});

it("a status tells of orphans in the words of the API", () => {
  const told = toldOf([orphan("a")]);
  expect(answer.parse(told)).toEqual(told);
  const { owner: _, ...known } = orphan("a");
  expect(told).toEqual({ count: 1, items: [{ ...known, cluster: "c1" }] });
});

it("a status lists the first of many, and counts all", () => {
  const many = Array.from({ length: listedOrphans + 10 }, (_, n) => orphan(`${n}`));
  const { count, items } = toldOf(many);
  expect(count).toBe(many.length);
  expect(items.map(({ id }) => id)).toEqual(many.slice(0, listedOrphans).map(({ id }) => id));
});
