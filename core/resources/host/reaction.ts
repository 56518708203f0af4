import { isDeepStrictEqual } from "node:util";
import { changeObject } from "../../kernel/events/rewrite.ts";
import type { Reaction } from "../../kernel/relay/reaction.ts";
import { standbyOf } from "../../placement/hot-pools/standby.ts";
import { poolPlaceOf } from "../../placement/pool/entries.ts";
import { hostOwnerOf, isManaged, isUsable } from "../../placement/pool/host.ts";
import { adjustPool } from "../../placement/reserve/adjust.ts";
import { onInventoryChanged } from "../../placement/reserve/capacity-freed.ts";
import { requestSweep } from "../hub/sweep-requests.ts";
import { careForHost, workFor } from "./care.ts";
import { tendHotPool } from "./hot-pool.ts";
import type { Host } from "./model.ts";
import { serverOf, withServer } from "./server.ts";
import { noteLateSources } from "./take-health.ts";

export const reaction: Reaction<"host"> = {
  changed: async (deps, before, after) => {
    if (workFor(after)) await careForHost(deps, after.id);
    if (before?.generation === after.generation) {
      await onInventoryChanged(deps, before, after);
      // The process that wrote this may have crashed before it updated the pool.
      const hasMoved =
        isUsable(before) !== isUsable(after) || standbyOf(before) !== standbyOf(after);
      if (hasMoved) await adjustPool(deps, after.id);
      if (isManaged(after)) await tendHotPool(deps, poolPlaceOf(after.spec));
      return;
    }
    await onInventoryChanged(deps, before, after);
    if (hasOtherNics(before, after)) await checkAgain(deps, after.id);
    await adjustPool(deps, after.id);
    if (isManaged(after)) await tendHotPool(deps, poolPlaceOf(after.spec));
    // Sweeps the hub, because it may have reported the agent before the host was registered.
    if (!isSameOnHub(before, after)) await requestSweep(deps.store, after.spec.hub);
  },
  timeCame: noteLateSources,
  removed: (deps, before) => onInventoryChanged(deps, before, undefined),
};

const hasOtherNics = (before: Host | undefined, { spec }: Host): boolean =>
  before !== undefined && !isDeepStrictEqual(before.spec.nics, spec.nics);

/** Starts the discovery of a free host again, because its expected hardware has changed. */
async function checkAgain(deps: Parameters<typeof changeObject>[0], id: Host["id"]): Promise<void> {
  await changeObject(deps, "host", id, (host) => {
    const isFree = isManaged(host) && !hostOwnerOf(host) && host.operation === undefined;
    if (!isFree || serverOf(host).condition !== "READY") return undefined;
    return withServer(host, { condition: "CLEAN" });
  });
}

const isSameOnHub = (before: Host | undefined, { spec }: Host): boolean =>
  before?.spec.hub === spec.hub &&
  spec.nics.every(({ mac }) => before.spec.nics.some((nic) => nic.mac === mac));
