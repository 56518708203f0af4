import * as z from "zod";
import { type Amounts, hostsOf, hostTypeOf } from "../../kernel/object/charge.ts";
import { nameSchema } from "../../kernel/object/metadata.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

/** The limits of a tenant, or of a project together with all projects below it. */

const count = z.int().min(0).max(1_000_000);

export const limitsSchema = z.strictObject({
  control_planes: count.optional().describe("Number of clusters, each with one control plane."),
  hosts: z
    .record(nameSchema, count)
    .optional()
    .describe("Number of hosts in node sets, by host type."),
  floating_ips: count
    .optional()
    .describe(
      "Number of clusters' own outside addresses: two for each cluster without external IPs.",
    ),
  storage_clusters: count.optional().describe("How many clusters with volume storage."),
  virtual_networks: count.optional().describe("How many networks."),
  subnets: count.optional().describe("How many subnets, over all networks."),
  security_groups: count.optional().describe("How many security groups, over all networks."),
  external_ips: count.optional().describe("How many external IPs, with those of clusters' orders."),
  nat_gateways: count.optional().describe("How many NAT gateways."),
});
export type Limits = z.infer<typeof limitsSchema>;
export type Quota = StoredObject<"quota", { limits: Limits }, Record<string, never>>;

export function amountsOf({ hosts = {}, ...rest }: Limits): Amounts {
  const types = Object.entries(hosts).map(([type, n]) => [hostsOf(type), n] as const);
  const others = Object.entries(rest).flatMap(([name, n]) =>
    n === undefined ? [] : [[name, n] as const],
  );
  return Object.fromEntries([...others, ...types]);
}

/** The dimensions with a single number. */
const plainDimensions = [
  "control_planes",
  "floating_ips",
  "storage_clusters",
  "virtual_networks",
  "subnets",
  "security_groups",
  "external_ips",
  "nat_gateways",
] as const satisfies Exclude<keyof Limits, "hosts">[];

/** The amounts in the form of a quota. */
export function limitsOf(amounts: Amounts): Required<Limits> {
  const plain = plainDimensions.map((name) => [name, amounts[name] ?? 0] as const);
  const hosts = Object.entries(amounts).flatMap(([name, n]) => {
    const type = hostTypeOf(name);
    return type === undefined || n === 0 ? [] : [[type, n] as const];
  });
  // The list has every dimension except hosts.
  const counts = Object.fromEntries(plain) as Record<(typeof plainDimensions)[number], number>;
  return { ...counts, hosts: Object.fromEntries(hosts) };
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    quota: Quota;
  }
}
