import { expect, it } from "vitest";
import { asOperationId } from "../../../../core/id.ts";
import type { Failure } from "../../../../core/kernel/object/failure.ts";
import {
  type LifecycleState,
  type Living,
  lifecycleOf,
} from "../../../../core/kernel/object/lifecycle.ts";

const operation = asOperationId("o1");
const failure: Failure = { step: "CreateRouter", kind: "Rejected", message: "no" };
const living = { metadata: {} };
const condemned = { metadata: { deletion_timestamp: "2026-01-01T00:00:00Z" } };

it.each<[string, Living, LifecycleState]>([
  ["that is being made", { ...living, operation }, "PENDING"],
  ["whose creation cannot be undone", { ...living, operation, stuck: failure }, "PENDING"],
  ["that was made", { ...living, made: true }, "READY"],
  ["that changes", { ...living, made: true, operation }, "READY"],
  ["whose change has failed", { ...living, made: true, failure }, "READY"],
  ["that was never made", { ...living, failure }, "FAILED"],
  ["that is being deleted", { ...condemned, made: true, operation }, "DELETING"],
  ["that was never made and is being deleted", { ...condemned, failure, operation }, "DELETING"],
  ["whose deletion waits", { ...condemned, operation, queued: operation }, "DELETING"],
  ["whose deletion is stuck", { ...condemned, operation, stuck: failure }, "DELETE_FAILED"],
  ["whose deletion was cut off", { ...condemned, made: true, failure }, "DELETE_FAILED"],
])("an object %s", (_, object, state) => {
  expect(lifecycleOf(object)).toBe(state);
});
