import * as z from "zod";
import { readYaml } from "../../core/kernel/input/yaml.ts";
import { getJson } from "../kubeconfig-client.ts";

const kubeconfigSchema = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ server: z.string() }) })]),
});

const nodesSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })) }),
    }),
  ),
});

const ledgerSchema = z.object({
  items: z.array(
    z.object({ kind: z.string(), id: z.string(), system: z.string(), owner: z.unknown() }),
  ),
});

const fateSchema = z.discriminatedUnion("arrives", [
  z.object({ arrives: z.literal(true), source: z.string() }),
  z.object({ arrives: z.literal(false), why: z.string() }),
]);

export const serverOf = (kubeconfig: string): string =>
  kubeconfigSchema.parse(readYaml(kubeconfig)).clusters[0].cluster.server;

/** The nodes of a cluster, from its own API server: `name  Ready`. */
export async function nodesOf(kubeconfig: string): Promise<string[]> {
  const { items } = nodesSchema.parse(await getJson(kubeconfig, "/api/v1/nodes"));
  return items.map(({ metadata, status }) => {
    const ready = status.conditions.find(({ type }) => type === "Ready")?.status === "True";
    return `${metadata.name}  ${ready ? "Ready" : "NotReady"}`;
  });
}

/** Everything outside that belongs to an order, by its kind. Power is not counted, since it belongs to the host. */
export const owned = (sim: string): Promise<Map<string, string[]>> =>
  listed(sim, ({ kind, owner }) => owner !== null && kind !== "power");

/** Items that a free server must not have: mounted media, BMC sessions, a tenant's data. */
const traces = ["virtual_media", "bmc_session", "disk_mark"];

/** What is left on servers: these traces, and power that is on although the host is not free. */
export const leftOnServers = (
  sim: string,
  free: ReadonlySet<string>,
): Promise<Map<string, string[]>> =>
  listed(sim, ({ kind, id }) => traces.includes(kind) || (kind === "power" && !free.has(id)));

/** What the fabric does with a packet from one NIC or address to another, in words. */
export async function fateOf(
  sim: string,
  packet: { from: string; to: string; protocol: string; port: string },
): Promise<string> {
  const response = await fetch(`${sim}/packets?${new URLSearchParams(packet)}`);
  const fate = fateSchema.parse(await response.json());
  return fate.arrives ? `arrives from ${fate.source}` : `stopped: ${fate.why}`;
}

type LedgerItem = z.infer<typeof ledgerSchema>["items"][number];

/** The whole ledger of the simulated world. */
export const ledgerIn = async (sim: string): Promise<LedgerItem[]> =>
  ledgerSchema.parse(await (await fetch(`${sim}/ledger`)).json()).items;

/** The ids of the ledger's items that pass the filter, by kind. */
async function listed(sim: string, isWanted: (item: LedgerItem) => boolean) {
  const kinds = new Map<string, string[]>();
  for (const item of (await ledgerIn(sim)).filter(isWanted))
    kinds.set(item.kind, [...(kinds.get(item.kind) ?? []), item.id]);
  return kinds;
}

/** The counts as lines of text: `2 hosts, 1 network, …`. */
export function countsOf(things: Map<string, string[]>): string[] {
  const counts = Array.from(
    things,
    ([kind, ids]) => `${ids.length} ${ids.length === 1 ? kind : pluralOf(kind)}`,
  );
  const lines = Math.ceil(counts.length / 6);
  return Array.from({ length: lines }, (_, n) => counts.slice(n * 6, n * 6 + 6).join(", "));
}

function pluralOf(kind: string): string {
  return `${kind}${kind.endsWith("s") ? "es" : "s"}`;
}
