import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  absent,
  eq,
  exists,
  type Store,
  TransactionRefused,
} from "../../../../core/kernel/store/store.ts";
import { scheduled } from "../../../support/scheduled-store.ts";
import { tries } from "../../../support/seed.ts";
import type { Subject } from "./contract.ts";

/** True when written; false when a condition did not hold. */
async function written(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}

/** What writers do to one partition: claim a thing, add one to a number they have read, hand a token on. */
const deed = fc.oneof(
  fc.record({ does: fc.constant("claim" as const), thing: fc.constantFrom("x", "y") }),
  fc.record({ does: fc.constant("raise" as const) }),
  fc.record({
    does: fc.constant("hand on" as const),
    from: fc.constantFrom("left", "middle"),
    to: fc.constantFrom("middle", "right"),
  }),
);
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

async function perform(store: Store, pk: string, each: Deed): Promise<boolean> {
  const key = (sk: string) => ({ pk, sk });
  if (each.does === "claim") return written(store.transact([{ put: key(each.thing), if: absent }]));
  if (each.does === "raise") {
    const n = Number((await store.get(key("number")))?.n);
    const update = { update: key("number"), set: { n: n + 1 }, if: eq("n", n) };
    return written(store.transact([update]));
  }
  if (each.from === each.to) return false;
  return written(
    store.transact([
      { delete: key(each.from), if: exists },
      { put: key(each.to), if: absent },
    ]),
  );
}

export function holdsInRaces(subject: Subject, runs: number): void {
  it("lets each condition hold for one writer at a time, in whatever order writers meet", async () => {
    const writers = fc.array(fc.array(deed, { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), writers, async (scheduler, all) => {
        const pk = subject.unique();
        await subject.store().transact([{ put: { pk, sk: "number", n: 0 } }]);
        await subject.store().transact([{ put: { pk, sk: "left" } }]);
        const store = scheduled(subject.store(), scheduler);
        const won: Deed[] = [];
        const working = all.map(async (deeds) => {
          for (const each of deeds) if (await perform(store, pk, each)) won.push(each);
        });
        await scheduler.waitFor(Promise.all(working));

        const { items } = await subject.store().query({ pk });
        const there = items.map(({ sk }) => sk);
        const claims = won.flatMap((each) => (each.does === "claim" ? [each.thing] : []));
        expect(claims.toSorted()).toEqual(there.filter((sk) => sk === "x" || sk === "y"));
        const raised = won.filter(({ does }) => does === "raise").length;
        expect(items.find(({ sk }) => sk === "number")?.n).toBe(raised);
        expect(there.filter((sk) => ["left", "middle", "right"].includes(sk))).toHaveLength(1);
        // Who asked for something that nobody else had has it.
        const asked = all.flat().flatMap((each) => (each.does === "claim" ? [each.thing] : []));
        expect(new Set(claims)).toEqual(new Set(asked));
      }),
      tries(runs),
    );
  });
}
