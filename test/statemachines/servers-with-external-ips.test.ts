import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName, withoutPower } from "../support/dpus.ts";
import { withOutside } from "../support/external-ips.ts";
import { orderServer, serverOf, siteWithServers, withServers } from "../support/instances.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet } from "../support/networks.ts";
import { sshKey } from "../support/orders.ts";
import { packetsOf, withOutsideOfDpus, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** External IPs that come with a server: `auto_external_ip_attachment` of its order. */

const auto = { auto_external_ip_attachment: true };
const listed = async (site: Site, collection: string): Promise<Wire[]> =>
  (await site.api("GET", collection)).body.items;
const rested = (site: Site, id: string): Promise<Wire> => atRest(site, "baremetal_instances", id);

/** Waits until the attachment that came with a server has come to its end, and answers it. */
async function attachmentOf(site: Site): Promise<Wire> {
  const [{ id }] = (await listed(site, "external_ip_attachments")) as [Wire];
  return atRest(site, "external_ip_attachments", id);
}

async function expectNone(site: Site): Promise<void> {
  for (const collection of ["external_ips", "external_ip_attachments"])
    expect(await listed(site, collection), collection).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
}

async function aServer(site: Site): Promise<void> {
  await siteWithServers(site, 1);
  await withOutside(site);
}

it("are the tenant's with the order, lead to the server once it runs, and go with it", {
  tags: "smoke",
}, async () => {
  const { site } = await siteAfter(aServer);
  const id = await orderServer(site, "db-1", auto);
  const [ip] = (await listed(site, "external_ips")) as [Wire];
  expect(ip.status).toMatchObject({ address: "203.0.113.80", attached: true });
  expect(await listed(site, "external_ip_attachments")).toMatchObject([
    {
      metadata: {
        labels: { "osac.openshift.io/auto-created": "true" },
        annotations: { "osac.openshift.io/owner-reference": id },
      },
      spec: { external_ip: { id: ip.id }, baremetal_instance: { id, name: "db-1" } },
      status: {
        state: "EXTERNAL_IP_ATTACHMENT_STATE_PENDING",
        message: "server 'db-1' to be made",
      },
    },
  ]);
  const server = await rested(site, id);
  expect(server.spec.auto_external_ip_attachment).toBe(true);
  const attachment = await attachmentOf(site);
  expect(attachment.status.state).toBe("EXTERNAL_IP_ATTACHMENT_STATE_READY");
  expect((await serverOf(site, id)).status.external_ip_address).toBe("203.0.113.80");
  const led = site.world.site.fabric.read(({ records }) =>
    records.all("floatingip").map((one) => [one.floating_ip_address, one.fixed_ip_address]),
  );
  const [{ ip_address }] = server.status.network_attachment_statuses;
  expect(led).toContainEqual(["203.0.113.80", ip_address]);
  expect(await wrongInBooks(site)).toEqual([]);

  // Nobody takes from the server what came with it.
  for (const path of [`external_ip_attachments/${attachment.id}`, `external_ips/${ip.id}`]) {
    const kept = await site.api("DELETE", path);
    expect([kept.status, kept.body.message]).toEqual([400, expect.stringContaining("in use by")]);
  }
  const changed = await site.api("PATCH", `baremetal_instances/${id}`, {
    spec: { auto_external_ip_attachment: false },
  });
  expect(changed.body.message).toContain("'spec.auto_external_ip_attachment' is immutable");

  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  await expectNone(site);
});

it("are given back by an order that is cancelled or fails, and come anew with its retry", async () => {
  const { site } = await siteAfter(aServer);
  const id = await orderServer(site, "db-1", auto);
  const { operation } = (await serverOf(site, id)).status;
  expect((await site.api("POST", `operations/${operation}/cancel`)).status).toBe(200);
  expect((await rested(site, id)).status.state).toMatch(/_FAILED$/);
  await expectNone(site);
  site.world.faults.add({ target: "worker", operation: "AwaitPhoneHome", fault: "error" });
  for (const state of [/_FAILED$/, /_RUNNING$/]) {
    expect((await site.api("POST", `baremetal_instances/${id}/retry`)).status).toBe(200);
    expect(await listed(site, "external_ips")).toHaveLength(1);
    expect((await rested(site, id)).status.state).toMatch(state);
    if (state.source.includes("FAILED")) await expectNone(site);
  }
  expect((await attachmentOf(site)).status.state).toMatch(/_READY$/);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("need a pool of addresses that lead to where the server is, and room in the quota", async () => {
  const { site } = await siteAfter(async (site) => {
    await siteWithServers(site, 1);
  });
  const order = (more: object = auto) =>
    site.api("POST", "baremetal_instances", {
      metadata: { name: "db-1" },
      spec: {
        ...{ catalog_item: "rhel", ssh_public_key: sshKey("me") },
        network_attachments: [{ subnet: "shop-web" }],
        ...more,
      },
    });
  expect((await order()).body.message).toContain(
    "spec.auto_external_ip_attachment: needs a pool of IPv4 addresses at the site of its subnets, and there is none",
  );
  await withOutside(site);
  const metadata = { name: "tenant-a", tenant: "tenant-a" };
  const limited = await site.admin("POST", "quotas", {
    metadata,
    spec: { limits: { external_ips: 0 } },
  });
  expect(limited.status, JSON.stringify(limited.body)).toBe(200);
  expect((await order()).body.message).toContain("external ips");
  await expectNone(site);
});

async function aServerWithDpus(site: Site): Promise<void> {
  await withServers(site);
  await withOverlay(site);
  await withOutsideOfDpus(site);
  await networkWithSubnet(site);
  const { host } = await addServerWithDpus(site, 1);
  await untilHost(site, host, "AVAILABLE");
}

it("are announced by the DPU of a server in an overlay", async () => {
  const { site } = await siteAfter(aServerWithDpus);
  const id = await orderServer(site, "db-1", auto);
  await rested(site, id);
  const { status } = await attachmentOf(site);
  expect(status.state, status.message).toMatch(/_READY$/);
  const at = () => {
    const to = { address: status.external_ip_address };
    const fate = packetsOf(site).reaches({ address: "198.51.100.7" }, to, "tcp", 443);
    return fate.arrives ? fate.at : fate.stopped;
  };
  // It gets as far as the rules of the server's groups: it has none.
  expect(at()).toBe("ingress group");
  expect(await wrongInBooks(site)).toEqual([]);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  expect(at()).toBe("outside");
  await expectNone(site);
});

it("stay with the server where its DPU does not announce them in time, for that to be tried again", async () => {
  const { site } = await siteAfter(aServerWithDpus);
  const id = await orderServer(site, "db-1", auto);
  const isRunning = async () => /_RUNNING$/.test((await serverOf(site, id)).status.state);
  await site.laptop.until(isRunning, "the server to run");
  for (const n of [0, 1]) {
    const target = `bmc:${dpuName(1, n)}`;
    site.world.faults.add({ target, operation: "agent", fault: "hold", count: 0 });
  }
  const { id: attachment, status, spec } = await attachmentOf(site);
  expect(status.state).toMatch(/_FAILED$/);
  expect(await wrongInBooks(site)).toEqual([]);
  site.world.faults.clear();
  await site.laptop.pass(5 * 60_000);
  // It would go with this server from wherever else it leads to.
  const elsewhere = await site.api("POST", "external_ip_attachments", {
    metadata: { name: "elsewhere" },
    spec: { external_ip: spec.external_ip.id, baremetal_instance: id },
  });
  expect(elsewhere.body.message).toContain(
    `is attached already: external ip attachment '${attachment}'`,
  );
  const again = await site.api("POST", `external_ip_attachments/${attachment}/retry`);
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  expect((await attachmentOf(site)).status.state).toMatch(/_READY$/);
  expect(await wrongInBooks(site)).toEqual([]);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  await expectNone(site);
});

it("keep nobody from removing their server by force, whose host has no power and is alone at its site", async () => {
  const { site } = await siteAfter(aServerWithDpus);
  const id = await orderServer(site, "db-1", auto);
  await rested(site, id);
  await attachmentOf(site);
  withoutPower(site, 1);
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  await site.laptop.pass(3 * 60 * 60_000);
  const force = await site.admin("POST", `baremetal_instances/${id}/force`, { is_off: true });
  expect(force.status, JSON.stringify(force.body)).toBe(200);
  await site.laptop.pass(2 * 60 * 60_000);
  expect((await site.api("GET", `baremetal_instances/${id}`)).status).toBe(404);
});
