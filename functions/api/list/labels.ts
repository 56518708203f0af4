import type { Label } from "../../../core/kernel/object/metadata.ts";
import type { Filter, Pin } from "./filter.ts";

/** The labels in filters. */

const path = "this.metadata.labels.";

/** The labels that an object must have for the filter to match. */
export const labelsIn = ({ pinned }: Filter): Label[] => [...pinned].flatMap(labelsOf);

/** The label that is all that the filter asks for, if there is one. */
export const labelAlone = ({ only }: Filter): Label | undefined =>
  only ? labelsOf(only)[0] : undefined;

const labelsOf = ([at, value]: Pin): Label[] =>
  at.startsWith(path) ? [{ key: at.slice(path.length), value }] : [];
