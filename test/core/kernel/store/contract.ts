import { afterAll, beforeAll, describe } from "vitest";
import type { Store } from "../../../../core/kernel/store/store.ts";
import { keepsLargeItems } from "./contract-large.ts";
import { agreesWithModel } from "./contract-property.ts";
import { answersQueries } from "./contract-queries.ts";
import { holdsInRaces } from "./contract-races.ts";
import { refusesMisuse } from "./contract-refusals.ts";
import { makesWrites } from "./contract-writes.ts";

export interface Opened {
  store: Store;
  close(): Promise<void> | void;
}

/** What the tests of the contract work with: one store, and names that no other test uses. */
export interface Subject {
  store(): Store;
  unique(): string;
}

/** What every adapter of the store port does. `runs` bounds the property test. */
export function storeContract(name: string, open: () => Promise<Opened>, runs = 100): void {
  describe(`the store contract: ${name}`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());

    let names = 0;
    const subject: Subject = {
      store: () => opened.store,
      // A table over the wire may still hold what an earlier run left.
      unique: () => `t${process.pid}-${Date.now().toString(36)}-${names++}-`,
    };

    makesWrites(subject);
    keepsLargeItems(subject);
    refusesMisuse(subject);
    answersQueries(subject);
    agreesWithModel(subject, runs);
    holdsInRaces(subject, runs);
  });
}
