import type { Deps } from "../deps.ts";
import { asOperationId } from "../id.ts";
import { ticketKey, ticketPartition } from "../kernel/object/keys.ts";
import type { Operation } from "../kernel/saga/operation.ts";
import type { Item, Store, Write } from "../kernel/store/store.ts";
import { type Cluster, knownNodeSets } from "../resources/cluster/model.ts";
import { poolName, poolUses } from "../resources/site/model.ts";
import { type Candidate, couldServe, mismatch, type Needs, type Wish } from "./choose.ts";
import { candidates, candidatesOf } from "./hubs.ts";

/**
 * The queue of orders that wait for a class of scarce thing, in order of arrival. A waiting order
 * holds nothing but its tickets. A newcomer may not take from a hub what an earlier ticket waits
 * for there. Where a hub could never serve it, a ticket keeps nobody from anything; it keeps its
 * place for when hosts are added.
 */

/** Classes of scarce things. */
export const slotClass = "slot";
export const hostClass = (hostType: string): string => `host:${hostType}`;
/** Whoever waits for a place at all: told when a hub changes; it keeps nobody from anything. */
export const hubClass = "hub";

/** Of a pool of numbers: whoever is there in its line is served before others, wherever its hub is. */
export const numbersClass = (pool: string): string => `numbers:${pool}`;
export const isOfNumbers = (scarce: string): boolean => scarce.startsWith("numbers:");

type TicketHolder = Pick<Cluster, "spec" | "applied" | "applying" | "site">;

/** The classes that an order may have a ticket of. */
export function classesOf(cluster: TicketHolder): string[] {
  const { site } = cluster;
  const types = Object.values(knownNodeSets(cluster)).map((set) => hostClass(set.host_type.name));
  const numbers = site ? poolUses.map((use) => numbersClass(poolName(site.id, use))) : [];
  return [hubClass, slotClass, ...new Set(types), ...numbers];
}

export interface Ticket {
  operation: string;
  step: string;
  wish: Wish;
  /** It keeps nobody from a hub that has fewer hosts than this altogether. */
  needs: Needs;
}

const keyOf = (scarce: string, operation: Operation) =>
  ticketKey(scarce, operation.metadata.creation_timestamp, operation.id);

export const takeTicket = (scarce: string, operation: Operation, ticket: Ticket): Write => ({
  put: { ...keyOf(scarce, operation), ticket: JSON.parse(JSON.stringify(ticket)) },
});

export const dropTicket = (scarce: string, operation: Operation): Write => ({
  delete: keyOf(scarce, operation),
});

/** The ticket in an item. Only this module writes such items, so their shape is known. */
export const ticketIn = (item: Item): Ticket => item.ticket as unknown as Ticket;

/** The tickets of a class, first come first; up to a place in the queue. Strongly consistent. */
async function* queue(store: Store, scarce: string, to?: string): AsyncGenerator<Ticket> {
  let cursor: string | undefined;
  do {
    const page = await store.query({
      pk: ticketPartition(scarce),
      limit: 50,
      ...(to === undefined ? {} : { range: { to } }),
      ...(cursor === undefined ? {} : { cursor }),
    });
    yield* page.items.map(ticketIn);
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/** An operation's place in a line of numbers, 1 for the next; counted as `placeInLine` counts. */
export async function placeInNumbers(
  store: Store,
  scarce: string,
  operation: Operation,
): Promise<number> {
  let place = 1;
  for await (const ticket of queue(store, scarce, keyOf(scarce, operation).sk)) {
    if (place > placesCounted) break;
    if (ticket.operation !== operation.id) place += 1;
  }
  return place;
}

/** How many wait in a line, counted as places in it are. */
export async function lengthOfLine(store: Store, scarce: string): Promise<number> {
  const waiting = new Set<string>();
  for await (const { operation } of queue(store, scarce)) {
    waiting.add(operation);
    if (waiting.size > placesCounted) break;
  }
  return waiting.size;
}

/** The next in a line of numbers looks again. */
export async function wakeNext(deps: Deps, scarce: string): Promise<void> {
  for await (const { operation, step } of queue(deps.store, scarce)) {
    await deps.looks.look(asOperationId(operation), step);
    return;
  }
}

/** Hubs where somebody before this operation waits for one of the classes, with that class. */
export async function contended(
  store: Store,
  classes: string[],
  operation: Operation,
  hubs: Candidate[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const scarce of classes) {
    let open = hubs.filter(({ hub }) => !found.has(hub.id));
    for await (const ticket of queue(store, scarce, keyOf(scarce, operation).sk)) {
      if (open.length === 0) break;
      if (ticket.operation === operation.id) continue;
      for (const each of open) if (couldServe(each, ticket)) found.set(each.hub.id, scarce);
      open = open.filter(({ hub }) => !found.has(hub.id));
    }
  }
  return found;
}

/** Who stands further back is not told the exact place. */
export const placesCounted = 100;

/**
 * An operation's place in line, 1 for the next: how many before it wait for one of the classes
 * where it waits too. Counted up to `placesCounted`; one more stands for every place behind.
 */
export async function placeInLine(
  store: Store,
  classes: Iterable<string>,
  operation: Operation,
  hubs: Candidate[],
): Promise<number> {
  const ahead = new Set<string>();
  for (const scarce of classes) {
    for await (const ticket of queue(store, scarce, keyOf(scarce, operation).sk)) {
      if (ahead.size === placesCounted) break;
      if (ticket.operation !== operation.id && hubs.some((each) => couldServe(each, ticket)))
        ahead.add(ticket.operation);
    }
  }
  return ahead.size + 1;
}

/** How many of those who could use a hub are told; each that is served leaves the queue, which tells the next. */
const told = (scarce: string): number => (scarce === hubClass ? 50 : 3);

/** Who waits for a hub at all hears of every one; it learns there what it lacks. */
const concerns = (scarce: string, hub: Candidate, ticket: Ticket): boolean =>
  scarce === hubClass ? mismatch(hub.hub, ticket.wish) === undefined : couldServe(hub, ticket);

/**
 * Something of these classes came free on a hub, or a place in their queues for those who could
 * use the same hubs: the first in line look again.
 */
export async function wakeQueues(
  deps: Deps,
  classes: Iterable<string>,
  where: { hub: string } | { wish: Wish },
): Promise<void> {
  const hubs = await hubsAt(deps.store, where);
  const woken = new Set<string>();
  for (const scarce of new Set(classes)) {
    const left = new Map(hubs.map((hub) => [hub, told(scarce)]));
    for await (const ticket of queue(deps.store, scarce)) {
      if (left.size === 0) break;
      const able = [...left].filter(([hub]) => concerns(scarce, hub, ticket));
      for (const [hub, n] of able) {
        if (n > 1) left.set(hub, n - 1);
        else left.delete(hub);
      }
      if (able.length === 0 || woken.has(ticket.operation)) continue;
      woken.add(ticket.operation);
      await deps.looks.look(asOperationId(ticket.operation), ticket.step);
    }
  }
}

/** How many of those who need more hosts than a hub has are told when that changes. */
const toldOfCount = 50;

/**
 * A hub has got more hosts of a type, or fewer: those who need just as many as it has now, or
 * more, look again and say so.
 */
export async function wakeShort(deps: Deps, hub: Candidate, hostType: string): Promise<void> {
  let left = toldOfCount;
  for await (const { operation, step, wish, needs } of queue(deps.store, hostClass(hostType))) {
    if (left === 0) break;
    if (mismatch(hub.hub, wish) !== undefined) continue;
    if ((needs[hostType] ?? 0) < (hub.hosts[hostType] ?? 0)) continue;
    left -= 1;
    await deps.looks.look(asOperationId(operation), step);
  }
}

async function hubsAt(store: Store, where: { hub: string } | { wish: Wish }): Promise<Candidate[]> {
  if ("hub" in where) return candidatesOf(store, [where.hub]);
  return (await candidates(store)).filter(({ hub }) => mismatch(hub, where.wish) === undefined);
}
