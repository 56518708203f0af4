import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, cutOff, dpuName, withoutPower } from "../support/dpus.ts";
import { orderServer, serverOf, withServers } from "../support/instances.ts";
import { hostOf, untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet, orderOf } from "../support/networks.ts";
import { macOf, packetsOf, withOutsideOfDpus, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** What leads out of the networks of DPUs, and into them: external IPs at servers, and NAT gateways. */

interface Brought {
  network: string;
  /** The instances, and the number of the server that each has. */
  shop: { id: string; number: number };
  front: { id: string; number: number };
}

/** Two servers in one subnet, which outsiders may ask at port 443, and a pool whose addresses DPUs announce. */
async function withTwo(site: Site): Promise<Brought> {
  await withServers(site);
  await withOverlay(site);
  const { network } = await networkWithSubnet(site);
  const any = { ipv4_cidr: "0.0.0.0/0" };
  const group = await orderOf(site, "security_groups", "web", {
    virtual_network: network,
    ingress: [{ protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ...any }],
    egress: [{ protocol: "PROTOCOL_TCP", ...any }],
  });
  await atRest(site, "security_groups", group);
  const hosts: string[] = [];
  for (const number of [1, 2]) hosts.push((await addServerWithDpus(site, number)).host);
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  const network_attachments = [{ subnet: "shop-web", security_groups: ["web"] }];
  const ids = [];
  for (const name of ["shop", "front"])
    ids.push(await orderServer(site, name, { network_attachments }));
  for (const id of ids) {
    const { status } = await atRest(site, "baremetal_instances", id);
    expect(status.state, JSON.stringify(status)).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  }
  const { owner } = (await hostOf(site, hosts[0] ?? "")).status;
  await withOutsideOfDpus(site);
  const [shop = "", front = ""] = ids;
  const [ofShop, ofFront] = owner.id === shop ? [1, 2] : [2, 1];
  return {
    network,
    shop: { id: shop, number: ofShop ?? 1 },
    front: { id: front, number: ofFront ?? 2 },
  };
}

const outsider = { address: "198.51.100.7" };

/** The address by which a server is seen outside; where it stops if it is not. */
function seenOf(site: Site, { number }: { number: number }): string {
  const fate = packetsOf(site).reaches({ nic: macOf(number) }, outsider, "tcp", 80);
  return fate.arrives ? fate.source : fate.stopped;
}

/** Where a packet from outside to this address ends. */
function ledTo(site: Site, address: string, port = 443): string {
  const fate = packetsOf(site).reaches(outsider, { address }, "tcp", port);
  return fate.arrives ? fate.at : fate.stopped;
}

async function ipOf(site: Site, name: string): Promise<{ id: string; address: string }> {
  const id = await orderOf(site, "external_ips", name, { pool: "outside" });
  return { id, address: (await site.api("GET", `external_ips/${id}`)).body.status.address };
}

const stateOf = async (site: Site, path: string): Promise<string> =>
  (await site.api("GET", path)).body.status.state;

it("lead in to the server that has the address, and out for all, until their deletion is told by the DPUs", {
  tags: "smoke",
}, async () => {
  const { site, brought } = await siteAfter(withTwo);
  const { network, shop, front } = brought;
  expect([seenOf(site, shop), seenOf(site, front)]).toEqual(["router", "router"]);

  const ours = await ipOf(site, "front");
  expect(ledTo(site, ours.address)).toBe("outside");
  const attachment = await orderOf(site, "external_ip_attachments", "front", {
    ...{ external_ip: ours.id, baremetal_instance: front.id },
  });
  const attached = await atRest(site, "external_ip_attachments", attachment);
  expect(attached.status.state, attached.status.message).toBe("EXTERNAL_IP_ATTACHMENT_STATE_READY");
  expect(ledTo(site, ours.address)).toBe(macOf(front.number));
  expect(ledTo(site, ours.address, 22)).toBe("ingress group");
  expect([seenOf(site, shop), seenOf(site, front)]).toEqual(["router", ours.address]);

  const way = await ipOf(site, "way");
  const gateway = await orderOf(site, "nat_gateways", "way", {
    ...{ virtual_network: network, external_ip: way.id },
  });
  expect((await atRest(site, "nat_gateways", gateway)).status).toEqual({
    state: "NAT_GATEWAY_STATE_READY",
    external_ip_address: way.address,
  });
  // What has an address of its own is seen by that one; nothing comes in by the gateway's.
  expect([seenOf(site, shop), seenOf(site, front)]).toEqual([way.address, ours.address]);
  expect(ledTo(site, way.address)).toBe("outside");
  expect(await wrongInBooks(site)).toEqual([]);

  // Other groups of the server take nothing from the address, and hold for it.
  const closed = await orderOf(site, "security_groups", "closed", { virtual_network: network });
  await atRest(site, "security_groups", closed);
  const network_attachments = [{ subnet: "shop-web", security_groups: ["closed"] }];
  await site.api("PATCH", `baremetal_instances/${front.id}`, { spec: { network_attachments } });
  await atRest(site, "baremetal_instances", front.id);
  expect([ledTo(site, ours.address), seenOf(site, front)]).toEqual([
    "ingress group",
    "egress group",
  ]);
  expect(await wrongInBooks(site)).toEqual([]);

  // A server is not deleted while it has an address.
  const kept = await site.api("DELETE", `baremetal_instances/${front.id}`);
  expect(kept.status).toBe(400);

  // The DPU that has the address is silent: it may lead in still, and nobody else gets it.
  const [dpu] = [0, 1].map((n) => dpuName(front.number, n));
  site.world.faults.add({ target: `bmc:${dpu}`, operation: "agent", fault: "hold", count: 0 });
  for (const path of [`external_ip_attachments/${attachment}`, `nat_gateways/${gateway}`])
    expect((await site.api("DELETE", path)).status).toBe(200);
  await site.laptop.pass(10 * 60_000);
  expect(seenOf(site, shop)).toBe("router");
  expect(await stateOf(site, `external_ip_attachments/${attachment}`)).toMatch(/_DELETING$/);
  expect(await stateOf(site, `nat_gateways/${gateway}`)).toMatch(/_DELETING$/);
  for (const { id } of [ours, way])
    expect((await site.api("GET", `external_ips/${id}`)).body.status.attached).toBe(true);
  const { operation } = (await site.api("GET", `external_ip_attachments/${attachment}`)).body
    .status;
  const { status } = (await site.admin("GET", `operations/${operation}`)).body;
  expect(JSON.stringify(status)).toContain(`DPU ${dpu} to apply version`);

  site.world.faults.clear();
  expect(await atRest(site, "external_ip_attachments", attachment)).toBeUndefined();
  expect(await atRest(site, "nat_gateways", gateway)).toBeUndefined();
  expect(ledTo(site, ours.address)).toBe("outside");
  expect([seenOf(site, shop), seenOf(site, front)]).toEqual(["router", "egress group"]);
  for (const { id } of [ours, way])
    expect((await site.api("DELETE", `external_ips/${id}`)).status).toBe(200);
  expect((await serverOf(site, front.id)).status.external_ip_address).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("come from a DPU that is silent within the hour: its host is set aside, and nobody gets the address before it has told", async () => {
  const { site, brought } = await siteAfter(withTwo);
  const { front, shop } = brought;
  const ours = await ipOf(site, "front");
  const attach = (server: { id: string }) =>
    site.api("POST", "external_ip_attachments", {
      metadata: { name: "front" },
      spec: { external_ip: ours.id, baremetal_instance: server.id },
    });
  const { id: attachment } = (await attach(front)).body;
  await atRest(site, "external_ip_attachments", attachment);
  const dpu = dpuName(front.number, 0);
  site.world.faults.add({ target: `bmc:${dpu}`, operation: "agent", fault: "hold", count: 0 });
  expect((await site.api("DELETE", `external_ip_attachments/${attachment}`)).status).toBe(200);
  await site.laptop.pass(45 * 60_000);
  expect((await site.api("GET", `external_ip_attachments/${attachment}`)).status).toBe(404);
  const { items } = (await site.admin("GET", "hosts")).body;
  const host = items.find(
    ({ metadata }: { metadata: { name: string } }) => metadata.name === `server-${front.number}`,
  );
  expect(host.status.server.quarantine.reason).toMatch(
    new RegExp(`^expected DPU ${dpu} to apply version .* within 30 minutes, when external IP`),
  );
  // The server stays its tenant's. The address may lead there still, so nobody else has it.
  expect((await serverOf(site, front.id)).status.state).toMatch(/_RUNNING$/);
  for (const kept of [await attach(shop), await site.api("DELETE", `external_ips/${ours.id}`)])
    expect([kept.status, kept.body.message]).toEqual([
      400,
      expect.stringContaining("external IP 'front' may still be in use where it was attached"),
    ]);

  site.world.faults.clear();
  await site.laptop.pass(5 * 60_000);
  expect(ledTo(site, ours.address)).toBe("outside");
  const again = await attach(shop);
  expect(again.status, JSON.stringify(again.body)).toBe(200);
  await atRest(site, "external_ip_attachments", again.body.id);
  expect(ledTo(site, ours.address)).toBe(macOf(shop.number));
  expect(await wrongInBooks(site)).toEqual([]);
});

it("come from a DPU that is silent within the hour: a gateway is gone too, and its address is nobody's before", async () => {
  const { site, brought } = await siteAfter(withTwo);
  const { network, shop, front } = brought;
  const way = await ipOf(site, "way");
  const spec = { virtual_network: network, external_ip: way.id };
  const gateway = await orderOf(site, "nat_gateways", "way", spec);
  await atRest(site, "nat_gateways", gateway);
  const dpu = dpuName(front.number, 0);
  site.world.faults.add({ target: `bmc:${dpu}`, operation: "agent", fault: "hold", count: 0 });
  expect((await site.api("DELETE", `nat_gateways/${gateway}`)).status).toBe(200);
  await site.laptop.pass(45 * 60_000);
  expect((await site.api("GET", `nat_gateways/${gateway}`)).status).toBe(404);
  const { items } = (await site.admin("GET", "hosts")).body;
  const reasons = items.flatMap(({ status }: Wire) => status.server?.quarantine?.reason ?? []);
  expect(reasons).toEqual([
    expect.stringMatching(
      new RegExp(
        `^expected DPU ${dpu} to apply version .* within 30 minutes, when address ${way.address}`,
      ),
    ),
  ]);
  for (const { id } of [shop, front])
    expect((await serverOf(site, id)).status.state).toMatch(/_RUNNING$/);
  const kept = await site.api("DELETE", `external_ips/${way.id}`);
  expect([kept.status, kept.body.message]).toEqual([
    400,
    expect.stringContaining("external IP 'way' may still be in use where it was attached"),
  ]);

  site.world.faults.clear();
  await site.laptop.pass(5 * 60_000);
  expect([seenOf(site, shop), seenOf(site, front)]).toEqual(["router", "router"]);
  expect((await site.api("DELETE", `external_ips/${way.id}`)).status).toBe(200);
  expect(await wrongInBooks(site)).toEqual([]);
});

const quarantines = async (site: Site): Promise<string[]> => {
  const { items } = (await site.admin("GET", "hosts")).body;
  return items.flatMap(({ status }: Wire) => status.server?.quarantine?.reason ?? []);
};

it.each([
  ["has lost its power", (site: Site, server: number) => withoutPower(site, server)],
  [
    "has a silent DPU, and a controller that refuses",
    ({ world }: Site, server: number) => {
      const dpu = { target: `bmc:${dpuName(server, 0)}`, operation: "agent" };
      world.faults.add({ ...dpu, fault: "hold", count: 0 });
      world.faults.add({ target: `bmc:server-${server}`, fault: "error", status: 404, count: 0 });
    },
  ],
])(
  "come within the hour from a host that %s, while others of its site are heard",
  async (_, breakIt) => {
    const { site, brought } = await siteAfter(withTwo);
    const { front } = brought;
    const ours = await ipOf(site, "front");
    const spec = { external_ip: ours.id, baremetal_instance: front.id };
    const { body } = await site.api("POST", "external_ip_attachments", {
      ...{ metadata: { name: "front" }, spec },
    });
    await atRest(site, "external_ip_attachments", body.id);
    breakIt(site, front.number);
    expect((await site.api("DELETE", `external_ip_attachments/${body.id}`)).status).toBe(200);
    await site.laptop.pass(60 * 60_000);
    expect((await site.api("GET", `external_ip_attachments/${body.id}`)).status).toBe(404);
    expect(await quarantines(site)).toHaveLength(1);
  },
);

it("come and go by DPUs of a site that is unreachable, once it is back, and nobody's host is set aside for it", async () => {
  const { site, brought } = await siteAfter(withTwo);
  const { network, shop } = brought;
  const way = await ipOf(site, "way");
  cutOff(site);
  const spec = { virtual_network: network, external_ip: way.id };
  const gateway = await orderOf(site, "nat_gateways", "way", spec);
  await site.laptop.pass(5 * 60 * 60_000);
  expect(await stateOf(site, `nat_gateways/${gateway}`)).toMatch(/_PENDING$/);
  site.world.faults.clear();
  await atRest(site, "nat_gateways", gateway);
  expect(seenOf(site, shop)).toBe(way.address);

  cutOff(site);
  expect((await site.api("DELETE", `nat_gateways/${gateway}`)).status).toBe(200);
  await site.laptop.pass(5 * 60 * 60_000);
  expect(await stateOf(site, `nat_gateways/${gateway}`)).toMatch(/_DELETING$/);
  site.world.faults.clear();
  expect(await atRest(site, "nat_gateways", gateway)).toBeUndefined();
  expect(await quarantines(site)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});
