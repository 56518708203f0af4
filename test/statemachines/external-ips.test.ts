import { expect, it } from "vitest";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { wrongInBooks } from "../support/books.ts";
import { attached, attachTo, detached, externalIp, withOutside } from "../support/external-ips.ts";
import { ready } from "../support/matrix/cluster-worlds.ts";
import { atRest } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** External IPs at the endpoints of clusters, through the API, the sagas, the simulated fabric and DNS. */

const minute = 60_000;

/** A site with a pool, a cluster that is READY, and an external IP. */
async function withCluster(): Promise<{ site: Site; cluster: string; ip: string }> {
  const { site, brought: cluster } = await siteAfter(ready);
  await withOutside(site);
  return { site, cluster, ip: await externalIp(site, "front") };
}

const domain = "c1.tenant-a.eu-west.example.com";
const resolved = (site: Site, name: string) => site.world.site.dns.resolve(name, "A");

/** Where an outside address leads to, as the fabric knows it. */
const behind = (site: Site, address: string): string | null | undefined =>
  site.world.site.fabric.read(
    ({ records }) =>
      records.all("floatingip").find((one) => one.floating_ip_address === address)
        ?.fixed_ip_address,
  );

const addressesOf = async (site: Site, cluster: string): Promise<Wire> =>
  (await site.cluster(cluster)).status.addresses;

it("leads to the endpoint in place of the cluster's own address, which comes back", {
  tags: "smoke",
}, async () => {
  const { site, cluster, ip } = await withCluster();
  const before = await addressesOf(site, cluster);
  const own = before.api.external;
  const { id, status } = await attached(site, "front", "front");
  expect(status.external_ip_address).toBe("203.0.113.80");
  expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(true);
  expect(await addressesOf(site, cluster)).toEqual({
    ...before,
    api: { ...before.api, external: "203.0.113.80" },
  });
  expect(resolved(site, `api.${domain}`)).toEqual(["203.0.113.80"]);
  expect(resolved(site, `x.apps.${domain}`)).toEqual([before.ingress.external]);
  expect([behind(site, "203.0.113.80"), behind(site, own)]).toEqual([before.api.internal, null]);
  expect(await wrongInBooks(site)).toEqual([]);

  await detached(site, id);
  expect(await addressesOf(site, cluster)).toEqual(before);
  expect(resolved(site, `api.${domain}`)).toEqual([own]);
  expect([behind(site, "203.0.113.80"), behind(site, own)]).toEqual([
    undefined,
    before.api.internal,
  ]);
  const { status: free } = (await site.api("GET", `external_ips/${ip}`)).body;
  expect(free).toMatchObject({ address: "203.0.113.80", attached: false });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is no drift of the cluster, and is one when somebody takes it away", async () => {
  const { site, cluster } = await withCluster();
  await attached(site, "front", "front", { endpoint: "INGRESS" });
  const condition = async (type: string) =>
    (await site.cluster(cluster)).status.conditions.find(
      (each: Wire) => each.type === `CLUSTER_CONDITION_TYPE_${type}`,
    );
  await site.laptop.pass(40 * minute);
  expect((await condition("INFRASTRUCTURE_READY")).status).toBe("CONDITION_STATUS_TRUE");
  const { fabric } = await site.laptop.deps.sites.systems("site-1");
  const { site: at } = await mustLoad(site.laptop.deps, "cluster", cluster);
  const { attachment: id = "", name = "" } = at?.external_ips?.ingress ?? {};
  const owner = { kind: "external_ip_attachment", id, tenant: "tenant-a", name };
  await site.laptop.clock.until(fabric?.removeExternalIp(owner) ?? Promise.reject());
  await site.laptop.pass(40 * minute);
  expect(await condition("INFRASTRUCTURE_READY")).toMatchObject({
    reason: "SiteDrifted",
    message: "floating IPs: external IP 203.0.113.80 for ingress is gone",
  });
});

it("keeps the cluster, the address and the pool while it is there, and says so", async () => {
  const { site, cluster, ip } = await withCluster();
  const { id } = await attached(site, "front", "front");
  const kind = "external_ip_attachment";
  const in_use = [{ kind, count: 1, objects: [{ id, name: "front" }] }];
  for (const path of [`clusters/${cluster}`, `external_ips/${ip}`])
    expect((await site.api("DELETE", path)).body).toMatchObject({ code: 9, in_use });
  await detached(site, id);
  expect((await site.api("DELETE", `external_ips/${ip}`)).status).toBe(200);
  expect((await site.api("DELETE", `clusters/${cluster}`)).status).toBe(200);
  await site.settled(cluster);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is attached by a retry where it could not be", async () => {
  const { site, cluster, ip } = await withCluster();
  const before = await addressesOf(site, cluster);
  site.world.faults.add({
    ...{ target: "fabric", operation: "POST /v2.0/floatingips", fault: "error", status: 400 },
    count: 0,
  });
  const { id } = (await attachTo(site, "front", "front")).body;
  const state = async () => (await atRest(site, "external_ip_attachments", id)).status.state;
  expect(await state()).toMatch(/_FAILED$/);
  site.world.faults.clear();
  const retry = () => site.api("POST", `external_ip_attachments/${id}/retry`);
  expect(await addressesOf(site, cluster)).toEqual(before);

  const answer = await retry();
  expect(answer.body.status.state).toMatch(/_PENDING$/);
  expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(true);
  expect(await state()).toMatch(/_READY$/);
  expect(behind(site, "203.0.113.80")).toBe(before.api.internal);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("moves to another endpoint, and is the tenant's all the time", async () => {
  const { site, cluster, ip } = await withCluster();
  const { ingress, api } = await addressesOf(site, cluster);
  const { id } = await attached(site, "front", "front");
  await detached(site, id);
  expect((await site.api("GET", `external_ips/${ip}`)).body.status.address).toBe("203.0.113.80");
  await attached(site, "back", "front", { endpoint: "INGRESS" });
  expect(behind(site, "203.0.113.80")).toBe(ingress.internal);
  expect(resolved(site, `x.apps.${domain}`)).toEqual(["203.0.113.80"]);
  expect(resolved(site, `api.${domain}`)).toEqual([api.external]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is at one endpoint, and an endpoint has one, however orders meet", async () => {
  const { site } = await withCluster();
  await externalIp(site, "other");
  const meet = async (...asked: Promise<{ status: number; body: Wire }>[]) => {
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.code).toBe(9);
    const won = answers.find(({ status }) => status === 200)?.body.id;
    await atRest(site, "external_ip_attachments", won);
    await detached(site, won);
  };
  // Two attachments of one address.
  await meet(attachTo(site, "a", "front"), attachTo(site, "b", "front", { endpoint: "INGRESS" }));
  // Two addresses at one endpoint.
  await meet(attachTo(site, "a", "front"), attachTo(site, "b", "other"));
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is not attached to what goes at the same time", async () => {
  const { site, cluster, ip } = await withCluster();
  const [attaching, gone] = await Promise.all([
    attachTo(site, "a", "front"),
    site.api("DELETE", `external_ips/${ip}`),
  ]);
  expect([attaching.status === 200, gone.status === 200].toSorted()).toEqual([false, true]);
  if (attaching.status === 200) {
    await atRest(site, "external_ip_attachments", attaching.body.id);
    await detached(site, attaching.body.id);
  }
  await externalIp(site, "again");
  const [late, deletion] = await Promise.all([
    attachTo(site, "b", "again"),
    site.api("DELETE", `clusters/${cluster}`),
  ]);
  expect([late.status === 200, deletion.status === 200].toSorted()).toEqual([false, true]);
  if (late.status === 200) await atRest(site, "external_ip_attachments", late.body.id);
  else await site.settled(cluster);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("serves both endpoints at once", async () => {
  const { site, cluster } = await withCluster();
  await externalIp(site, "other");
  const asked = [
    attachTo(site, "a", "front"),
    attachTo(site, "b", "other", { endpoint: "INGRESS" }),
  ];
  const ids = (await Promise.all(asked)).map(({ body }) => body.id);
  for (const id of ids)
    expect((await atRest(site, "external_ip_attachments", id)).status.state).toMatch(/_READY$/);
  const { api, ingress } = await addressesOf(site, cluster);
  expect(resolved(site, `api.${domain}`)).toEqual([api.external]);
  expect(resolved(site, `x.apps.${domain}`)).toEqual([ingress.external]);
  expect([api.external, ingress.external].toSorted()).toEqual(["203.0.113.80", "203.0.113.81"]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("leaves the cluster its own address when the fabric refuses it", { tags: "smoke" }, async () => {
  const { site, cluster } = await withCluster();
  const before = await addressesOf(site, cluster);
  site.world.faults.add({ target: "worker", operation: "MoveNames", fault: "error" });
  const { body } = await attachTo(site, "a", "front");
  const { status } = await atRest(site, "external_ip_attachments", body.id);
  expect(status.state).toBe("EXTERNAL_IP_ATTACHMENT_STATE_FAILED");
  expect(await addressesOf(site, cluster)).toEqual(before);
  expect(behind(site, before.api.external)).toBe(before.api.internal);
  expect(await wrongInBooks(site)).toEqual([]);
  // The address is free again, even before the failed one is deleted, whose deletion then takes nothing away.
  await attached(site, "b", "front");
  await detached(site, body.id);
  expect(behind(site, "203.0.113.80")).toBe(before.api.internal);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is free again when the order of an attachment is cancelled before anything of it has begun", async () => {
  const { site, ip } = await withCluster();
  const { id, status } = (await attachTo(site, "a", "front")).body;
  expect((await site.api("POST", `operations/${status.operation}/cancel`)).status).toBe(200);
  expect((await atRest(site, "external_ip_attachments", id)).status.state).toMatch(/_FAILED$/);
  expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(false);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is told OSAC's clients with OSAC's members alone", async () => {
  const { site, cluster, ip } = await withCluster();
  const { id } = await attached(site, "front", "front");
  const accept = { Accept: "application/json;profile=osac" };
  const shown = async (path: string) =>
    (await site.api("GET", path, undefined, accept)).body as Record<string, unknown>;
  expect(await shown(`external_ips/${ip}`)).toMatchObject({
    spec: { pool: { name: "outside" } },
    status: { state: "EXTERNAL_IP_STATE_ALLOCATED", address: "203.0.113.80", attached: true },
  });
  const { spec, status } = await shown(`external_ip_attachments/${id}`);
  expect({ spec, status }).toEqual({
    spec: {
      external_ip: { id: ip, name: "front" },
      cluster: { id: cluster, name: "c1" },
      target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
    },
    status: {
      state: "EXTERNAL_IP_ATTACHMENT_STATE_READY",
      external_ip_address: "203.0.113.80",
    },
  });
  // OSAC's clients may send camel case, and numbers for enums.
  await externalIp(site, "other");
  const body = {
    metadata: { name: "ingress" },
    spec: { externalIp: { name: "other" }, cluster: { id: cluster }, targetEndpoint: 2 },
  };
  const answer = await site.api("POST", "external_ip_attachments", body, accept);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.spec.target_endpoint).toBe("EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS");
  expect((await atRest(site, "external_ip_attachments", answer.body.id)).status.state).toMatch(
    /_READY$/,
  );
});
