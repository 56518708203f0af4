import type { DrainPlan } from "../core/reconcile/drain-plan.ts";
import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { type Exit, wrongCall } from "./exit.ts";
import { leftOf, untilEmpty } from "./follow/hub.ts";
import { foundIdOf } from "./generic/find.ts";
import type { Column } from "./output/columns.ts";
import { outputTable } from "./output/table.ts";
import { at, shown } from "./output/values.ts";

/** `slipway hub drain`: what runs on a hub, and whether other hubs have room for it. */

export interface DrainOptions {
  plan?: boolean;
  wait?: boolean;
  timeout?: string;
}

/** Cordons the hub, unless `--plan` is given. Changes nothing else: control planes do not move. */
export async function drain(call: CliCall<DrainOptions>): Promise<Exit | undefined> {
  const { around, options, words } = call;
  const { client } = connect(call);
  const [name = ""] = words;
  if (options.plan && options.wait) throw wrongCall("--plan changes nothing to wait for");
  const get = operationNamed("private.hub.get");
  const id = await foundIdOf(client, get, name);
  const path = `/api/private/v1/hubs/${encodeURIComponent(id)}`;
  if (!options.plan) {
    await client.ask({ method: "PATCH", path, body: { spec: { cordoned: true } } });
    around.err.write(`${name} is cordoned: no new orders; running clusters are not affected\n`);
  }
  const [{ body: hub }, { body: plan }] = await Promise.all([
    client.get(path),
    client.get(`${path}/drain_plan`),
  ]);
  // The type is that of the API's schema.
  const { clusters: rows, servers, queues, hosts, without_room: lacking } = plan as DrainPlan;
  const region = shown(at(hub, "spec.region"));
  const waited = { client, path, name, timeout: options.timeout };
  const state = `${shown(at(hub, "status.state"))}${at(hub, "spec.cordoned") === true ? ", cordoned" : ""}`;
  around.out.write(
    `${name} (${region}) is ${state}. Clusters: ${rows.length}; servers: ${servers.length}; hosts: ${hosts.total}, of which ${hosts.used} are in use\n`,
  );
  for (const { orders, ...line } of queues)
    around.out.write(
      `${orders > 100 ? "More than 100" : orders} wait for ${wordsOf(line)} that it has\n`,
    );
  if (rows.length + servers.length === 0) {
    around.out.write(`${leftOf(name, hosts)}\n`);
    return options.wait && hosts.used > 0 ? untilEmpty(around, waited) : undefined;
  }
  around.out.write(
    "Nothing is moved automatically: order each of these elsewhere, then delete it here.\n\n",
  );
  if (rows.length > 0) around.out.write(outputTable(rows, ofClusters, around.out));
  if (rows.length > 0 && servers.length > 0) around.out.write("\n");
  if (servers.length > 0) around.out.write(outputTable(servers, ofServers, around.out));
  around.out.write(
    lacking === 0
      ? `\nThere is room for all of them in ${region}.\n`
      : `\nThere is no room for ${lacking} of them in ${region}.\n`,
  );
  return options.wait ? untilEmpty(around, waited) : undefined;
}

const wordsOf = ({ waits_for, host_type }: Omit<DrainPlan["queues"][number], "orders">): string =>
  [host_type, waits_for.replace("_", " ")].filter(Boolean).join(" ");

/** A column of a table with these rows. */
const column = <Row>(head: string, cell: (row: Row) => string): Column => ({
  head,
  cell: (row) => cell(row as Row),
});

type Standing = DrainPlan["clusters"][number] | DrainPlan["servers"][number];

const whose = [
  column<Standing>("TENANT", ({ tenant }) => tenant),
  column<Standing>("STATE", ({ state }) => shown(state)),
];
const roomAt = [
  column<Standing>("ROOM AT", ({ room_at }) => room_at?.name ?? "none"),
  column<Standing>("WHY", ({ why }) => why ?? ""),
];

const ofClusters = [
  column<Standing>("CLUSTER", ({ name }) => name),
  ...whose,
  column<DrainPlan["clusters"][number]>("NODES", ({ node_sets }) =>
    node_sets.map(({ name, size }) => `${name}=${size}`).join(","),
  ),
  ...roomAt,
];

const ofServers = [
  column<Standing>("SERVER", ({ name }) => name),
  ...whose,
  column<DrainPlan["servers"][number]>("HOST", ({ host }) => host),
  column<DrainPlan["servers"][number]>("TYPE", ({ host_type }) => host_type),
  ...roomAt,
];
