import type { Deps } from "../../core/kernel/deps.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { poolKey } from "../../core/kernel/object/hub-keys.ts";
import { ticketPartition } from "../../core/kernel/object/keys.ts";
import { archive, mustLoad } from "../../core/kernel/object/records.ts";
import { relay } from "../../core/kernel/relay/relay.ts";
import { countHost } from "../../core/placement/pool/host-counts.ts";
import type { Host } from "../../core/resources/host/model.ts";
import type { HubSpec } from "../../core/resources/hub/model.ts";
import type { ProcessDeps } from "../../local/process-deps.ts";
import { sagas } from "../../statemachines/index.ts";
import { type TestDeps, testDeps } from "./deps.ts";
import { addOrder, type Order, reserveFor } from "./placement.ts";

/** Orders that wait, and what the provider does meanwhile. */

/** Deps whose stream is relayed when the test says so; `looked` are the operations told to look again. */
export interface Waiting extends TestDeps {
  looked: string[];
  /** Relays what was written since; answers who was told. */
  relayed(): Promise<string[]>;
}

export function waitingDeps(overrides: Partial<ProcessDeps> = {}): Waiting {
  const looked: string[] = [];
  let after: string | undefined;
  const rechecks = { request: async (operation: string) => void looked.push(operation) };
  const deps = testDeps({ rechecks, ...overrides });
  return {
    ...deps,
    looked,
    async relayed() {
      looked.length = 0;
      for (;;) {
        const records = deps.store.stream(after, 100);
        if (records.length === 0) return [...new Set(looked)];
        for (const record of records) await relay(deps, sagas, record);
        after = records.at(-1)?.sequence;
      }
    },
  };
}

/** Relays, and lets those who are told reserve again, until nobody is told any more. */
export async function untilQuiet(deps: Waiting, orders: Order[]): Promise<void> {
  for (let round = 0; round < 100; round++) {
    const told = await deps.relayed();
    const waiting = orders.filter(({ operation }) => told.includes(operation));
    if (waiting.length === 0) return;
    await Promise.all(waiting.map((order) => reserveFor(deps, order)));
  }
  throw new Error("those who wait wake each other for ever");
}

type Wish = Parameters<typeof addOrder> extends [Deps, ...infer Rest] ? Rest : never;

/** Orders one after the other, each having tried once. */
export async function inLine<Wishes extends Wish[]>(
  deps: Waiting,
  ...wishes: Wishes
): Promise<{ [N in keyof Wishes]: Order }> {
  const orders: Order[] = [];
  for (const wish of wishes) {
    await deps.clock.advance(1);
    const order = await addOrder(deps, ...wish);
    await reserveFor(deps, order);
    orders.push(order);
  }
  await deps.relayed();
  return orders as { [N in keyof Wishes]: Order };
}

export const setHub = (deps: Deps, id: string, spec: Partial<HubSpec>) =>
  changeObject(deps, "hub", id, (hub) => ({
    ...hub,
    generation: hub.generation + 1,
    spec: { ...hub.spec, ...spec },
  }));

/** As the API does: a host that moves leaves its pool. */
export async function setHost(deps: Deps, id: string, spec: Partial<Host["spec"]>): Promise<void> {
  const { spec: was } = await mustLoad(deps, "host", id);
  if (spec.host_type !== undefined || spec.hub !== undefined) {
    const is = { ...was, ...spec };
    await deps.store.transact([
      { delete: poolKey(was.hub, was.host_type, id) },
      ...countHost(
        { hub: was.hub, hostType: was.host_type },
        { hub: is.hub, hostType: is.host_type },
      ),
    ]);
  }
  await changeObject(deps, "host", id, (host) => ({
    ...host,
    generation: host.generation + 1,
    spec: { ...host.spec, ...spec },
  }));
}

/** As the requests to maintain and to release a host do, once the relay has followed. */
export async function setMaintenance(deps: Deps, id: string, isOn: boolean): Promise<void> {
  await changeObject(deps, "host", id, ({ maintenance: _, ...host }) => ({
    ...host,
    ...(isOn && { maintenance: { since: "2026-01-01T00:00:00.000Z", by: "root" } }),
  }));
}

/** As the API does: with its entry in the pool and its place in the count. */
export async function removeHost(deps: Deps, id: string): Promise<void> {
  const host = await mustLoad(deps, "host", id);
  const place = { hub: host.spec.hub, hostType: host.spec.host_type };
  await deps.store.transact([
    ...archive(deps.kinds, host, deps.clock.now()),
    { delete: poolKey(place.hub, place.hostType, id) },
    ...countHost(place, undefined),
  ]);
}

export const ticketsIn = async (deps: Deps, queueName: string): Promise<number> =>
  (await deps.store.query({ pk: ticketPartition(queueName), limit: 1000 })).items.length;
