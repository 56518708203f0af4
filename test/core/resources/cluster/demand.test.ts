import { expect, it } from "vitest";
import { asHubId } from "../../../../core/id.ts";
import type { Placement } from "../../../../core/kernel/object/traits.ts";
import { clusterPlacing, demandFor } from "../../../../core/resources/cluster/demand.ts";
import type { Cluster, NodeSets } from "../../../../core/resources/cluster/model.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { hubRecord, nodeSetsOf } from "../../../support/placement.ts";

const cluster: Cluster = {
  ...clusterRecord(0),
  applied: nodeSetsOf({ small: 2, large: 1 }),
  applying: nodeSetsOf({ small: 3 }),
};
const withSpec = (node_sets: NodeSets, more: Partial<Cluster> = {}): Cluster => ({
  ...cluster,
  ...more,
  spec: { ...cluster.spec, node_sets, placement: { region: "eu" } },
});

it("each node set is a set of hosts; one that goes is wanted with none", () => {
  const { wants, where, owner } = demandFor(nodeSetsOf({ small: 3 }))(withSpec(nodeSetsOf({})));
  expect(wants).toEqual([
    { set: "small", hostType: "small", count: 3 },
    { set: "large", hostType: "large", count: 0 },
  ]);
  expect(where).toEqual({ region: "eu" });
  expect(owner).toEqual({ kind: "cluster", id: "cluster-1", tenant: "tenant-a" });
});

it("what the last operation left behind is in use; before the first has ended nothing is", () => {
  const wanted = nodeSetsOf({ small: 3 });
  expect(demandFor(wanted)(cluster).inUse).toEqual({ small: 2, large: 1 });
  const { applied: _, ...fresh } = cluster;
  expect(demandFor(wanted)(fresh)).not.toHaveProperty("inUse");
});

it("its operations may wait for a hub, a slot, hosts of all types that it knows, and numbers of its site", () => {
  const known = withSpec(nodeSetsOf({ tiny: 1 }));
  expect(demandFor({})(known).queues).toEqual([
    "hub",
    "slot",
    "host:small",
    "host:large",
    "host:tiny",
  ]);
  const sited = { ...known, site: { id: "site-1", parts: {} } };
  expect(demandFor({})(sited).queues.slice(5)).toEqual([
    "numbers:vlans#site-1",
    "numbers:prefixes#site-1",
    "numbers:floating_ips#site-1",
  ]);
});

it("with its place a cluster comes to its hub's site, where it has been keeps what it has there, and leaves with it", () => {
  const placement: Placement = { hub: asHubId("hub"), at: "", reason: "", rejected: [], hosts: {} };
  const hub = hubRecord("hub", { site: "site-1" });
  const placed = clusterPlacing.placed(cluster, placement, hub);
  expect(placed).toEqual({ ...cluster, placement, site: { id: "site-1", parts: {} } });
  const sited = { ...placed, site: { id: "site-1", vlan: 100, parts: {} } };
  expect(clusterPlacing.placed(sited, placement, hub).site).toEqual(sited.site);
  expect(clusterPlacing.unplaced(sited)).toEqual(cluster);
  expect(clusterPlacing.placed(cluster, placement, hubRecord("bare"))).not.toHaveProperty("site");
});
