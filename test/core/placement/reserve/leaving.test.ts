import { expect, it } from "vitest";
import { asHostId, asHubId } from "../../../../core/id.ts";
import { leavingOf, letLeave, withLeaving } from "../../../../core/placement/reserve/leaving.ts";
import type { Cluster, NodeSets } from "../../../../core/resources/cluster/model.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";

const ids = (...names: string[]) => names.map(asHostId);

const clusterWith = (hosts: Record<string, string[]>, leaving?: string[]): Cluster => ({
  ...clusterRecord(0),
  placement: {
    hub: asHubId("hub"),
    at: "",
    reason: "",
    rejected: [],
    hosts: Object.fromEntries(Object.entries(hosts).map(([set, names]) => [set, ids(...names)])),
    ...(leaving && { leaving: ids(...leaving) }),
  },
});

const sizes = (sets: Record<string, number>): NodeSets =>
  Object.fromEntries(
    Object.entries(sets).map(([name, size]) => [name, { size, host_type: { id: "t", name: "t" } }]),
  );

it.each<{
  what: string;
  hosts: Record<string, string[]>;
  leaving?: string[];
  wanted: Record<string, number>;
  free: string[];
  leaves: string[] | undefined;
}>([
  {
    what: "as many as there are too many, of those that are free",
    hosts: { workers: ["a", "b", "c"] },
    wanted: { workers: 1 },
    free: ["b", "c"],
    leaves: ["b", "c"],
  },
  {
    what: "no more than that",
    hosts: { workers: ["a", "b", "c"] },
    wanted: { workers: 2 },
    free: ["a", "b", "c"],
    leaves: ["a"],
  },
  {
    what: "none while the one that leaves is all there is to leave",
    hosts: { workers: ["a", "b"] },
    leaving: ["b"],
    wanted: { workers: 1 },
    free: ["a", "b"],
    leaves: undefined,
  },
  {
    what: "none where none is free",
    hosts: { workers: ["a", "b"] },
    wanted: { workers: 1 },
    free: [],
    leaves: undefined,
  },
  {
    what: "all of a node set that is no more",
    hosts: { workers: ["a"], gpu: ["g"] },
    wanted: { workers: 1 },
    free: ["a", "g"],
    leaves: ["g"],
  },
  {
    what: "whatever is marked of hosts that it does not hold, which is forgotten",
    hosts: { workers: ["a", "b"] },
    leaving: ["x", "y"],
    wanted: { workers: 1 },
    free: ["b", "x"],
    leaves: ["b"],
  },
  {
    what: "another one beside the one that leaves",
    hosts: { workers: ["a", "b", "c"] },
    leaving: ["c"],
    wanted: { workers: 1 },
    free: ["a", "b"],
    leaves: ["c", "a"],
  },
])("lets leave $what", ({ hosts, leaving, wanted, free, leaves }) => {
  const cluster = clusterWith(hosts, leaving);
  const after = letLeave(cluster, sizes(wanted), new Set(free));
  const placement = { ...cluster.placement, leaving: leaves };
  expect(after).toEqual(leaves && { ...cluster, placement });
});

it("lets nothing leave before there are any hosts", () => {
  expect(letLeave(clusterRecord(0), sizes({ workers: 1 }), new Set(["a"]))).toBeUndefined();
});

it("nothing leaves that is not marked", () => {
  const { placement } = clusterWith({ workers: ["a"] });
  expect(placement && leavingOf(placement)).toEqual([]);
});

it("a mark says nothing of a host that is not held", () => {
  const { placement } = clusterWith({ workers: ["a", "b"] }, ["b", "x"]);
  expect(placement && leavingOf(placement)).toEqual(["b"]);
  expect(placement && withLeaving(placement, ids("x"))).not.toHaveProperty("leaving");
});
