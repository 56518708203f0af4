import { describe, expect, it } from "vitest";
import { asHubId } from "../../../../core/id.ts";
import { charged, clusterFieldOf, settled } from "../../../../core/resources/cluster/charge.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { nodeSetsOf } from "../../../support/placement.ts";

const cluster = (sizes: Record<string, number>, more: Partial<Cluster> = {}): Cluster => {
  const bare = clusterRecord(0);
  return { ...bare, spec: { ...bare.spec, node_sets: nodeSetsOf(sizes) }, ...more };
};
const placement = { hub: asHubId("hub"), at: "", reason: "", rejected: [], hosts: {} };
const failure = { step: "", kind: "Rejected", message: "" };
const base = { control_planes: 1, floating_ips: 2 };

describe("a cluster counts for", () => {
  it.each<[string, Cluster, Record<string, number>]>([
    [
      "what it orders",
      cluster({ small: 2, large: 1 }),
      { ...base, "hosts:small": 2, "hosts:large": 1 },
    ],
    ["its storage", cluster({}, { has_storage: true }), { ...base, storage_clusters: 1 }],
    [
      "what it had, until a change to less is done",
      cluster({ small: 1 }, { charge: { ...base, "hosts:small": 3 } }),
      { ...base, "hosts:small": 3 },
    ],
  ])("%s, once its order is accepted", (_, given, charge) => {
    expect(charged(given).charge).toEqual(charge);
  });

  it.each<[string, Cluster, Record<string, number>]>([
    [
      "the most of what it asks for, has and is getting",
      cluster(
        { small: 1 },
        { applied: nodeSetsOf({ small: 3 }), applying: nodeSetsOf({ large: 2 }) },
      ),
      { ...base, "hosts:small": 3, "hosts:large": 2 },
    ],
    [
      "nothing, when it failed and has given everything back",
      cluster({ small: 1 }, { failure }),
      {},
    ],
    [
      "what it keeps for a look, when it failed and is held",
      cluster({ small: 1 }, { failure, placement }),
      { ...base, "hosts:small": 1 },
    ],
  ])("%s, once its operation has ended", (_, given, charge) => {
    expect(settled(given).charge).toEqual(charge);
  });
});

it("is refused at the member that asks for it", () => {
  expect(["hosts", "floating_ips"].map(clusterFieldOf)).toEqual(["spec.node_sets", "spec"]);
});
