import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { noteRoom } from "../../../core/placement/capacity/note-room.ts";
import { adjustPool } from "../../../core/placement/reserve/adjust.ts";
import type { ProcessDeps } from "../../../local/process-deps.ts";
import { askOfHost, cancelOperation } from "../actions.ts";
import { attemptAt } from "../attempt.ts";
import { root } from "../orders.ts";
import {
  addHosts,
  addHub,
  addOrder,
  giveAllBack,
  hostsNamed,
  type Order,
  reserveFor,
} from "../placement.ts";
import { setHub, type Waiting } from "../waiting.ts";
import { type Race, race } from "./race.ts";

/** Claims of hosts and of control-plane slots. */

export const hosts = hostsNamed("s", 3);
export const first = hosts[0] ?? "";

/** A hub with three free hosts. */
export async function aHub(deps: Waiting, capacity = 20): Promise<void> {
  await addHub(deps, "hub", { capacity });
  await addHosts(deps, "hub", "small", hosts);
}

export const labelled = (
  deps: ProcessDeps,
  kind: "cluster" | "host" | "baremetal_instance",
  id: string,
) => changeObject(deps, kind, id, (object) => ({ ...object, generation: object.generation + 1 }));

/** Its hub reports that its agent is not heard, or is there again. */
const reportedOnly = (deps: ProcessDeps, id: string, state: string) =>
  changeObject(deps, "host", id, ({ status, ...host }) => ({
    ...host,
    status: { ...status, ...(status.agent && { agent: { ...status.agent, state } }) },
  }));
export const lost = async (deps: ProcessDeps, id: string): Promise<void> => {
  await reportedOnly(deps, id, "disconnected-unbound");
  await adjustPool(deps, id);
};
export const found = async (deps: ProcessDeps, id: string): Promise<void> => {
  await reportedOnly(deps, id, "known-unbound");
  await adjustPool(deps, id);
};

export const moved = async (deps: ProcessDeps, id: string, rack: string): Promise<void> => {
  await changeObject(deps, "host", id, (host) => ({ ...host, spec: { ...host.spec, rack } }));
  await adjustPool(deps, id);
};
export const maintain = (deps: ProcessDeps, id: string) => askOfHost(deps, root, id, "maintain");
export const cancel = (deps: ProcessDeps, { operation }: Order) =>
  cancelOperation(deps, root, operation);
/** Another attempt of its step begins. */
const overtake = (deps: ProcessDeps, { operation }: Order) =>
  attemptAt(deps, operation, "ReserveCapacity");
const allMaintained = async (deps: ProcessDeps): Promise<void> => {
  for (const host of hosts) await maintain(deps, host);
};

interface Orders {
  order: Order;
  rival: Order;
}
const twoOrders = async (deps: Waiting, capacity?: number): Promise<Orders> => {
  await aHub(deps, capacity);
  const order = await addOrder(deps, "own", { small: 2 });
  await deps.clock.advance(1);
  return { order, rival: await addOrder(deps, "rival", { small: 2 }) };
};

const givenUp = async (deps: Waiting): Promise<Orders> => {
  const orders = await twoOrders(deps);
  await reserveFor(deps, orders.order);
  return orders;
};

const roomOthers: Race["others"] = {
  "it is noted": (deps) => noteRoom(deps, "hub"),
  "its hosts are lost": (deps) => lost(deps, first),
  "it moves to another region, which is noted": async (deps) => {
    await setHub(deps, "hub", { region: "us" });
    await noteRoom(deps, "hub");
  },
};

export const capacityRaces: Record<string, Race> = {
  "an order reserves": race<Orders>({
    begin: twoOrders,
    act: (deps, { order }) => reserveFor(deps, order),
    others: {
      "another order reserves": (deps, { rival }) => reserveFor(deps, rival),
      "another attempt reserves": (deps, { order }) => reserveFor(deps, order),
      "it is cancelled": (deps, { order }) => cancel(deps, order),
      "another attempt begins": (deps, { order }) => overtake(deps, order),
      "its record changes": (deps, { order }) => labelled(deps, "cluster", order.cluster),
      "its hub is cordoned": (deps) => setHub(deps, "hub", { cordoned: true }),
      "the hosts go into maintenance": allMaintained,
      "a host is lost": (deps) => lost(deps, first),
    },
  }),
  "an order reserves the last slot": race<Orders>({
    begin: (deps) => twoOrders(deps, 1),
    act: (deps, { order }) => reserveFor(deps, { ...order }, { wants: [] }),
    others: { "another order reserves": (deps, { rival }) => reserveFor(deps, rival) },
  }),
  "an order gives back": race<Orders>({
    begin: givenUp,
    act: (deps, { order }) => giveAllBack(deps, order),
    others: {
      "another attempt gives back": (deps, { order }) => giveAllBack(deps, order),
      "its record changes": (deps, { order }) => labelled(deps, "cluster", order.cluster),
      "a host goes into maintenance": (deps) => maintain(deps, first),
      "the hosts are lost": async (deps) => {
        for (const host of hosts) await lost(deps, host);
      },
    },
  }),
  "a host that is there again is admitted": race<Orders>({
    begin: async (deps) => {
      const orders = await twoOrders(deps);
      for (const host of hosts) await lost(deps, host);
      return orders;
    },
    since: (deps) => reportedOnly(deps, first, "known-unbound"),
    act: (deps) => adjustPool(deps, first),
    isFollowed: true,
    others: {
      "it is adjusted": (deps) => adjustPool(deps, first),
      "it is adjusted and claimed": async (deps, { order }) => {
        await adjustPool(deps, first);
        await reserveFor(deps, order, { wants: [{ set: "small", hostType: "small", count: 1 }] });
      },
      "it is lost": (deps) => lost(deps, first),
    },
  }),
  "a host that is lost is withdrawn": race<Orders>({
    begin: async (deps) => twoOrders(deps),
    since: (deps) => reportedOnly(deps, first, "disconnected-unbound"),
    act: (deps) => adjustPool(deps, first),
    isFollowed: true,
    others: {
      "it is adjusted": (deps) => adjustPool(deps, first),
      "it is claimed": async (deps, { order }) =>
        reserveFor(deps, order, { wants: [{ set: "small", hostType: "small", count: 3 }] }),
      "it is there again": (deps) => found(deps, first),
    },
  }),
  "a hub that is opened is listed": race({
    begin: async (deps) => {
      await aHub(deps);
      await setHub(deps, "hub", { cordoned: true });
    },
    since: (deps) => setHub(deps, "hub", { cordoned: false }),
    act: (deps) => noteRoom(deps, "hub"),
    others: roomOthers,
  }),
  "a hub that is cordoned is listed no more": race({
    begin: (deps) => aHub(deps),
    since: (deps) => setHub(deps, "hub", { cordoned: true }),
    act: (deps) => noteRoom(deps, "hub"),
    others: roomOthers,
  }),
};
