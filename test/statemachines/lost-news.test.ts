import { expect, it } from "vitest";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What somebody does on a hub behind our back, with and without an agent there that tells of it. */

const minute = 60_000;

/** The hubs are alive, though nobody there tells of changes. */
async function beat(site: Site): Promise<void> {
  for (const hub of ["hub-a", "hub-b"])
    await site.laptop.report({ hub, heartbeat: true, news: [] });
}

/** A READY cluster, its record, and its hub. */
async function ready(site: Site) {
  await beat(site);
  await site.laptop.pass(6 * minute);
  const id = await site.order("c1", { placement: { region: "eu-west" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const record = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  return { id, record, hub: site.world.hub("hub-a").cluster };
}

const conditionOf = (cluster: Wire, type: string): Wire =>
  cluster.status.conditions.find((each: Wire) => each.type === `CLUSTER_CONDITION_TYPE_${type}`);

it.each([true, false])(
  "a hosted cluster that was removed: its status says so (news: %s)",
  async (reports) => {
    const site = await openSite({ reports });
    const { id, record, hub } = await ready(site);
    hub.delete("HostedCluster", `slipway-${record.infra_id}`, record.infra_id);
    await site.laptop.pass(15 * minute);
    const cluster = await site.cluster(id);
    expect(conditionOf(cluster, "CLUSTER_AVAILABLE")).toMatchObject({
      status: "CONDITION_STATUS_FALSE",
      reason: "NotDeployed",
    });
    expect(conditionOf(cluster, "DEGRADED").status).toBe("CONDITION_STATUS_TRUE");
    expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(site.owned()).toEqual([]);
  },
);

it.each([true, false])(
  "the agent of a host that is gone: the next order takes another host (news: %s)",
  async (reports) => {
    const site = await openSite({ reports });
    const { hub } = await ready(site);
    const free = hub
      .list("Agent", { namespace: agentNamespace })
      .filter(({ metadata }) => !metadata.labels?.["slipway.dev/cluster"])
      .filter(({ metadata }) =>
        metadata.labels?.["agent-install.openshift.io/bmh"]?.startsWith("fc430"),
      );
    expect(free).toHaveLength(4);
    for (const { metadata } of free.slice(0, 2)) hub.delete("Agent", agentNamespace, metadata.name);
    await site.laptop.pass(6 * minute);
    await beat(site);
    const order = { node_sets: { workers: { size: 2 } }, placement: { region: "eu-west" } };
    const next = await site.order("c2", order);
    expect((await site.settled(next)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  },
);

it("the agent of a held host that is gone does not keep a deletion from its end", async () => {
  const site = await openSite({ reports: false });
  const { id, record, hub } = await ready(site);
  const [host = ""] = record.placement?.hosts.workers ?? [];
  const { agent } = (await mustLoad(recordsIn(site.laptop.store), "host", host)).status;
  hub.delete("Agent", agentNamespace, agent?.name ?? "");
  await site.api("DELETE", `clusters/${id}`);
  const began = site.laptop.clock.now();
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.laptop.clock.now() - began).toBeLessThan(60 * minute);
  expect(site.owned()).toEqual([]);
});

it("an upgrade of which nobody tells arrives all the same", async () => {
  const site = await openSite({ reports: false });
  const { id } = await ready(site);
  await site.api("PATCH", `clusters/${id}`, { spec: { version: "4-18-1" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(id)).status).toMatchObject({
    version: "4.18.1",
    node_sets: { workers: { version: "4.18.1" } },
  });
});

it("a host that is registered after its agent reported is available within a minute", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await site.laptop.pass(6 * minute);
  const spec = {
    host_type: "fc430",
    hub: "hub-a",
    bmc: { address: "redfish-virtualmedia://192.168.1.99/redfish/v1/Systems/1" },
    nics: [{ name: "eno1", mac: "52:54:00:aa:bb:cc", switch: "leaf-a1", port: "Ethernet1/99" }],
  };
  site.world.addHost({ name: "late", ...spec, discovered: true });
  await site.laptop.pass(6 * minute);
  const { body } = await site.admin("POST", "hosts", { metadata: { name: "late" }, spec });
  await site.laptop.pass(minute);
  const { status } = await mustLoad(recordsIn(site.laptop.store), "host", body.id);
  expect(status.state).toBe("HOST_STATE_AVAILABLE");
});
