import type { Operating } from "../../kernel/saga/operated.ts";
import { leafOf } from "./leaf.ts";
import type { Dpu } from "./model.ts";
import { wanting } from "./network.ts";

/** The changes of a DPU at the start and the end of its operation. */
export const operated: Operating<"dpu"> = {
  started: (dpu, operation) => ({ ...unprovisioned(dpu), operation }),
  ended(dpu, { at, failure }) {
    const { operation: _, queued: __, boot: ___, ...rest } = dpu;
    if (!failure) return { ...rest, isProvisioned: true, installed_at: at };
    const { step, message } = failure;
    return { ...rest, failure, quarantine: { since: at, reason: message, ...(step && { step }) } };
  },
  placeOf: ({ hub }) => ({ kind: "hub", id: hub }),
};

/**
 * An installation erases the applied configuration and makes earlier reports invalid; until it ends, the host
 * reaches nothing.
 */
function unprovisioned(dpu: Dpu): Dpu {
  const { failure: _, quarantine: __, isProvisioned: ___, boot: ____, ...rest } = dpu;
  const { told: _____, applied: ______, ...installed } = rest;
  const leaf = leafOf(dpu);
  return leaf ? wanting(installed, { leaf }) : installed;
}
