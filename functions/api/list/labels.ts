import type { Metadata } from "../../../core/kernel/object/metadata.ts";
import type { Caller } from "../../../core/kernel/request/caller.ts";
import type { Required, Test } from "./required.ts";

/** The labels in filters. */

/** A label that an object has: with this value or, without a value, with any that is not empty. */
export interface LabelTest {
  key: string;
  value?: string;
}

/** What a filter requires of labels: an object passes one test of each list. */
export type LabelTests = LabelTest[][];

const path = "this.metadata.labels.";

/** What must hold of an object's labels for a filter to match, as far as the caller's entries can say. */
export const labelsIn = ({ required }: Required, caller: Caller): LabelTests =>
  required.flatMap((tests) => {
    const labels = tests.flatMap(labelOf);
    const isServed =
      labels.length === tests.length && labels.every((each) => hasEntries(each, caller));
    return isServed ? [labels] : [];
  });

/** Whether a filter asks for such labels and nothing else. */
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
 * Whether there are entries for a test of a label. Administrators of all tenants have none for labels of
 * any value: an index for them would be written with each label of everybody.
 */
const hasEntries = ({ value }: LabelTest, { everywhere }: Caller): boolean =>
  value !== undefined || !everywhere;
