import { expect, it } from "vitest";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../../core/kernel/saga/context.ts";
import { adjustPool } from "../../../../core/placement/reserve/adjust.ts";
import { withLeaving } from "../../../../core/placement/reserve/leaving.ts";
import { clusterPlacing } from "../../../../core/resources/cluster/demand.ts";
import type { Cluster } from "../../../../core/resources/cluster/model.ts";
import { releaseCapacity } from "../../../../statemachines/steps/capacity/release.ts";
import { releaseLeaving } from "../../../../statemachines/steps/cluster/release-hosts.ts";
import { attemptAt } from "../../../support/attempt.ts";
import { interrupted } from "../../../support/interrupted-store.ts";
import {
  addHosts,
  addHub,
  giveAllBack,
  heldBy,
  hostsNamed,
  statesIn,
} from "../../../support/placement.ts";
import { inLine, waitingDeps } from "../../../support/waiting.ts";

/** Hosts that are released while something else happens to them. */

/** An order that holds both hosts of a hub. */
async function twoHeld() {
  const deps = waitingDeps();
  await addHub(deps, "hub");
  await addHosts(deps, "hub", "small", hostsNamed("s", 2));
  const [order] = await inLine(deps, ["one", { small: 2 }]);
  return { deps, order };
}

it("a host that is lost while it is released is not free, though the worker died after the release", async () => {
  const { deps, order } = await twoHeld();
  const [lost = ""] = await heldBy(deps, order);
  // As a report of its agent does.
  const report = async () => {
    await changeObject(deps, "host", lost, (host) => {
      const { agent } = host.status;
      return {
        ...host,
        status: { ...host.status, ...(agent && { agent: { ...agent, gone: true } }) },
      };
    });
    await adjustPool(deps, lost);
  };
  const racing = interrupted(deps.store, report);
  const store = {
    ...racing,
    transact: async (writes: Parameters<typeof racing.transact>[0]) => {
      await racing.transact(writes);
      throw new Error("the worker died");
    },
  };
  await expect(giveAllBack({ ...deps, store }, order)).rejects.toThrow("the worker died");
  await deps.relayed();
  expect(await statesIn(deps.store, "hub", "small")).toEqual({ free: 1, out: 1 });
});

const steps: Record<string, (cluster: Cluster, context: StepContext<Cluster>) => Promise<void>> = {
  "all hosts": releaseCapacity(clusterPlacing),
  "hosts that leave": releaseLeaving,
};

it.each(Object.entries(steps))(
  "an attempt to release %s that was overtaken releases nothing",
  async (_, act) => {
    const { deps, order } = await twoHeld();
    const step = "ReserveCapacity";
    const overtaken = await attemptAt(deps, order.operation, step);
    const hosts = await heldBy(deps, order);
    const cluster = await changeObject(deps, "cluster", order.cluster, (each) => {
      const { placement } = each;
      const leaving = Object.values(placement?.hosts ?? {}).flat();
      return placement && { ...each, placement: withLeaving(placement, leaving) };
    });
    deps.hubClients.set("hub", { agents: { readAll: async () => [] } });
    const newest = await attemptAt(deps, order.operation, step);
    await expect(act(cluster, overtaken as StepContext<Cluster>)).rejects.toMatchObject({
      kind: "Cancelled",
    });
    expect(await heldBy(deps, order)).toEqual(hosts);
    await act(await mustLoad(deps, "cluster", cluster.id), newest as StepContext<Cluster>);
    expect(await heldBy(deps, order)).toEqual([]);
  },
);
