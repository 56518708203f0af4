import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { longFiles, restingFiles } from "./long-files.ts";

it("names files that are there, each once", () => {
  expect(longFiles.filter((file) => !existsSync(file))).toEqual([]);
  expect(new Set(longFiles).size).toBe(longFiles.length);
});

it("runs each long file with one commit of three, whatever their hashes, and all in the whole matrix", () => {
  expect(restingFiles("whole")).toEqual([]);
  const runs = ["a1b2c30", "a1b2c31", "a1b2c32"].map((share) => {
    const resting = new Set(restingFiles(share));
    return longFiles.filter((file) => !resting.has(file));
  });
  expect(runs.flat().toSorted()).toEqual(longFiles.toSorted());
});
