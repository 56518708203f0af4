import { createObject, deleteObject, updateObject } from "../../../core/kernel/request/crud.ts";
import { fillAllocation } from "../../../core/placement/allocations/fill.ts";
import { hostQueue } from "../../../core/placement/queues/tickets.ts";
import { wakeQueues } from "../../../core/placement/queues/wake.ts";
import { api } from "../../../core/resources/allocation/api.ts";
import { hostTypes } from "../../../core/resources/host-type/api.ts";
import type { ProcessDeps } from "../../../local/process-deps.ts";
import { root } from "../orders.ts";
import { addOrder, giveAllBack, type Order, reserveFor } from "../placement.ts";
import type { Waiting } from "../waiting.ts";
import { wanted } from "../wanted.ts";
import { aHub, cancel, first, found, hosts, lost, maintain, moved } from "./capacity.ts";
import { type Race, race } from "./race.ts";

/** Hosts that allocations keep, while orders claim them and requests change how many there are to be. */

interface Kept {
  id: string;
  /** Orders of the tenant, and of another one. */
  own: Order;
  other: Order;
}

/** An allocation of so many of three hosts. */
const reserved =
  (count: number) =>
  async (deps: Waiting): Promise<Kept> => {
    await createObject(deps, root, hostTypes, { metadata: { name: "small" } });
    await aHub(deps);
    const { object } = await createObject(deps, root, api.rules, {
      metadata: { name: "kept", tenant: "tenant-b" },
      spec: { host_type: "small", reserved: count },
    });
    const own = await addOrder(deps, "own", { small: 1 }, { tenant: "tenant-b" });
    const other = await addOrder(deps, "other", { small: 1 });
    return { id: object.id, own, other };
  };

const served =
  (count: number, ...who: ("own" | "other")[]) =>
  async (deps: Waiting): Promise<Kept> => {
    const kept = await reserved(count)(deps);
    await deps.relayed();
    for (const each of who) await reserveFor(deps, kept[each]);
    return kept;
  };

const change = (deps: ProcessDeps, id: string, count: number) =>
  updateObject(
    deps,
    root,
    api.rules,
    id,
    wanted((shown) => ({ ...shown, spec: { ...Object(shown.spec), reserved: count } })),
  );
const to =
  (count: number) =>
  (deps: ProcessDeps, { id }: Kept) =>
    change(deps, id, count);
const fill = (deps: ProcessDeps, { id }: Kept) => fillAllocation(deps, id);
const remove = (deps: ProcessDeps, { id }: Kept) => deleteObject(deps, root, api.rules, id);
const all = { wants: [{ set: "small", hostType: "small", count: 3 }] };
const two = { wants: [{ set: "small", hostType: "small", count: 2 }] };

const others: Race<Kept>["others"] = {
  "it is filled": fill,
  "its tenant's order reserves": (deps, { own }) => reserveFor(deps, own, two),
  "another order reserves": (deps, { other }) => reserveFor(deps, other, all),
  "one host fewer is reserved": (deps, { id }) => change(deps, id, 1),
  "more hosts are reserved": (deps, { id }) => change(deps, id, 3),
  "it is deleted": remove,
  "a host goes into maintenance": (deps) => maintain(deps, first),
  "the hosts are lost": async (deps) => {
    for (const host of hosts) await lost(deps, host);
  },
};
const only = (...names: string[]): Race<Kept>["others"] =>
  Object.fromEntries(names.flatMap((name) => (others[name] ? [[name, others[name]]] : [])));

export const allocationRaces: Record<string, Race> = {
  "an allocation is raised": race<Kept>({
    begin: reserved(1),
    since: to(2),
    act: fill,
    others,
  }),
  "an allocation is lowered": race<Kept>({
    begin: reserved(3),
    since: to(2),
    act: fill,
    others,
  }),
  "an allocation that has too many gives back": race<Kept>({
    begin: reserved(3),
    since: to(1),
    act: fill,
    others: only("it is filled"),
  }),
  "an allocation leaves the line": race<Kept>({
    begin: async (deps) => {
      const kept = await reserved(3)(deps);
      await lost(deps, first);
      return kept;
    },
    since: (deps) => found(deps, first),
    act: fill,
    others: only("the hosts are lost"),
    isFollowed: true,
  }),
  "an allocation keeps hosts of a rack": race<Kept>({
    begin: async (deps) => {
      const kept = await reserved(1)(deps);
      for (const host of hosts) await moved(deps, host, "r1");
      return kept;
    },
    since: to(3),
    act: fill,
    others: {
      "they move to another rack": async (deps) => {
        for (const host of hosts) await moved(deps, host, "r2");
      },
    },
  }),
  "an allocation stands in line": race<Kept>({
    begin: async (deps) => {
      const kept = await reserved(1)(deps);
      await lost(deps, first);
      return kept;
    },
    since: to(3),
    act: fill,
    others: { "a host is there again": (deps) => found(deps, first) },
    isFollowed: true,
  }),
  "a request lowers an allocation": race<Kept>({
    begin: served(2, "own"),
    act: to(1),
    others: only("its tenant's order reserves", "it is deleted", "more hosts are reserved"),
  }),
  "a request deletes an allocation": race<Kept>({
    begin: reserved(2),
    act: remove,
    others: only("its tenant's order reserves", "it is deleted", "more hosts are reserved"),
  }),
  "an allocation is deleted": race<Kept>({
    begin: reserved(2),
    since: remove,
    act: fill,
    others: only(
      ...["it is filled", "its tenant's order reserves", "it is deleted"],
      ...["more hosts are reserved", "a host goes into maintenance"],
    ),
  }),
  "its tenant's order reserves what is kept": race<Kept>({
    begin: reserved(2),
    act: (deps, { own }) => reserveFor(deps, own, two),
    others: { ...others, "it is cancelled": (deps, { own }) => cancel(deps, own) },
  }),
  "its tenant's order gives back": race<Kept>({
    begin: served(2, "own"),
    act: (deps, { own }) => giveAllBack(deps, own),
    others: {
      ...only("it is filled", "one host fewer is reserved", "a host goes into maintenance"),
      "another attempt gives back": (deps, { own }) => giveAllBack(deps, own),
    },
  }),
  "an allocation that waits is woken": race<Kept>({
    begin: async (deps) => {
      const kept = await reserved(3)(deps);
      await lost(deps, first);
      return kept;
    },
    act: (deps) => wakeQueues(deps, [hostQueue("small")], "hub"),
    others: only("it is deleted"),
    isFollowed: true,
  }),
};
