import { isDeepStrictEqual } from "node:util";
import { accountKey } from "../../../core/kernel/object/keys.ts";
import { lineage } from "../../../core/kernel/object/project.ts";
import { settled } from "../../../core/resources/cluster/charge.ts";
import type { Check } from "./check.ts";
import { Sums } from "./sums.ts";
import type { Table } from "./table.ts";

/** Every account is the sum of what its clusters, networks, subnets, security groups, external IPs, NAT gateways and servers count for, which at rest is what they have and ask for. */
export const quotas: Check = {
  of: ["account"],
  wrong: ({ table }) => wrongInQuotas(table),
};

export function wrongInQuotas(table: Table): string[] {
  const clusters = table.objects("cluster");
  const sums = new Sums();
  const networks = (
    [
      ...(["virtual_network", "subnet", "security_group", "external_ip"] as const),
      ...(["nat_gateway", "baremetal_instance"] as const),
    ] as const
  ).flatMap((kind) => table.objects(kind));
  for (const { metadata, charge = {} } of [...clusters, ...networks]) {
    const { tenant, project } = metadata;
    for (const path of [undefined, ...(project === undefined ? [] : lineage(project))])
      for (const [dimension, n] of Object.entries(charge))
        sums.add(accountKey(tenant, path), dimension, n);
  }
  const unsettled = clusters.filter(
    (cluster) => !cluster.operation && !isDeepStrictEqual(cluster.charge, settled(cluster).charge),
  );
  return [
    ...unsettled.map(
      ({ id, charge }) => `${id} is at rest and counts for ${JSON.stringify(charge)}`,
    ),
    ...sums.wrongIn(table, ["account"], (name) => name !== "version"),
  ];
}
