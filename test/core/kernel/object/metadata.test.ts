import { expect, it } from "vitest";
import { metadataInputSchema } from "../../../../core/kernel/object/metadata.ts";

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key-${n}`, "v"]));
const isTaken = (metadata: object) =>
  metadataInputSchema.safeParse({ name: "x", ...metadata }).success;

it.each([
  ["32 labels", { labels: keys(32) }, { labels: keys(33) }],
  ["64 annotations", { annotations: keys(64) }, { annotations: keys(65) }],
  ["a label of 63 letters", { labels: { a: "x".repeat(63) } }, { labels: { a: "x".repeat(64) } }],
  [
    "an annotation of 256 KiB",
    { annotations: { a: "x".repeat(262_144) } },
    { annotations: { a: "x".repeat(262_145) } },
  ],
  ["a name of 63 letters", { name: "x".repeat(63) }, { name: "x".repeat(64) }],
])("metadata may have %s, and no more", (_, most, more) => {
  expect([isTaken(most), isTaken(more)]).toEqual([true, false]);
});
