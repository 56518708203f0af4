import { expect, it } from "vitest";
import { asClusterId, type HostId } from "../../core/id.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import type { StepContext } from "../../core/kernel/saga/context.ts";
import type { Hubs } from "../../core/ports/hub/hub.ts";
import { type Cluster, wantedNodeSets } from "../../core/resources/cluster/model.ts";
import { detachLeaving, releaseLeaving } from "../../statemachines/steps/cluster/release-hosts.ts";
import { attemptAt } from "../support/attempt.ts";
import { wrongInBooks } from "../support/books.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** Hosts on their way out: what looks that took their time write must not outlive the operation. */

async function readyCluster(site: Site, size: number): Promise<string> {
  const id = await site.order("c1", { node_sets: { workers: { size } } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

const readyWithTwo = (site: Site) => readyCluster(site, 2);
const readyWithThree = (site: Site) => readyCluster(site, 3);

const resize = (site: Site, id: string, size: number) =>
  site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size } } } });

const recordOf = ({ laptop }: Site, id: string): Promise<Cluster> =>
  mustLoad(recordsIn(laptop.store), "cluster", id);

/** What a step is given, by a hub that answers only when it is told to. */
async function slowly({ laptop }: Site, id: string, step: string) {
  const cluster = await mustLoad(recordsIn(laptop.store), "cluster", id);
  const operation = await mustLoad(recordsIn(laptop.store), "operation", cluster.operation ?? "");
  let answer: () => void = () => {};
  const told = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const hubs: Hubs = {
    client: async (hub) => {
      await told;
      return laptop.deps.hubs.client(hub);
    },
  };
  const deps = { ...laptop.deps, hubs };
  // The target of this operation is a cluster.
  const context = (await attemptAt(deps, operation.id, step)) as StepContext<Cluster>;
  return { answer, cluster, context };
}

it("a look that ends after the hosts were released marks none of them", {
  tags: "smoke",
}, async () => {
  const { site, brought: id } = await siteAfter(readyWithThree);
  await resize(site, id, 1);
  await site.laptop.until(
    async () => (await recordOf(site, id)).placement?.leaving?.length === 2,
    "two hosts to leave",
  );
  const { answer, cluster, context } = await slowly(site, id, "DetachHosts");
  const look = detachLeaving(wantedNodeSets)(cluster, context);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  answer();
  await expect(look).rejects.toMatchObject({ kind: "Cancelled" });
  const { placement } = await recordOf(site, id);
  expect(Object.values(placement?.hosts ?? {}).flat()).toHaveLength(1);
  expect(placement).not.toHaveProperty("leaving");
});

it("a look of an operation that has ended takes nothing from the next one", async () => {
  const { site, brought: id } = await siteAfter(readyWithThree);
  await resize(site, id, 1);
  await site.laptop.until(async () => (await recordOf(site, id)).placement?.leaving?.length === 2);
  const { answer, cluster, context } = await slowly(site, id, "ReleaseHosts");
  const looks = [detachLeaving(wantedNodeSets)(cluster, context), releaseLeaving(cluster, context)];
  await site.settled(id);
  await resize(site, id, 3);
  await site.settled(id);
  const before = await recordOf(site, id);
  answer();
  const [detaching] = await Promise.allSettled(looks);
  expect(detaching).toMatchObject({ status: "rejected", reason: { kind: "Cancelled" } });
  expect((await recordOf(site, id)).placement).toEqual(before.placement);
  expect(await wrongInBooks(site)).toEqual([]);
});

/** Marks every host of the provider, whoever has it, as one that leaves the cluster. */
async function leaveStaleMarks(site: Site, id: string): Promise<void> {
  const { body } = await site.admin("GET", "hosts");
  const hosts = body.items.map((host: Wire): HostId => host.id);
  await changeObject(site.laptop.deps, "cluster", asClusterId(id), (cluster) => {
    const held: string[] = Object.values(cluster.placement?.hosts ?? {}).flat();
    const leaving = hosts.filter((host: string) => !held.includes(host));
    return cluster.placement && { ...cluster, placement: { ...cluster.placement, leaving } };
  });
}

it("marks of hosts that a cluster does not hold do not keep the next change from ending", async () => {
  const { site, brought: id } = await siteAfter(readyWithTwo);
  await leaveStaleMarks(site, id);
  site.world.faults.add({ target: "worker", operation: "ResizeNodePools", fault: "error" });
  await resize(site, id, 3);
  const { status } = await site.settled(id);
  expect(status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "ResizeNodePools" },
  });
  expect(Date.parse(status.end_time) - Date.parse(status.start_time)).toBeLessThan(3_600_000);
  expect((await recordOf(site, id)).placement).not.toHaveProperty("leaving");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("marks of hosts that a cluster does not hold do not keep those that it gets from joining", async () => {
  const { site, brought: id } = await siteAfter(readyWithTwo);
  await leaveStaleMarks(site, id);
  await resize(site, id, 3);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(id)).status.node_sets.workers).toMatchObject({ size: 3, ready: 3 });
  expect((await recordOf(site, id)).placement).not.toHaveProperty("leaving");
  expect(await wrongInBooks(site)).toEqual([]);
});
