import { describe, expect, it } from "vitest";
import { timestamp } from "../../../../core/clock.ts";
import { asHubId } from "../../../../core/id.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad, putNew } from "../../../../core/kernel/object/records.ts";
import { refreshObject } from "../../../../core/reconcile/refresh.ts";
import { absence } from "../../../../core/resources/cluster/absence.ts";
import type { Cluster, Observed } from "../../../../core/resources/cluster/model.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { clusterRecord } from "../../../support/cluster-record.ts";
import { testDeps } from "../../../support/deps.ts";

/** What a hub's objects that a read did not find mean for a cluster. */

const readAt = Date.UTC(2026, 0, 1);
const reported = (at: number) => ({
  ...{ uid: "u", resource_version: "1", at: timestamp(at), gone: false, message: "" },
  version_completed: true,
});
const pool = (at: number) => ({ ...reported(at), desired: 1, replicas: 1, ready: true });
const plane = (at: number) => ({ ...reported(at), available: true, degraded: false });

const clusterWith = (observed: Observed): Cluster => ({ ...clusterRecord(readAt), observed });
const both = (at: number) =>
  clusterWith({ control_plane: plane(at), node_pools: { workers: pool(at), gpu: pool(at) } });

/** What counts as gone, by name; `plane` for the control plane. */
const goneIn = (cluster: Cluster | undefined): string[] => [
  ...(cluster?.observed.control_plane?.gone ? ["plane"] : []),
  ...Object.entries(cluster?.observed.node_pools ?? {}).flatMap(([set, { gone }]) =>
    gone ? [set] : [],
  ),
];

const { infra_id } = clusterRecord(readAt);
const [hosted, workers] = [`HostedCluster/${infra_id}`, `NodePool/${infra_id}-workers`];

describe("after a read of its hub's objects, a cluster lacks", () => {
  it.each<[string, number, string[], string[]]>([
    ["all that the read did not find", -1, [], ["plane", "workers", "gpu"]],
    ["what was reported when the read began", 0, [], ["plane", "workers", "gpu"]],
    ["nothing that was reported since", 1, [], []],
    ["what the read did not find beside what it found", -1, [hosted, workers], ["gpu"]],
  ])("%s", (_, ms, seen, gone) => {
    const cluster = both(readAt + ms);
    const after = absence.marked(
      cluster,
      { seen: new Map(seen.map((each) => [each, []])), at: readAt },
      cluster,
    );
    expect(goneIn(after)).toEqual(gone);
    expect(after === undefined).toBe(gone.length === 0);
  });

  it("what was there before, though another part was reported since", () => {
    const cluster = clusterWith({
      control_plane: plane(readAt + 1),
      node_pools: { workers: pool(readAt - 1), gpu: pool(readAt + 1) },
    });
    const after = absence.marked(cluster, { seen: new Map(), at: readAt }, cluster);
    expect(goneIn(after)).toEqual(["workers"]);
  });
});

it("a node pool that is reported while its hub is being read is not gone", async () => {
  const deps = testDeps();
  const cluster = both(deps.clock.now());
  const placement = { hub: asHubId("hub"), at: "", reason: "", rejected: [], hosts: {} };
  await deps.store.transact(putNew(kinds, { ...cluster, placement }));
  await deps.clock.advance(1000);
  deps.hubClients.set("hub", {
    clusters: {
      read: async () => {
        await deps.clock.advance(1000);
        await changeObject(deps, "cluster", cluster.id, ({ observed, ...current }) => ({
          ...current,
          observed: {
            ...observed,
            node_pools: { ...observed.node_pools, workers: pool(deps.clock.now()) },
          },
        }));
        return [];
      },
    },
  });
  await refreshObject(deps, "cluster", cluster.id);
  expect(goneIn(await mustLoad(deps, "cluster", cluster.id))).toEqual(["plane", "gpu"]);
});
