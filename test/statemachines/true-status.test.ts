import { expect, it } from "vitest";
import { networkOf, ownerOf } from "../../core/at-site/owner.ts";
import type { SiteSystems } from "../../core/at-site/sites.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { ownedDomain, recordsOf } from "../../core/resources/cluster/owner.ts";
import { recordsIn } from "../support/records.ts";
import { siteAfter } from "../support/save-site.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What becomes of a cluster after it was READY, and of an order that takes too long. */

const minute = 60_000;

async function ready(site: Site): Promise<Cluster> {
  const id = await site.order("c1", { placement: { region: "eu-west" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await conditionOf(site, id, "DEGRADED")).toMatchObject({ status: no });
  return mustLoad(recordsIn(site.laptop.store), "cluster", id);
}

const [yes, no] = ["CONDITION_STATUS_TRUE", "CONDITION_STATUS_FALSE"];

async function conditionOf(site: Site, id: string, type: string): Promise<Wire> {
  const { status } = await site.cluster(id);
  return status.conditions.find((each: Wire) => each.type === `CLUSTER_CONDITION_TYPE_${type}`);
}

/** Until it is degraded, or no longer; answers the condition. */
async function degraded(site: Site, { id }: Cluster, status: string, within: number) {
  const end = site.laptop.clock.now() + within;
  const holds = async () => (await conditionOf(site, id, "DEGRADED")).status === status;
  await site.laptop.until(async () => (await holds()) || site.laptop.clock.now() > end);
  const condition = await conditionOf(site, id, "DEGRADED");
  expect(condition.status).toBe(status);
  expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");
  expect(await conditionOf(site, id, "READY")).toMatchObject({ status: yes });
  return condition;
}

/** Lets something in the simulated world be down, or up again. */
const annotated =
  (down: boolean) =>
  <O extends { metadata: object }>(object: O): O => ({
    ...object,
    metadata: { ...object.metadata, annotations: { "sim.slipway.dev/down": String(down) } },
  });

it.each([true, false])("a node that dies and comes back (news: %s)", async (reports) => {
  const site = await openSite({ reports });
  for (const hub of ["hub-a", "hub-b"])
    await site.laptop.report({ hub, heartbeat: true, news: [] });
  await site.laptop.pass(6 * minute);
  const cluster = await ready(site);
  const hub = site.world.hub("hub-a");
  const guest = hub.hosted.get(`slipway-${cluster.infra_id}-${cluster.infra_id}`)?.cluster;
  const [node] = guest?.list("Node") ?? [];
  const name = node?.metadata.name ?? "";
  guest?.mutate("Node", undefined, name, annotated(true));
  const condition = await degraded(site, cluster, yes, 6 * minute);
  expect(condition).toMatchObject({ reason: "NodesMissing" });
  expect(condition.message).toContain("workers: 1 of 2");
  expect((await site.cluster(cluster.id)).status.node_sets.workers).toMatchObject({ size: 1 });
  guest?.mutate("Node", undefined, name, annotated(false));
  await degraded(site, cluster, no, 10 * minute);
  expect((await site.cluster(cluster.id)).status.node_sets.workers).toMatchObject({
    size: 2,
    ready: 2,
  });
});

it("a control plane that blinks", { tags: "smoke" }, async () => {
  const { site, brought: cluster } = await siteAfter(ready);
  const { cluster: hub } = site.world.hub("hub-a");
  const named = ["HostedCluster", `slipway-${cluster.infra_id}`, cluster.infra_id] as const;
  hub.mutate(...named, annotated(true));
  expect(await degraded(site, cluster, yes, minute)).toMatchObject({
    reason: "WaitingForControlPlane",
    message: expect.stringContaining("etcd"),
  });
  expect(await conditionOf(site, cluster.id, "CLUSTER_AVAILABLE")).toMatchObject({ status: no });
  hub.mutate(...named, annotated(false));
  await degraded(site, cluster, no, minute);
  expect(await conditionOf(site, cluster.id, "CLUSTER_AVAILABLE")).toMatchObject({ status: yes });
});

type Hand = (systems: Required<SiteSystems>, cluster: Cluster) => Promise<unknown>;

/** What somebody takes away behind our back, and how it comes back. */
const parts: [string, { take: Hand; giveBack: Hand; says: string }][] = [
  [
    "DNS records",
    {
      take: ({ dns }, cluster) => dns.remove(ownedDomain(cluster, cluster.site?.domain ?? "")),
      giveBack: ({ dns }, cluster) => {
        const { site, site: { domain = "" } = {} } = cluster;
        return dns.ensure(ownedDomain(cluster, domain), site ? recordsOf(site, domain) : []);
      },
      says: "DNS records: api.c1.tenant-a.eu-west.example.com differs from the desired record",
    },
  ],
  [
    "floating IPs",
    {
      take: ({ fabric }, cluster) => fabric.removeFloatingIps(networkOf(cluster)),
      async giveBack({ fabric }, cluster) {
        const { floating_ips: outside, network: inside } = cluster.site ?? {};
        for (const use of ["api", "ingress"] as const)
          await fabric.ensureFloatingIp(networkOf(cluster), {
            use,
            internal: inside?.[use] ?? "",
            address: outside?.[use] ?? "",
          });
      },
      says: "floating IPs: floating IP 203.0.113.100 for api is gone",
    },
  ],
  [
    "storage",
    {
      take: async ({ storage }, cluster) => storage.remove(ownerOf(cluster)),
      giveBack: ({ storage }, cluster) => storage.ensure(ownerOf(cluster)),
      says: "storage: its share of the storage is gone",
    },
  ],
];

it.each(parts)("%s that somebody takes away, and gives back", async (_, part) => {
  const { site, brought: cluster } = await siteAfter(ready);
  const systems = (await site.laptop.deps.sites.systems("site-1")) as Required<SiteSystems>;
  for (const image of site.world.site.storage.records.images())
    site.world.site.storage.records.removeImage(image);
  await site.laptop.clock.until(part.take(systems, cluster));
  const found = await degraded(site, cluster, yes, 36 * minute);
  expect(found).toMatchObject({ reason: "SiteDrifted", message: part.says });
  expect(await conditionOf(site, cluster.id, "INFRASTRUCTURE_READY")).toMatchObject({
    status: no,
    reason: "SiteDrifted",
  });
  await site.laptop.clock.until(part.giveBack(systems, cluster));
  // What is missing is looked at in every run, for it may come back.
  await degraded(site, cluster, no, 12 * minute);
  expect(await conditionOf(site, cluster.id, "INFRASTRUCTURE_READY")).toMatchObject({
    status: yes,
  });
});

it("systems that are away say nothing of what a cluster has", async () => {
  const { site, brought: cluster } = await siteAfter(ready);
  for (const target of ["fabric", "dns", "storage"] as const)
    site.world.faults.add({ target, fault: "error", status: 503, count: 0 });
  await site.laptop.pass(70 * minute);
  expect((await mustLoad(recordsIn(site.laptop.store), "cluster", cluster.id)).site).toEqual(
    cluster.site,
  );
});

it("a READY cluster of which nothing is missing is written no more", async () => {
  const {
    site,
    brought: { id },
  } = await siteAfter(ready);
  await site.laptop.pass(5 * minute);
  const { revision } = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  await site.laptop.pass(65 * minute);
  expect((await mustLoad(recordsIn(site.laptop.store), "cluster", id)).revision).toBe(revision);
});

it("an order that waits too long says where and since when, until it goes on", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "dns", fault: "error", status: 503, count: 0 });
  const began = site.laptop.clock.now();
  const id = await site.order("c1");
  const stalled = async () => {
    const { status } = await site.cluster(id);
    return (await site.api("GET", `operations/${status.operation}`)).body.status.stalled;
  };
  await site.laptop.pass(9 * minute);
  expect(await stalled()).toBeUndefined();
  await site.laptop.pass(10 * minute);
  const said = await stalled();
  expect(said).toMatchObject({ step: "CreateDnsRecords", message: expect.stringContaining("503") });
  expect(Date.parse(said.since) - began).toBeLessThan(10 * minute);
  await site.laptop.pass(10 * minute);
  const later = await stalled();
  expect(later).toEqual({ ...said, beyond_seconds: said.beyond_seconds + 600 });
  const passed = site.laptop.clock.now() - Date.parse(later.usual_end);
  expect(later.beyond_seconds).toBe(Math.ceil(passed / 1000));
  site.world.faults.clear();
  await site.laptop.until(async () => (await stalled())?.step !== "CreateDnsRecords");
  const { status } = await site.settled(id);
  expect(status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(status).not.toHaveProperty("stalled");
});
