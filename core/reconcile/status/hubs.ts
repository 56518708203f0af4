import { objectKey, totalKeys, unwellHubsPartition } from "../../kernel/object/keys.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import { sumOf } from "../../kernel/store/counters.ts";
import { type Hub, unobservedSince } from "../../resources/hub/model.ts";
import { hubStatusShown } from "../../resources/hub/shown.ts";
import { type Unwell, worstFirst } from "../../resources/hub/unwell.ts";
import { countersOf, lastSeenOf, usageIn } from "../../resources/hub/usage.ts";
import { readOfEach } from "./attention/source.ts";
import type { Status } from "./schema.ts";

const shown = 20;
const counted = 4000;

/** A hub that is not ready or is cordoned, with its state. */
interface UnwellHub {
  unwell: Unwell;
  id: string;
}

/** The hubs that are not ready or are cordoned, worst first. Other hubs are not read. */
async function unwellHubs({ store }: Records): Promise<UnwellHub[]> {
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

/** The states of hubs that may need an operator; cordoned hubs may also be unwatched. */
const troubled: readonly Unwell[] = ["UNREACHABLE", "UNOBSERVED", "CORDONED"];

interface HubsInStatus {
  /** The number of hubs by state, and the first hubs that are not ready or are cordoned. */
  hubs: Status["hubs"];
  /** The hubs that may need an operator. */
  troubledHubs: Hub[];
}

/** Reads the hubs that are not ready or are cordoned, in two rounds of the store. */
export async function hubsInStatus(records: Records): Promise<HubsInStatus> {
  const { store, kinds } = records;
  const [total, entries] = await Promise.all([sumOf(store, totalKeys("hub")), unwellHubs(records)]);
  const idsOf = (some: readonly UnwellHub[]) => some.map(({ id }) => id);
  const idsAs = (as: Unwell) => idsOf(entries.filter(({ unwell }) => unwell === as));
  const first = idsOf(entries.slice(0, shown));
  const inTrouble = troubled.flatMap((as) => idsAs(as).slice(0, readOfEach));
  const read = [...new Set([...first, ...inTrouble])];
  const [items, counters, seen] = await Promise.all([
    store.getMany(read.map((id) => objectKey("hub", id))),
    countersOf(store, first),
    lastSeenOf(store, first),
  ]);
  const found = items.flatMap((item) => (item ? [objectIn<"hub">(kinds, item)] : []));
  const byId = new Map(found.map((hub) => [hub.id, hub]));
  return {
    hubs: {
      total,
      ready: Math.max(0, total - entries.length),
      cordoned: idsAs("CORDONED").length,
      incomplete: idsAs("INCOMPLETE").length,
      pending: idsAs("PENDING").length,
      unreachable: idsAs("UNREACHABLE").length,
      unobserved: idsAs("UNOBSERVED").length,
      items: first.flatMap((id, n) => {
        const hub = byId.get(id);
        if (!hub) return [];
        const { control_planes } = usageIn(hub, counters[n]);
        return { ...shownHub(hub), ...seen[n], control_planes };
      }),
    },
    troubledHubs: inTrouble.flatMap((id) => byId.get(id) ?? []),
  };
}

function shownHub(hub: Hub) {
  const { state, message } = hubStatusShown(hub);
  const since = wrongSince(hub);
  return {
    ...{ id: hub.id, name: hub.metadata.name, state },
    cordoned: hub.spec.cordoned === true,
    unobserved: unobservedSince(hub) !== undefined,
    ...(message === undefined ? {} : { message }),
    ...(since === undefined ? {} : { since }),
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
