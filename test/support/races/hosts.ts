import { asHubId } from "../../../core/id.ts";
import { changeObject } from "../../../core/kernel/events/rewrite.ts";
import { putNew } from "../../../core/kernel/object/records.ts";
import { createObject } from "../../../core/kernel/request/crud.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { countHost } from "../../../core/placement/pool/host-counts.ts";
import { kinds } from "../../../core/resources/generated/kinds.ts";
import { actions } from "../../../core/resources/host/actions.ts";
import { careForHost } from "../../../core/resources/host/care.ts";
import { tendHotPool } from "../../../core/resources/host/hot-pool.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { withServer } from "../../../core/resources/host/server.ts";
import { noteHealth } from "../../../core/resources/host/take-health.ts";
import { hostTypes } from "../../../core/resources/host-type/api.ts";
import type { ProcessDeps } from "../../../local/process-deps.ts";
import { askOfHost, cancelOperation } from "../actions.ts";
import { root } from "../orders.ts";
import { addHub, hostRecord } from "../placement.ts";
import { setHub, type Waiting } from "../waiting.ts";
import { aHub, first, found, hosts, labelled, lost, maintain } from "./capacity.ts";
import { type Race, race } from "./race.ts";
import { addServers, giveServerBack, reserveServer, type ServerOrder } from "./servers.ts";

/** Hosts whose servers Slipway manages: decisions of people, their care, their health, and hot pools. */

const place = { hub: "hub", hostType: "small" };

type Condition = NonNullable<Host["server"]>["condition"];
const managed = (id: string, condition: Condition, more: Partial<Host> = {}): Host => {
  const bare = hostRecord(id, "hub", "small");
  const bmc = { address: `redfish://${id}`, credentials: `host/${id}` };
  const host = { ...bare, spec: { ...bare.spec, hub: asHubId("hub"), bmc } };
  return withServer({ ...host, ...more, dpus: ["d1"] }, { condition });
};

/** A hub that keeps so many hosts of the type discovered, and three servers in this condition. */
async function servers(
  deps: Waiting,
  condition: Condition,
  pool: { min: number; max: number },
  of: (host: Host) => Host = (host) => host,
): Promise<void> {
  const firmware = [{ component: "bios", version: "2.1", image: "https://images/bios" }];
  await createObject(deps, root, hostTypes, { metadata: { name: "small" }, firmware });
  await addHub(deps, "hub", { hot_pools: { small: pool } });
  for (const id of hosts) {
    const host = of(managed(id, condition));
    await deps.store.transact([...putNew(kinds, host), ...countHost(undefined, place)]);
    await changeObject(deps, "host", id, (before) => ({ ...before, generation: 1 }));
  }
  await deps.relayed();
}

interface Ordered {
  order: ServerOrder;
}
const ordered = async (deps: Waiting): Promise<Ordered> => {
  const [order] = await addServers(deps, "db");
  if (!order) throw new Error("there is no order");
  return { order };
};

/** What dies right after its first write. */
const dyingStore = (store: Store): Store => {
  let isDead = false;
  return {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    query: (query) => store.query(query),
    count: (query) => store.count(query),
    async transact(writes) {
      if (isDead) return;
      isDead = true;
      await store.transact(writes);
    },
  };
};

const others: Race<Ordered>["others"] = {
  "an order claims it": (deps, { order }) => reserveServer(deps, order),
  "its order gives it back": (deps, { order }) => giveServerBack(deps, order),
  "its order gives it back, and its worker dies": (deps, { order }) =>
    giveServerBack({ ...deps, store: dyingStore(deps.store) }, order),
  "it goes into maintenance": (deps) => maintain(deps, first),
  "it is retired": (deps) => askOfHost(deps, root, first, "retire"),
  "it is cared for": (deps) => careForHost(deps, first),
  "its hot pool is tended": (deps) => tendHotPool(deps, place),
};

const free = { min: 0, max: 3 };
const states: Record<string, (deps: Waiting) => Promise<Ordered>> = {
  "that is free": async (deps) => {
    await servers(deps, "READY", free);
    return ordered(deps);
  },
  "that is off": async (deps) => {
    await servers(deps, "CLEAN", free);
    return ordered(deps);
  },
  "that is held": async (deps) => {
    await servers(deps, "READY", free);
    const has = await ordered(deps);
    await reserveServer(deps, has.order);
    return has;
  },
  "of somebody else's that is held": async (deps) => {
    await aHub(deps);
    const has = await ordered(deps);
    await reserveServer(deps, has.order);
    return has;
  },
  "that is set aside": async (deps) => {
    const quarantine = { since: "2026-01-01T00:00:00.000Z", reason: "it is late" };
    await servers(deps, "UNKNOWN", free, (host) => withServer(host, { quarantine }));
    return ordered(deps);
  },
};
/** All that people ask of a host, but for the report of its health, which is a race of its own. */
const verbs = (Object.keys(actions) as (keyof typeof actions)[]).filter(
  (verb) => verb !== "health",
);
const ofDecisions = Object.fromEntries(
  Object.entries(states).flatMap(([state, begin]) =>
    verbs.map((name) => [
      `${name} of a host ${state}`,
      race<Ordered>({ begin, act: (deps) => askOfHost(deps, root, first, name), others }),
    ]),
  ),
);

const alert = { id: "disk", message: "it is loud", classifications: ["prevents_allocation"] };
const sick = (deps: ProcessDeps) =>
  noteHealth(deps, first, "machine", { successes: [], alerts: [alert] });

const batch = ["a", "b", "c"];
interface Batch {
  members: [ServerOrder, ServerOrder, ServerOrder];
  rival: ServerOrder;
}

export const hostRaces: Record<string, Race> = {
  ...ofDecisions,
  "maintain of a host that is lost": race<Ordered>({
    begin: async (deps) => {
      await aHub(deps);
      await lost(deps, first);
      return ordered(deps);
    },
    act: (deps) => maintain(deps, first),
    others: { "it is there again": (deps) => found(deps, first), ...others },
  }),
  "a host has an alert": race<Ordered>({
    begin: (deps) => states["that is free"]?.(deps) ?? ordered(deps),
    act: sick,
    others: { ...others, "it is lost": (deps) => lost(deps, first) },
  }),
  "a server is cared for": race<Ordered>({
    begin: async (deps) => {
      await servers(deps, "READY", free);
      return ordered(deps);
    },
    since: (deps) =>
      changeObject(deps, "host", first, (host) => withServer(host, { condition: "USED" })),
    act: (deps) => careForHost(deps, first),
    others,
  }),
  "a hot pool comes up": race<Ordered>({
    begin: async (deps) => {
      await servers(deps, "CLEAN", { min: 0, max: 2 });
      return ordered(deps);
    },
    since: (deps) => setHub(deps, "hub", { hot_pools: { small: { min: 2, max: 2 } } }),
    act: (deps) => tendHotPool(deps, place),
    others,
  }),
  "a hot pool goes down": race<Ordered>({
    begin: async (deps) => {
      await servers(deps, "READY", { min: 0, max: 3 });
      return ordered(deps);
    },
    since: (deps) => setHub(deps, "hub", { hot_pools: { small: { min: 1, max: 1 } } }),
    act: (deps) => tendHotPool(deps, place),
    others,
  }),
  "a batch reserves": race<Batch>({
    begin: async (deps) => {
      await aHub(deps);
      const [a, b, c] = await addServers(deps, ...batch);
      await deps.clock.advance(1);
      const [rival] = await addServers(deps, "rival");
      if (!a || !b || !c || !rival) throw new Error("there are too few orders");
      return { members: [a, b, c], rival };
    },
    act: (deps, { members: [a] }) => reserveServer(deps, a),
    others: {
      "it is cancelled": (deps, { members: [a] }) => cancelOperation(deps, root, a.operation),
      "another of it is cancelled": (deps, { members: [, b] }) =>
        cancelOperation(deps, root, b.operation),
      "one that has not begun is cancelled": (deps, { members: [, , c] }) =>
        cancelOperation(deps, root, c.operation),
      "the record of another changes": (deps) => labelled(deps, "baremetal_instance", "b"),
      "another of it reserves": (deps, { members: [, b] }) => reserveServer(deps, b),
      "another order reserves": (deps, { rival }) => reserveServer(deps, rival),
    },
  }),
};
