import { operationNamed } from "./api/operations.ts";
import { type CliCall, connect } from "./call.ts";
import { operationIn } from "./follow/operation.ts";
import { Tree } from "./follow/tree.ts";
import { foundIdOf, pathTo } from "./generic/find.ts";
import type { Column } from "./output/columns.ts";
import { reasonOf } from "./output/reason.ts";
import { shellWord } from "./output/shell-word.ts";
import { outputTable, wrappedText } from "./output/table.ts";
import { at, isRecord, list, shown, text } from "./output/values.ts";

/** `slipway cluster describe`: a cluster on one page, with its present operation. */

export interface DescribeOptions {
  tenant?: string;
  project?: string;
}

const nameWidth = 11;

export async function describeCluster(call: CliCall<DescribeOptions>): Promise<undefined> {
  const { around, options, words } = call;
  const { client, area } = connect(call);
  const get = operationNamed(`${area}.cluster.get`);
  const id = await foundIdOf(client, get, words[0] ?? "", options);
  const { body } = await client.get(pathTo(get, id));
  const { out } = around;
  const member = (path: string): string => shown(at(body, path));

  out.write(`${out.styled("bold", `${member("metadata.name")}  ${member("status.state")}`)}\n`);
  const lines = [
    ["id", member("id")],
    [
      "tenant",
      [member("metadata.tenant"), member("metadata.project")].filter((each) => each).join(" / "),
    ],
    ["why", reasonOf(body)],
    ["template", member("spec.catalog_item") || member("spec.template")],
    ["version", versionOf(body)],
    ["nodes", nodesOf(body)],
    ["api", member("status.api_url")],
    ["console", member("status.console_url")],
    ["network", networkOf(body)],
    ["addresses", addressesOf(body)],
    [
      "placement",
      [member("status.hub"), member("status.placement.reason")].filter((each) => each).join(": "),
    ],
  ] as const;
  for (const [name, value] of lines) {
    if (value === "") continue;
    const room = Math.max(20, out.columns - nameWidth - 2);
    const [first = "", ...rest] = out.isTerminal ? wrappedText(value, room) : [value];
    out.write(`  ${name.padEnd(nameWidth)}${first}\n`);
    for (const line of rest) out.write(`${" ".repeat(nameWidth + 2)}${line}\n`);
  }
  out.write(`\n${outputTable(list(at(body, "status.conditions")), conditions, out)}`);

  const running = text(at(body, "status.operation"));
  if (running === "") return undefined;
  const base = get.path.slice(0, get.path.indexOf("/clusters"));
  const operation = await client.get(`${base}/operations/${encodeURIComponent(running)}`);
  out.write("\n");
  new Tree({ ...out, isTerminal: false }).show(operationIn(operation.body));
  out.write(`\nfollow it with: slipway operation watch ${shellWord(running)}\n`);
  return undefined;
}

const column = (head: string, path: string, prefix = ""): Column => ({
  head,
  cell: (condition) => shown(at(condition, path)).replace(prefix, ""),
});

const conditions: Column[] = [
  column("CONDITION", "type", "CLUSTER_CONDITION_TYPE_"),
  column("IS", "status", "CONDITION_STATUS_"),
  column("SINCE", "last_transition_time"),
  column("REASON", "reason"),
  column("WHY", "message"),
];

function versionOf(cluster: unknown): string {
  const [now, wanted] = [shown(at(cluster, "status.version")), shown(at(cluster, "spec.version"))];
  return [now, wanted && `(${wanted} desired)`].filter((each) => each).join(" ");
}

/** The ready nodes and the size of each node set. */
function nodesOf(cluster: unknown): string {
  const sets = at(cluster, "status.node_sets");
  return Object.entries(isRecord(sets) ? sets : {})
    .map(([name, set]) => {
      const [ready, size, type] = ["ready", "size", "host_type"].map((each) =>
        shown(at(set, each)),
      );
      return `${name}: ${ready || 0} of ${size || 0} ready (${type})`;
    })
    .join("; ");
}

function networkOf(cluster: unknown): string {
  const [prefix, vlan] = ["prefix", "vlan"].map((each) =>
    shown(at(cluster, `status.network.${each}`)),
  );
  return [prefix, vlan && `VLAN ${vlan}`].filter((each) => each).join(", ");
}

function addressesOf(cluster: unknown): string {
  return ["api", "ingress"]
    .flatMap((use) => {
      const [outside, inside] = ["external", "internal"].map((each) =>
        shown(at(cluster, `status.addresses.${use}.${each}`)),
      );
      return outside || inside
        ? [`${use} ${[outside, inside].filter((each) => each).join(" / ")}`]
        : [];
    })
    .join(", ");
}
