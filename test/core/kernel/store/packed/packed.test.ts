import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { dictionaries } from "../../../../../core/kernel/store/packed/dictionaries.ts";
import {
  type PackedItem,
  packed,
  storedSize,
  unpacked,
} from "../../../../../core/kernel/store/packed/packed.ts";
import { sizeOfItem } from "../../../../../core/kernel/store/size.ts";
import type { Item } from "../../../../../core/kernel/store/store.ts";

const key = { pk: "operation#1", sk: "-" };
const words = "words that come again; ".repeat(60);
const large: Item = { ...key, g1pk: "g", g1sk: "s", revision: 3, map: { words }, list: [words] };

it("packs what is in maps and lists of an item of more than a kilobyte", () => {
  const stored = packed(large);
  const { packed1, ...others } = stored;
  const stub = new Uint8Array();
  expect(others).toEqual({ ...large, map: stub, list: stub });
  expect(packed1).toBeInstanceOf(Uint8Array);
  expect(storedSize(large)).toBe(sizeOfItem(stored));
  expect(storedSize(large)).toBeLessThan(300);
  expect(unpacked(stored)).toEqual(large);
});

const whole: [string, Item][] = [
  ["of a kilobyte or less", { ...key, map: { a: "x".repeat(900) } }],
  ["without maps and lists", { ...key, text: words }],
  ["that would take more", { ...key, text: words, map: { a: 1 } }],
];

it.each(whole)("leaves an item %s as it is", (_, item) => {
  expect(packed(item)).toEqual(item);
  expect(unpacked(packed(item))).toEqual(item);
});

it("answers what an update has set in the place of what was packed, and not what it removed", () => {
  const { list: _, ...stored }: PackedItem = { ...packed(large), map: { new: "words" } };
  const { list: __, ...left }: Item = large;
  expect(unpacked(stored)).toEqual({ ...left, map: { new: "words" } });
});

it("is Unavailable for an item that a later version has packed", () => {
  const { packed1 = null, ...others } = packed(large);
  const later = { ...others, packed99: packed1 } as typeof others;
  expect(() => unpacked(later)).toThrow(expect.objectContaining({ kind: "Unavailable" }));
});

it("has the dictionaries that stored items were packed by", () => {
  const hashes = dictionaries.map((each) => createHash("sha256").update(each).digest("hex"));
  expect(hashes).toEqual(["fdd8fdaf2c694a5d6ad4aa95ace3bf8a01ccb8422351165d141f6f8b9e8deb60"]);
});
