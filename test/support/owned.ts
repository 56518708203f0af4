import { expect } from "vitest";
import type { DevProcess } from "./dev-process.ts";

/** What belongs to a READY cluster outside, by kind; one more of anything would be a double. */
export const ownedBy = (workers: number): Record<string, number> => ({
  Agent: workers,
  AgentMachine: workers,
  HostedCluster: 1,
  HostedControlPlane: 1,
  IPAddressPool: 1,
  Machine: workers,
  Namespace: 2,
  NodePool: 1,
  RoleBinding: 2,
  Secret: 3,
  Service: 1,
  ServiceAccount: 1,
  address: 2,
  api_server: 1,
  ceph_user: 1,
  dns_record: 3,
  floating_ip: 2,
  host: workers,
  network: 1,
  port: 2 * workers + 4,
  port_binding: 2 * workers,
  prefix: 1,
  rbd_namespace: 1,
  router: 1,
  router_address: 1,
  router_interface: 1,
  subnet: 1,
  vlan: 1,
  way_out: 1,
});

/**
 * How many things of each kind belong to the cluster outside. What belongs to anybody belongs to it or
 * to one of the others.
 */
export async function countsOf(
  slipway: DevProcess,
  cluster: string,
  others: readonly string[] = [],
): Promise<Record<string, number>> {
  const owned = (await slipway.ledger()).flatMap(({ kind, owner }) =>
    owner === null ? [] : [{ kind, owner }],
  );
  for (const { owner } of owned) {
    expect(owner).toEqual({ tenant: "tenant-a", kind: "cluster", id: expect.any(String) });
    expect([cluster, ...others]).toContain(owner.id);
  }
  const own = owned.filter(({ owner }) => owner.id === cluster);
  const kinds = Map.groupBy(own, ({ kind }) => kind);
  return Object.fromEntries(Array.from(kinds, ([kind, items]) => [kind, items.length]));
}
