import { beforeAll, describe, expect, it } from "vitest";
import { countOps } from "../../bench/ops/changes.ts";
import { differences, golden, type Ops, writing } from "../../bench/ops/golden.ts";

/**
 * What a cluster's life and each kind of request take, against `bench/ops/golden.json`. Who makes one
 * dearer says why. The other changes that are there `npm run bench -- ops --check` counts, which is part
 * of `npm run ci`.
 */

let ops: Ops;
beforeAll(async () => {
  ops = await countOps("life");
});

it("a cluster's life and requests take what they took, to the last count", () => {
  expect(differences(golden(), ops), `if it is meant to be so: ${writing}`).toEqual([]);
});

it("nothing that serves an order or a request reads the whole table", () => {
  for (const [name, { details }] of Object.entries({ ...golden(), ...ops }))
    expect(details["storeCalls.Scan"] ?? 0, name).toBe(0);
});

describe("the counts", () => {
  const taken = { counts: { ...Object.values(golden())[0]?.counts }, details: { "a.b": 1 } };
  it.each([
    ["the same", {}, {}, []],
    ["another count", { events: 1 }, {}, ["x: events 2 → 1"]],
    ["another part of a count", {}, { "a.b": 2 }, ["x: a.b 1 → 2"]],
    ["a part that is new", {}, { "a.c": 2 }, ["x: a.c 0 → 2"]],
  ])("of %s: what differs is named", (_, counts, details, expected) => {
    const was = { ...taken, counts: { ...taken.counts, events: 2 } } as Ops[string];
    const is = {
      counts: { ...was.counts, ...counts },
      details: { ...was.details, ...details },
    };
    expect(differences({ x: was }, { x: is })).toEqual(expected);
  });

  it("of a change that was not counted before: it is named", () => {
    expect(differences({}, { x: taken as Ops[string] })).toEqual(["x was not counted before"]);
  });
});
