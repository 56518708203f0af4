import { beforeAll, describe, expect, it } from "vitest";
import { countChanges } from "../../bench/cost/changes.ts";
import { dollarsOf, total } from "../../bench/cost/dollars.ts";
import { type Counts, counted } from "../../bench/cost/meter.ts";

/**
 * What each kind of change takes of AWS, as it was last agreed to. Who makes one dearer says why and
 * writes the new number here and in docs/deploy.md; who makes one much cheaper writes it down too, so
 * that it stays so.
 */
const golden: Record<string, Counts> = {
  "cluster-create": {
    transitions: 14,
    tableWriteUnits: 871,
    indexWriteUnits: 75,
    readUnits: 1076,
    events: 34,
    reports: 21,
    requests: 1,
    steps: 12,
    looks: 9,
    relayBatches: 56,
    storeCalls: 1086,
    awsCalls: 58,
    outsideCalls: 230,
  },
  "cluster-scale": {
    transitions: 5,
    tableWriteUnits: 379,
    indexWriteUnits: 33,
    readUnits: 606,
    events: 17,
    reports: 16,
    requests: 1,
    steps: 5,
    looks: 1,
    relayBatches: 25,
    storeCalls: 525,
    awsCalls: 25,
    outsideCalls: 33,
  },
  "cluster-delete": {
    transitions: 10,
    tableWriteUnits: 535,
    indexWriteUnits: 52,
    readUnits: 614,
    events: 22,
    reports: 12,
    requests: 1,
    steps: 10,
    looks: 3,
    relayBatches: 20,
    storeCalls: 609,
    awsCalls: 38,
    outsideCalls: 62,
  },
};

/** Dollars per thousand: of clusters made and deleted, of changes of size. */
const most = { life: 2.15, scale: 0.6 };

let counts: Record<string, Counts>;
beforeAll(async () => {
  counts = await countChanges();
});

const countsOf = (change: string): Counts => {
  const found = counts[change];
  if (!found) throw new Error(`${change} was not counted`);
  return found;
};

/** How relayed records fall into batches depends on ids; of small counts one more is many. */
const room = (name: keyof Counts): number =>
  name === "transitions" ? 0 : name === "relayBatches" ? 15 : 2;

describe.each(Object.entries(golden))("%s", (change, expected) => {
  it.each(counted)("%s", (name) => {
    const count = countsOf(change)[name];
    expect(count).toBeLessThanOrEqual(expected[name] * 1.05 + room(name));
    expect(count).toBeGreaterThanOrEqual(expected[name] * 0.85 - room(name));
  });
});

it("a cluster's life and a change of its size cost no more than was agreed to", () => {
  const perThousand = (change: string) => 1000 * total(dollarsOf(countsOf(change)));
  const life = perThousand("cluster-create") + perThousand("cluster-delete");
  expect(life).toBeLessThanOrEqual(most.life);
  expect(perThousand("cluster-scale")).toBeLessThanOrEqual(most.scale);
});
