import type { Metadata } from "../../../core/kernel/object/metadata.ts";
import type { Caller } from "../../../core/kernel/request/caller.ts";
import type { Required, Test } from "./required.ts";

/** The labels in filters. */

/** A test of a label: this value or, without a value, any that is not empty. */
export interface LabelTest {
  key: string;
  value?: string;
}

/** The labels that a filter requires: an object passes one test of each list. */
export type LabelTests = LabelTest[][];

const path = "this.metadata.labels.";

/** The labels that a filter requires, as far as entries exist for the caller. */
export const labelsIn = ({ required }: Required, caller: Caller): LabelTests =>
  required.flatMap((tests) => {
    const labels = tests.flatMap(labelOf);
    const isServed =
      labels.length === tests.length && labels.every((each) => hasEntries(each, caller));
    return isServed ? [labels] : [];
  });

/** Whether a filter consists of such labels only. */
export const asksForLabels = (filter: Required, caller: Caller): boolean =>
  filter.isAllRequired && labelsIn(filter, caller).length === filter.required.length;

export const passes = ({ labels }: Metadata, tests: LabelTests): boolean =>
  tests.every((each) =>
    each.some(({ key, value }) =>
      value === undefined
        ? Object.hasOwn(labels, key) && labels[key] !== ""
        : labels[key] === value,
    ),
  );

const labelOf = ({ path: at, text, prefix }: Test): LabelTest[] =>
  at.startsWith(path) && prefix === undefined
    ? [{ key: at.slice(path.length), ...(text === undefined ? {} : { value: text }) }]
    : [];

/**
 * Whether the index has entries for a test of a label. Administrators of all tenants have entries
 * only for tests of a value: an index of any value would be written with every label of every
 * tenant.
 */
const hasEntries = ({ value }: LabelTest, { everywhere }: Caller): boolean =>
  value !== undefined || !everywhere;
