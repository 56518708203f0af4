import { expect, it } from "vitest";
import type { SiteRecord } from "../../core/at-site/at-site.ts";
import { seconds } from "../../core/clock.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { attachHosts } from "../../statemachines/steps/site/attachments.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What Slipway itself adds to the time of a create. */

const time = (text: string): number => Date.parse(text);

/** When the hub told first that the release is rolled out. */
function rollouts(site: Site): { at?: number } {
  const seen: { at?: number } = {};
  for (const { cluster } of site.world.hubs())
    cluster.watch("HostedCluster", ({ object }: Wire) => {
      if (object.status?.version?.history?.[0]?.state === "Completed")
        seen.at ??= site.laptop.clock.now();
    });
  return seen;
}

it("a create notices in seconds what takes seconds, and ends as soon as its hub reports the rollout", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const rollout = rollouts(site);
  const { status } = await site.settled(await site.order("one"));
  expect(status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(time(status.end_time) - (rollout.at ?? 0)).toBeLessThanOrEqual(seconds(1));
  const took = (name: string) => {
    const { start_time, end_time } = status.steps.find((step: Wire) => step.name === name);
    return time(end_time) - time(start_time);
  };
  // The simulated fabric takes five seconds for a gateway and four for both addresses; names take two.
  expect(took("CreateLayer3Network")).toBeLessThanOrEqual(seconds(7));
  expect(took("AllocateFloatingIps")).toBeLessThanOrEqual(seconds(6));
  expect(took("CreateDnsRecords")).toBeLessThanOrEqual(seconds(4));
});

it("a create whose report of the rollout is lost ends with the next look", async () => {
  let rollout: { at?: number } = {};
  const site = await openSite({ hasNews: () => rollout.at === undefined });
  rollout = rollouts(site);
  const { status } = await site.settled(await site.order("one"));
  expect(status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(time(status.end_time) - (rollout.at ?? 0)).toBeLessThanOrEqual(seconds(60));
});

it("ports are looked at once all their hosts have addresses, and seldom before", async () => {
  const site = await openSite();
  const { deps } = site.laptop;
  const id = await site.order("one");
  const stepOfOrder = async () => (await site.cluster(id)).status.waiting?.[0]?.step;
  await site.laptop.until(async () => (await stepOfOrder()) === "DeployControlPlane", "attached");
  const cluster = await mustLoad(deps, "cluster", id);
  const operation = await mustLoad(deps, "operation", cluster.operation ?? "");
  const { site: there } = cluster;
  if (!there?.network) throw new Error("the order has no network");
  const attachments = { state: "pending", message: "1 of 4", at: "" } as const;
  const known = { ...there, parts: { ...there.parts, attachments } };
  const decided = (network: SiteRecord["network"]) =>
    attachHosts.until?.(
      { ...cluster, site: { ...known, ...(network && { network }) } },
      { deps, operation, step: "AttachHosts" },
    );
  expect(await decided(there.network)).toMatchObject({ waitingFor: "1 of 4", lookAgain: 0 });
  const elsewhere = { ...there.network, prefix: "192.0.2.0/24" };
  expect(await decided(elsewhere)).toMatchObject({ lookAgain: seconds(30) });
});
