import { ticketsIn, type Waiter } from "../../kernel/claim/ticket.ts";
import type { Deps } from "../../kernel/deps.ts";
import { freeHostsKey } from "../../kernel/object/hub-keys.ts";
import type { Placement } from "../../kernel/object/traits.ts";
import { constraintsOf, type HostSearch } from "../choose/demand.ts";
import { type Candidate, chooseHub } from "../hubs/candidate.ts";
import { hostCounts } from "../pool/host-counts.ts";
import { hostQueue, type TicketsAhead, ticketIn } from "../queues/tickets.ts";

/** Chooses the hub whose hot pools scale up for an order. */

/** Later tickets are not counted. */
const ticketsCounted = 100;

interface HostShortage {
  /** The hosts that the order lacks, by type. */
  lacking: ReadonlyMap<string, number>;
  ahead: TicketsAhead;
  /** The hub that an earlier attempt chose. */
  asked: string | undefined;
}

/**
 * The hub whose hot pools should provide the hosts that an order or an allocation lacks. It could serve the demand now
 * if it had these hosts, and it has a hot pool for each of their types.
 */
export async function scaleUpHub(
  deps: Pick<Deps, "store" | "clock">,
  waiter: Waiter,
  { demand, placement }: { demand: HostSearch; placement: Placement | undefined },
  hubs: Candidate[],
  { lacking, ahead }: Omit<HostShortage, "asked">,
): Promise<string | undefined> {
  const types = [...lacking.keys()];
  const where = constraintsOf(demand, placement);
  const fitting = placement
    ? hubs.filter(({ hub }) => hub.id === placement.hub)
    : chooseHub(hubs, where, deps.clock.now(), demand.slot).fitting;
  const able = fitting
    .filter(({ hub }) => types.every((type) => hub.spec.hot_pools?.[type] !== undefined))
    .map(({ hub }) => hub.id);
  if (types.length === 0 || able.length === 0) return undefined;
  const standing = await ticketsIn(deps.store, types.map(hostQueue), waiter);
  const asked = [...standing.values()].flatMap((item) => ticketIn(item).raises?.hub ?? [])[0];
  return bestScaleUpHub(deps, able, { lacking, ahead, asked });
}

/**
 * Chooses among these hubs, best first, the one with the most hosts for an order: free, coming or idle hosts, less
 * those that earlier tickets wait for there. Keeps an earlier choice unless another hub has more, so that two hubs do
 * not discover servers for one order. Reads nothing if there is no choice; undefined if there is no hub.
 */
export async function bestScaleUpHub(
  { store }: Pick<Deps, "store">,
  hubs: readonly string[],
  { lacking, ahead, asked }: HostShortage,
): Promise<string | undefined> {
  if (hubs.length < 2) return hubs[0];
  const counters = await store.getMany(hubs.map(freeHostsKey));
  const short = new Map(hubs.map((hub) => [hub, 0]));
  for (const [type, count] of lacking) {
    const wanted = await wantedAhead(ahead, type);
    for (const [n, hub] of hubs.entries()) {
      const has = (["type", "coming", "idle"] as const)
        .map((name) => hostCounts(counters[n], name)[type] ?? 0)
        .reduce((sum, each) => sum + each, 0);
      const missing = Math.max(0, count + (wanted.get(hub) ?? 0) - has);
      short.set(hub, (short.get(hub) ?? 0) + missing);
    }
  }
  const least = Math.min(...short.values());
  const best = hubs.filter((hub) => short.get(hub) === least);
  return best.find((hub) => hub === asked) ?? best[0];
}

/** The number of hosts of a type that earlier tickets wait for, by hub. */
async function wantedAhead(ahead: TicketsAhead, hostType: string): Promise<Map<string, number>> {
  const wanted = new Map<string, number>();
  let left = ticketsCounted;
  for await (const { raises } of ahead(hostQueue(hostType))) {
    if (left-- === 0) break;
    if (!raises) continue;
    wanted.set(raises.hub, (wanted.get(raises.hub) ?? 0) + (raises.hosts[hostType] ?? 0));
  }
  return wanted;
}
