import { isDeepStrictEqual } from "node:util";
import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import { liveIn, load } from "../../kernel/object/records.ts";
import type { Item, StreamRecord } from "../../kernel/store/store.ts";
import { silentDpus } from "../../placement/pool/silent-dpu.ts";
import type { Host } from "../host/model.ts";
import { healthSourceOf } from "./health.ts";

/**
 * A listener of the relay: copies from a host's record which of its DPUs are silent, because only that record
 * shows it.
 */
export async function followSilence(
  deps: Deps,
  record: Pick<StreamRecord, "before" | "after">,
): Promise<void> {
  const of = (item: Item | undefined) => liveIn(deps.kinds, ["host"], item);
  const [before, after] = [of(record.before), of(record.after)];
  if (!after || isDeepStrictEqual(before && silentDpus(before), silentDpus(after))) return;
  await noteSilentDpus(deps, after);
}

/** Records in each DPU of a host whether it is silent. */
export async function noteSilentDpus(deps: Deps, host: Host): Promise<void> {
  for (const id of host.dpus ?? []) {
    if (!(await load(deps, "dpu", id))) continue;
    await changeObject(deps, "dpu", id, async ({ silent: known, ...dpu }) => {
      // Read again, because the given host may be outdated.
      const now = await load(deps, "host", host.id);
      const alert = now && silentDpus(now).find(({ source }) => source === healthSourceOf(dpu));
      const silent = alert && { since: alert.since, message: alert.message };
      return isDeepStrictEqual(silent, known) ? undefined : { ...dpu, ...(silent && { silent }) };
    });
  }
}
