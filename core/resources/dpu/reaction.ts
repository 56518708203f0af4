import { isDeepStrictEqual } from "node:util";
import type { Reaction } from "../../kernel/relay/reaction.ts";
import { noteHealth } from "../host/take-health.ts";
import { healthOf, healthSourceOf } from "./health.ts";
import type { Dpu } from "./model.ts";

/** Adds the health of a DPU to its host's. */
export const reaction: Reaction<"dpu"> = {
  async changed(deps, before, after) {
    if (isDeepStrictEqual(before ? partOf(before) : nothing, partOf(after))) return;
    await noteHealth(deps, after.spec.host.id, healthSourceOf(after), healthOf(after));
  },
  removed: (deps, before) =>
    noteHealth(deps, before.spec.host.id, healthSourceOf(before), { successes: [], alerts: [] }),
};

const nothing: ReturnType<typeof partOf> = {
  health: { successes: [], alerts: [] },
  ...{ at: undefined, heard: undefined },
};

/**
 * The members of a DPU on which its host depends. The report times are included, because they show the host
 * that the DPU is not silent.
 */
const partOf = (dpu: Dpu) => ({
  health: healthOf(dpu),
  ...{ at: dpu.told?.health?.at, heard: dpu.heard_at },
});
