import { objectKey, totalKeys, unwellHubsPartition } from "../../kernel/object/keys.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import { sumOf } from "../../kernel/store/counters.ts";
import { type Hub, unobservedSince } from "../../resources/hub/model.ts";
import { hubStatusShown } from "../../resources/hub/shown.ts";
import { type Unwell, worstFirst } from "../../resources/hub/unwell.ts";
import { lastSeenOf, usageOfHubs } from "../../resources/hub/usage.ts";
import type { Status } from "./schema.ts";

const shown = 20;
const counted = 4000;

/** A hub that is not ready or is cordoned, with its state. */
export interface UnwellHub {
  unwell: Unwell;
  id: string;
}

/** The hubs that are not ready or are cordoned, worst first. Other hubs are not read. */
export async function unwellHubs({ store }: Records): Promise<UnwellHub[]> {
  // By state, in reverse alphabetical order: beyond the limit, cordoned hubs are left out first.
  const keys = { index: "g2", pk: unwellHubsPartition, only: "keys", reverse: true } as const;
  const { items } = await store.query({ ...keys, limit: counted });
  const keysFound = items.map(({ g2sk }) => String(g2sk));
  return worstFirst.flatMap((unwell) =>
    keysFound
      .filter((key) => key.startsWith(`${unwell}#`))
      .map((key) => ({ unwell, id: key.slice(unwell.length + 1) })),
  );
}

/** The hubs of these ids that still exist. */
export async function hubsInStatus({ store, kinds }: Records, unwell: readonly UnwellHub[]) {
  const items = await store.getMany(unwell.map(({ id }) => objectKey("hub", id)));
  return items.flatMap((item) => (item ? [objectIn<"hub">(kinds, item)] : []));
}

/** The number of hubs by state, and the first hubs that are not ready or are cordoned. */
export async function hubsByState(
  records: Records,
  entries: readonly UnwellHub[],
): Promise<Status["hubs"]> {
  const { store } = records;
  const [total, hubs] = await Promise.all([
    sumOf(store, totalKeys("hub")),
    hubsInStatus(records, entries.slice(0, shown)),
  ]);
  const as = (unwell: Unwell) => entries.filter((entry) => entry.unwell === unwell).length;
  const [usage, seen] = await Promise.all([usageOfHubs(store, hubs), lastSeenOf(store, hubs)]);
  return {
    total,
    ready: Math.max(0, total - entries.length),
    cordoned: as("CORDONED"),
    incomplete: as("INCOMPLETE"),
    pending: as("PENDING"),
    unreachable: as("UNREACHABLE"),
    unobserved: as("UNOBSERVED"),
    items: hubs.flatMap((hub, n) => {
      const control_planes = usage[n]?.control_planes;
      if (!control_planes) return [];
      const { state, message } = hubStatusShown(hub);
      const since = wrongSince(hub);
      return {
        id: hub.id,
        name: hub.metadata.name,
        state,
        cordoned: hub.spec.cordoned === true,
        unobserved: unobservedSince(hub) !== undefined,
        ...(message === undefined ? {} : { message }),
        ...(since === undefined ? {} : { since }),
        ...seen[n],
        control_planes,
      };
    }),
  };
}

/** The start of the failure of a direction, or of the agent's watch; the worst fault counts. */
export function wrongSince({ status: { conditions = [] } }: Hub): string | undefined {
  const isWrong = ({ status }: { status: string }) => status === "CONDITION_STATUS_FALSE";
  const wrong = conditions.filter(isWrong);
  const [since] = (["REACHED", "HEARD", "OBSERVED"] as const).flatMap((direction) =>
    wrong.flatMap(({ type, last_transition_time: time }) =>
      type === `HUB_CONDITION_TYPE_${direction}` ? [time] : [],
    ),
  );
  return since;
}
