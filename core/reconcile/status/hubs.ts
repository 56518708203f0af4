import { objectKey, totalKeys, unwellHubsPartition } from "../../kernel/object/keys.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import { sumOf } from "../../kernel/store/counters.ts";
import type { Hub } from "../../resources/hub/model.ts";
import { hubStatusShown } from "../../resources/hub/shown.ts";
import { type Unwell, worstFirst } from "../../resources/hub/unwell.ts";
import { lastSeenOf, usageOfHubs } from "../../resources/hub/usage.ts";
import type { Status } from "./schema.ts";

const shown = 20;
const counted = 4000;

/** How many hubs there are by state, and the first of those that are not well. Well ones are not read. */
export async function hubsByState(records: Records): Promise<Status["hubs"]> {
  const { store, kinds } = records;
  // By what they are, from the end of the alphabet: of more than are counted, cordoned ones are left out first.
  const keys = { index: "g2", pk: unwellHubsPartition, only: "keys", reverse: true } as const;
  const [total, { items }] = await Promise.all([
    sumOf(store, totalKeys("hub")),
    store.query({ ...keys, limit: counted }),
  ]);
  const entries = items.map(({ g2sk }) => entryIn(String(g2sk)));
  const as = (unwell: Unwell) => entries.filter((entry) => entry.unwell === unwell).length;
  const first = worstFirst
    .flatMap((unwell) => entries.filter((entry) => entry.unwell === unwell))
    .slice(0, shown)
    .map(({ id }) => objectKey("hub", id));
  const hubs = (await store.getMany(first)).flatMap((item) =>
    item ? [objectIn<"hub">(kinds, item)] : [],
  );
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
      return {
        id: hub.id,
        name: hub.metadata.name,
        state,
        cordoned: hub.spec.cordoned === true,
        ...(message === undefined ? {} : { message }),
        ...sinceOf(hub),
        ...seen[n],
        control_planes,
      };
    }),
  };
}

/** Since when a direction does not work, or the agent does not watch; what is worst first. */
function sinceOf({ status: { conditions = [] } }: Hub): { since?: string } {
  const isWrong = ({ status }: { status: string }) => status === "CONDITION_STATUS_FALSE";
  const wrong = conditions.filter(isWrong);
  const [since] = (["REACHED", "HEARD", "OBSERVED"] as const).flatMap((direction) =>
    wrong.flatMap(({ type, last_transition_time: time }) =>
      type === `HUB_CONDITION_TYPE_${direction}` ? [time] : [],
    ),
  );
  return since === undefined ? {} : { since };
}

function entryIn(key: string): { unwell: string; id: string } {
  const at = key.indexOf("#");
  return { unwell: key.slice(0, at), id: key.slice(at + 1) };
}
