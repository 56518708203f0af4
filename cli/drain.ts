import { operations } from "./api/operations.ts";
import { type Call, connect } from "./call.ts";
import type { Client } from "./client.ts";
import { type Exit, wrongCall } from "./exit.ts";
import { idOf } from "./generic/find.ts";
import { allOf } from "./generic/list.ts";
import { type Column, nameOf } from "./output/columns.ts";
import { tableOf } from "./output/table.ts";
import { at, isRecord, list, shown, text } from "./output/values.ts";

/** `slipway hub drain`: what stands on a hub, and whether there is room for it elsewhere. */

export interface DrainOptions {
  plan?: boolean;
  wait?: boolean;
  timeout?: string;
}

const all = Number.MAX_SAFE_INTEGER;

/** Without `--plan` the hub is cordoned first. Nothing else is changed: control planes do not move. */
export async function drain(call: Call<DrainOptions>): Promise<Exit | undefined> {
  const { around, options, words } = call;
  const { client } = connect(call);
  const [name = ""] = words;
  if (options.plan && options.wait) throw wrongCall("--plan changes nothing to wait for");
  const get = operations().find(({ id }) => id === "private.hub.get");
  if (!get) throw new Error("the document has no hubs");
  const id = await idOf(client, get, name);
  const path = `/api/private/v1/hubs/${encodeURIComponent(id)}`;
  if (!options.plan) {
    await client.ask({ method: "PATCH", path, body: { spec: { cordoned: true } } });
    around.err.write(`${name} is cordoned: it takes no new orders, and its clusters go on\n`);
  }
  const { body: hub } = await client.get(path);
  const { clusters, hosts, others } = await standingAt(client, id);
  const region = shown(at(hub, "spec.region"));
  const rooms = others.filter((other) => takesOrders(other, region)).map(roomOf);
  const rows = clusters
    .toSorted((a, b) => nodesOf(b).length - nodesOf(a).length)
    .map((cluster) => ({ cluster, place: placeFor(cluster, rooms) }));

  const state = `${shown(at(hub, "status.state"))}${at(hub, "spec.cordoned") === true ? ", cordoned" : ""}`;
  const bound = hosts.filter((host) => at(host, "status.owner") !== undefined).length;
  around.out.write(
    `${name} (${region}) is ${state}. Clusters: ${clusters.length}; hosts: ${hosts.length}, of which ${bound} are in use\n`,
  );
  if (rows.length === 0) {
    around.out.write("nothing stands on it; it can be taken away: slipway hub delete\n");
    return undefined;
  }
  around.out.write(
    "Control planes do not move: each cluster is ordered again elsewhere, then deleted here.\n\n",
  );
  around.out.write(tableOf(rows, columns, around.out));
  const lacking = rows.filter(({ place }) => place.hub === undefined).length;
  around.out.write(
    lacking === 0
      ? `\nThere is room for all of them in ${region}.\n`
      : `\nThere is no room for ${lacking} of them in ${region}.\n`,
  );
  if (!options.wait) return undefined;
  const { untilEmpty } = await import("./follow/hub.ts");
  return untilEmpty(around, { client, hub: id, name, timeout: options.timeout });
}

async function standingAt(client: Client, hub: string) {
  const of = async (collection: string, filter?: string) =>
    (
      await allOf(
        client,
        { path: `/api/private/v1/${collection}` },
        { query: { filter }, limit: all },
      )
    ).items;
  const quoted = JSON.stringify(hub);
  const [clusters, hosts, hubs] = await Promise.all([
    of("clusters", `this.status.hub == ${quoted}`),
    of("hosts", `this.spec.hub == ${quoted}`),
    of("hubs"),
  ]);
  return { clusters, hosts, others: hubs.filter((each) => at(each, "id") !== hub) };
}

const takesOrders = (hub: unknown, region: string): boolean =>
  at(hub, "status.state") === "HUB_STATE_READY" &&
  at(hub, "spec.cordoned") !== true &&
  shown(at(hub, "spec.region")) === region;

/** What a hub has left; what is planned for it is taken off. */
interface Room {
  hub: string;
  slots: number;
  hosts: Map<string, number>;
}

function roomOf(hub: unknown): Room {
  const hosts = list(at(hub, "status.hosts")).map(
    (each) => [text(at(each, "host_type")), Number(at(each, "free") ?? 0)] as const,
  );
  return {
    hub: nameOf(hub),
    slots: Number(at(hub, "status.control_planes.free") ?? 0),
    hosts: new Map(hosts),
  };
}

/** The host types of a cluster's node sets, with how many of each. */
function nodesOf(cluster: unknown): { type: string; size: number }[] {
  const sets = at(cluster, "spec.node_sets");
  return Object.values(isRecord(sets) ? sets : {}).map((set) => ({
    type: text(at(set, "host_type.name")) || text(at(set, "host_type.id")),
    size: Number(at(set, "size") ?? 0),
  }));
}

interface Place {
  hub?: string;
  why: string;
}

/** The hub with most room for a cluster, which is then taken off. */
function placeFor(cluster: unknown, rooms: Room[]): Place {
  const wanted = nodesOf(cluster);
  const lacks = (room: Room) => [
    ...(room.slots < 1 ? ["a control plane"] : []),
    ...wanted.flatMap(({ type, size }) => {
      const missing = size - (room.hosts.get(type) ?? 0);
      return missing > 0 ? [`${missing} ${type}`] : [];
    }),
  ];
  const [best] = rooms
    .filter((room) => lacks(room).length === 0)
    .toSorted((a, b) => b.slots - a.slots);
  if (best) {
    best.slots -= 1;
    for (const { type, size } of wanted) best.hosts.set(type, (best.hosts.get(type) ?? 0) - size);
    return { hub: best.hub, why: "" };
  }
  const why = rooms.map((room) => `${room.hub} lacks ${lacks(room).join(", ")}`).join("; ");
  return { why: why || "no other hub of the region takes orders" };
}

interface Row {
  cluster: unknown;
  place: Place;
}

const column = (head: string, cell: (row: Row) => string): Column => ({
  head,
  // The rows of this table.
  cell: (row) => cell(row as Row),
});

const columns = [
  column("CLUSTER", ({ cluster }) => nameOf(cluster)),
  column("TENANT", ({ cluster }) => shown(at(cluster, "metadata.tenant"))),
  column("STATE", ({ cluster }) => shown(at(cluster, "status.state"))),
  column("NODES", ({ cluster }) => shown(at(cluster, "spec.node_sets"))),
  column("ROOM AT", ({ place }) => place.hub ?? "none"),
  column("WHY", ({ place }) => place.why),
];
