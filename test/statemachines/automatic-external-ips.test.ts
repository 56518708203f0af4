import { expect, it } from "vitest";
import { ownerOf } from "../../core/at-site/owner.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { wrongInBooks } from "../support/books.ts";
import { attachTo, externalIp, withOutside } from "../support/external-ips.ts";
import { inSubnet, siteWithSubnet } from "../support/matrix/cluster-worlds.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** External IPs that come with a cluster, through the API, the sagas, the simulated fabric and DNS. */

const minute = 60_000;
const auto = { auto_external_ip_attachment: true };

const listed = async (site: Site, collection: string): Promise<Wire[]> =>
  (await site.api("GET", collection)).body.items;

/** Where an outside address leads to, as the fabric knows it. */
const behind = (site: Site, address: string): string | null | undefined =>
  site.world.site.fabric.read(
    ({ records }) =>
      records.all("floatingip").find((one) => one.floating_ip_address === address)
        ?.fixed_ip_address,
  );

it("are there with the answer to the order, lead in, and go with the cluster", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  await withOutside(site);
  const id = await site.order("c1", auto);
  const ips = await listed(site, "external_ips");
  expect(ips.map(({ status }) => status)).toEqual([
    { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "203.0.113.80", attached: true },
    { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "203.0.113.81", attached: true },
  ]);
  expect(await listed(site, "external_ip_attachments")).toMatchObject([
    {
      metadata: {
        tenant: "tenant-a",
        labels: { "osac.openshift.io/auto-created": "true" },
        annotations: { "osac.openshift.io/owner-reference": id },
      },
      spec: {
        external_ip: { id: ips[0].id },
        cluster: { id, name: "c1" },
        target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
      },
      status: {
        state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING",
        message: "cluster 'c1' to be made",
        external_ip_address: "203.0.113.80",
      },
    },
    { spec: { external_ip: { id: ips[1].id } } },
  ]);
  expect((await site.settled(id)).status).toMatchObject({ state: "OPERATION_STATE_SUCCEEDED" });
  const { addresses, state } = (await site.cluster(id)).status;
  expect(state).toBe("CLUSTER_STATE_READY");
  expect([addresses.api.external, addresses.ingress.external]).toEqual([
    "203.0.113.80",
    "203.0.113.81",
  ]);
  expect(behind(site, "203.0.113.80")).toBe(addresses.api.internal);
  expect(behind(site, "203.0.113.81")).toBe(addresses.ingress.internal);
  const domain = "c1.tenant-a.eu-west.example.com";
  expect(site.world.site.dns.resolve(`api.${domain}`, "A")).toEqual(["203.0.113.80"]);
  expect(site.world.site.dns.resolve(`x.apps.${domain}`, "A")).toEqual(["203.0.113.81"]);
  for (const { status } of await listed(site, "external_ip_attachments"))
    expect(status.state).toBe("EXTERNAL_IP_ATTACHMENT_STATE_READY");
  expect(await wrongInBooks(site)).toEqual([]);

  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  await site.settled(id);
  for (const collection of ["external_ips", "external_ip_attachments"])
    expect(await listed(site, collection)).toEqual([]);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

const none = async (site: Site): Promise<void> => {
  for (const collection of ["external_ips", "external_ip_attachments"])
    expect(await listed(site, collection), collection).toEqual([]);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
};

const cancelled = async (site: Site, id: string): Promise<void> => {
  const { operation } = (await site.cluster(id)).status;
  expect((await site.api("POST", `operations/${operation}/cancel`)).status).toBe(200);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_CANCELLED");
};

/** A site with a pool of outside addresses. */
async function withPool(): Promise<Site> {
  const site = await openSite();
  await withOutside(site);
  return site;
}

it("are given back by an order that is cancelled before anything of it has begun, and come with its retry", async () => {
  const site = await withPool();
  const id = await site.order("c1", auto);
  await cancelled(site, id);
  await none(site);
  expect((await site.api("POST", `clusters/${id}/retry`)).status).toBe(200);
  expect(await listed(site, "external_ips")).toHaveLength(2);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are given back by an order that is cancelled as it waits for hosts, and that goes at once", async () => {
  const site = await withPool();
  const { items } = (await site.admin("GET", "hosts")).body;
  for (const hub of ["hub-a", "hub-b"]) {
    const [out] = items.filter(({ spec }: Wire) => spec.hub === hub && spec.host_type === "fc430");
    expect((await site.admin("POST", `hosts/${out.id}/maintain`)).status).toBe(200);
  }
  const id = await site.order("c1", { ...auto, node_sets: { workers: { size: 6 } } });
  await site.laptop.pass(minute);
  expect((await site.cluster(id)).status.waiting).toHaveLength(1);
  expect(await listed(site, "external_ips")).toHaveLength(2);
  await cancelled(site, id);
  await none(site);
  expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
  await site.settled(id);
  const next = await site.order("c2", auto);
  expect((await site.api("DELETE", `clusters/${next}`)).status).toBe(200);
  await site.settled(next);
  await none(site);
});

it.each(["AllocateFloatingIps", "ConfigureCluster"])(
  "are given back when %s fails, are others with the retry, and go with the cluster",
  async (operation) => {
    const site = await withPool();
    site.world.faults.add({ target: "worker", operation, fault: "error" });
    const id = await site.order("c1", auto);
    expect((await site.settled(id)).status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { given_back: true },
    });
    await none(site);
    expect((await site.api("POST", `clusters/${id}/retry`)).status).toBe(200);
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect((await listed(site, "external_ips")).map(({ status }) => status.address)).toEqual([
      "203.0.113.82",
      "203.0.113.83",
    ]);
    expect(await wrongInBooks(site)).toEqual([]);
    await site.api("DELETE", `clusters/${id}`);
    await site.settled(id);
    await none(site);
  },
);

it("are kept by a failed order that is held, also through its retry", async () => {
  const site = await withPool();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error" });
  const id = await site.order("c1", {
    ...auto,
    template: { id: "ocp_4_17_single_node" },
    template_parameters: { site: "edge" },
  });
  expect((await site.settled(id)).status.failure.given_back).toBe(false);
  const held = await listed(site, "external_ips");
  expect(held).toHaveLength(2);
  expect(await wrongInBooks(site)).toEqual([]);
  await site.api("POST", `clusters/${id}/retry`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(await listed(site, "external_ips")).toEqual(held);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("are no drift of the cluster, and are one when somebody takes them away", async () => {
  const site = await withPool();
  const id = await site.order("c1", auto);
  await site.settled(id);
  const infrastructure = async () =>
    (await site.cluster(id)).status.conditions.find(
      ({ type }: Wire) => type === "CLUSTER_CONDITION_TYPE_INFRASTRUCTURE_READY",
    );
  await site.laptop.pass(40 * minute);
  expect((await infrastructure()).status).toBe("CONDITION_STATUS_TRUE");
  const [, ingress] = await listed(site, "external_ip_attachments");
  const attachment = await mustLoad(site.laptop.deps, "external_ip_attachment", ingress.id);
  const { fabric } = await site.laptop.deps.sites.systems("site-1");
  await site.laptop.clock.until(
    fabric?.removeExternalIp(ownerOf(attachment)) ?? Promise.reject(new Error("no fabric")),
  );
  await site.laptop.pass(40 * minute);
  expect(await infrastructure()).toMatchObject({
    reason: "SiteDrifted",
    message: "floating IPs: external IP 203.0.113.81 for ingress is gone",
  });
});

it("lead to a cluster in a tenant's subnet, and are DELETING as long as it goes", async () => {
  const site = await withPool();
  await siteWithSubnet(site);
  const id = await site.order("c1", { ...auto, ...inSubnet });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const { addresses } = (await site.cluster(id)).status;
  expect(behind(site, "203.0.113.80")).toBe(addresses.api.internal);
  expect(await wrongInBooks(site)).toEqual([]);
  site.world.faults.add({
    ...{ target: "fabric", operation: "DELETE /v2.0/floatingips", fault: "error" },
    ...{ status: 503, count: 3 },
  });
  await site.api("DELETE", `clusters/${id}`);
  await site.laptop.until(
    async () =>
      (await listed(site, "external_ip_attachments")).some(
        ({ status }) => status.state === "EXTERNAL_IP_ATTACHMENT_STATE_DELETING",
      ),
    "an attachment that goes",
  );
  await site.settled(id);
  expect(await listed(site, "external_ips")).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("may have as many labels as any object, and go all the same", async () => {
  const site = await withPool();
  const id = await site.order("c1", auto);
  await site.settled(id);
  const labels = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`l${n}`, "x"]));
  for (const collection of ["external_ips", "external_ip_attachments"])
    for (const each of await listed(site, collection)) {
      const change = { metadata: { labels } };
      const { status, body } = await site.api("PATCH", `${collection}/${each.id}`, change);
      expect(status, JSON.stringify(body)).toBe(200);
    }
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  await none(site);
});

it("leave their endpoints to no other attachment", async () => {
  const site = await withPool();
  const id = await site.order("c1", auto);
  await site.settled(id);
  await externalIp(site, "front");
  const [own] = await listed(site, "external_ip_attachments");
  expect((await attachTo(site, "front", "front")).body).toMatchObject({
    code: 9,
    message: `cluster 'c1' has the address 203.0.113.80 for api already: external ip attachment '${own.id}' has it`,
  });
  const [ip] = await listed(site, "external_ips");
  expect((await attachTo(site, "b", ip.id)).body).toMatchObject({ code: 9 });
  expect(await wrongInBooks(site)).toEqual([]);
});
