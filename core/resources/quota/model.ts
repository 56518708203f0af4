import * as z from "zod";
import { nameSchema } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";
import type { Cluster, NodeSets } from "../cluster/model.ts";

/** What a tenant, or one of its projects with all below it, may have at most. */

const count = z.int().min(0).max(1_000_000);

export const limitsSchema = z.strictObject({
  control_planes: count.optional().describe("How many clusters: each has one control plane."),
  hosts: z
    .record(nameSchema, count)
    .optional()
    .describe("How many hosts in node sets, by host type."),
  floating_ips: count.optional().describe("How many outside addresses: two for each cluster."),
  storage_clusters: count.optional().describe("How many clusters with volume storage."),
});
export type Limits = z.infer<typeof limitsSchema>;
/** Used or allowed, by dimension: a member of `Limits`, or `hosts:<host type>`. */
export type Amounts = Record<string, number>;

export type Quota = StoredObject<"quota", { limits: Limits }, Record<string, never>>;

/** What holds of a tenant for a dimension that its quota leaves out, or that has no quota. */
export const defaultQuotas = ["unlimited", "zero"] as const;
export type DefaultQuota = (typeof defaultQuotas)[number];

const hostsPrefix = "hosts:";

export function amountsOf({ hosts = {}, ...rest }: Limits): Amounts {
  const types = Object.entries(hosts).map(([type, n]) => [hostsPrefix + type, n] as const);
  const others = Object.entries(rest).flatMap(([name, n]) =>
    n === undefined ? [] : [[name, n] as const],
  );
  return Object.fromEntries([...others, ...types]);
}

/** As a quota says it. */
export function limitsOf(amounts: Amounts): Required<Limits> {
  const { control_planes = 0, floating_ips = 0, storage_clusters = 0 } = amounts;
  const hosts = Object.entries(amounts).flatMap(([name, n]) => {
    const type = hostTypeOf(name);
    return type === undefined || n === 0 ? [] : [[type, n] as const];
  });
  return { control_planes, hosts: Object.fromEntries(hosts), floating_ips, storage_clusters };
}

export const hostTypeOf = (dimension: string): string | undefined =>
  dimension.startsWith(hostsPrefix) ? dimension.slice(hostsPrefix.length) : undefined;

/** What a cluster counts for with these node sets. */
function amountsWith({ has_storage }: Pick<Cluster, "has_storage">, nodeSets: NodeSets): Amounts {
  const amounts: Amounts = {
    control_planes: 1,
    floating_ips: 2,
    ...(has_storage ? { storage_clusters: 1 } : {}),
  };
  for (const { host_type, size } of Object.values(nodeSets)) {
    const dimension = hostsPrefix + host_type.name;
    amounts[dimension] = (amounts[dimension] ?? 0) + size;
  }
  return amounts;
}

const most = (a: Amounts, b: Amounts): Amounts => {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
};

/** A cluster as its order, its retry or a change of it is accepted: what it had counts on until that is done. */
export const charged = (cluster: Cluster): Cluster => ({
  ...cluster,
  charge: most(cluster.charge ?? {}, amountsWith(cluster, cluster.spec.node_sets)),
});

/**
 * A cluster whose operation has ended, or is followed by no other: it counts for what it has and
 * for what it asks for still. One that failed and has given everything back counts for nothing.
 */
export function settled(cluster: Cluster): Cluster {
  const isNothing = cluster.failure !== undefined && cluster.placement === undefined;
  const { spec, applied = {}, applying = {} } = cluster;
  const charge = [spec.node_sets, applied, applying]
    .map((sets) => amountsWith(cluster, sets))
    .reduce(most);
  return { ...cluster, charge: isNothing ? {} : charge };
}
