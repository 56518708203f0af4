import { expect, it } from "vitest";
import { dollarsOf, total } from "../../bench/cost/dollars.ts";
import { changesOfLife } from "../../bench/ops/changes.ts";
import { golden } from "../../bench/ops/golden.ts";

/** Dollars per thousand, logs and traces included: of clusters made and deleted, of changes of size. */
const most = { life: 1.8, scale: 0.42 };

/** What `test/bench/ops.test.ts` holds to be so. */
function perThousand(change: keyof typeof changesOfLife): number {
  const taken = golden()[changesOfLife[change]];
  if (!taken) throw new Error(`${change} was not counted`);
  return 1000 * total(dollarsOf(taken.counts));
}

it("a cluster's life and a change of its size cost no more than was agreed to", () => {
  expect(perThousand("create") + perThousand("delete")).toBeLessThanOrEqual(most.life);
  expect(perThousand("scale")).toBeLessThanOrEqual(most.scale);
});
