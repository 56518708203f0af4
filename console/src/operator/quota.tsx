import type { Quota } from "../generated/answers.ts";
import { Table } from "../ui/table.tsx";
import { Bar } from "./bar.tsx";

/** The limits and the usage of a tenant or a project. */

interface Amount {
  name: string;
  used: number;
  /** Undefined without a limit. */
  limit: number | undefined;
}

type Limits = Quota["spec"]["limits"];

const names = {
  control_planes: "control planes",
  floating_ips: "floating IPs",
  storage_clusters: "clusters with storage",
  virtual_networks: "networks",
  subnets: "subnets",
  security_groups: "security groups",
  external_ips: "external IPs",
  nat_gateways: "NAT gateways",
} satisfies Record<Exclude<keyof Limits, "hosts">, string>;

/** All dimensions of a quota; hosts by type. */
export function amountsOf({ spec: { limits }, status: { usage } }: Quota): Amount[] {
  const plain = Object.entries(names).map(([dimension, name]) => {
    const member = dimension as keyof typeof names;
    return { name, used: usage?.[member] ?? 0, limit: limits[member] };
  });
  const types = new Set([...Object.keys(limits.hosts ?? {}), ...Object.keys(usage?.hosts ?? {})]);
  const hosts = [...types].map((type) => ({
    name: `hosts of type ${type}`,
    used: usage?.hosts?.[type] ?? 0,
    limit: limits.hosts?.[type],
  }));
  return [...plain, ...hosts];
}

export function OfQuota({ label, quota }: { label: string; quota: Quota }) {
  return (
    <Table
      label={label}
      rows={amountsOf(quota)}
      idOf={({ name }) => name}
      empty=""
      columns={[
        { name: "Of", cell: ({ name }) => name },
        {
          name: "Used",
          cell: ({ used, limit }) =>
            limit === undefined ? `${used}, no limit` : <Bar total={limit} used={used} />,
        },
      ]}
    />
  );
}
