import { expect, it } from "vitest";
import * as z from "zod";
import { masked, merged } from "../../../../core/kernel/input/patch.ts";
import { referenceInputSchema } from "../../../../core/kernel/input/reference.ts";

const schema = z.object({
  version: referenceInputSchema.optional(),
  sets: z.record(z.string(), z.object({ type: referenceInputSchema.optional(), size: z.int() })),
});
const current = {
  version: { id: "4-17-3", name: "4-17-3", shared: true },
  sets: { workers: { type: { id: "t1", name: "small" }, size: 2 } },
};

it.each([
  [{ id: "4-18-1" }, { id: "4-18-1" }],
  [{ name: "4-18-1" }, { name: "4-18-1" }],
  ["4-18-1", "4-18-1"],
  [
    { id: "4-18-1", shared: false },
    { id: "4-18-1", shared: false },
  ],
  // What names no other object changes the reference that is there.
  [{ shared: false }, { id: "4-17-3", name: "4-17-3", shared: false }],
  [{ name: null }, { id: "4-17-3", shared: true }],
  [null, undefined],
])("a reference that is given as %j is %j afterwards", (version, wanted) => {
  expect(merged(schema, current, { version }).version).toEqual(wanted);
});

it.each([
  ["version.id", { version: { id: "4-18-1" } }, { id: "4-18-1" }],
  ["version", { version: { name: "4-18-1" } }, { name: "4-18-1" }],
  ["version.name", { version: { id: "4-18-1" } }, { id: "4-18-1" }],
  ["version.shared", { version: { shared: false } }, { ...current.version, shared: false }],
])("a mask of %s with %j makes it %j", (path, change, wanted) => {
  expect(masked(schema, current, change, [path]).version).toEqual(wanted);
});

it("a mask below the key of a map keeps the rest of that entry", () => {
  const change = { sets: { workers: { type: { id: "t2" } } } };
  expect(masked(schema, current, change, ["sets.workers.type.id"]).sets).toEqual({
    workers: { type: { id: "t2" }, size: 2 },
  });
});

it("descends into an object that is there unless a request leaves it out", () => {
  const settings = z.object({ name: z.string().optional(), size: z.int().optional() });
  for (const spec of [settings.optional(), settings.default({}), settings.prefault({})])
    expect(merged(z.object({ spec }), { spec: { name: "a" } }, { spec: { size: 2 } })).toEqual({
      spec: { name: "a", size: 2 },
    });
});
