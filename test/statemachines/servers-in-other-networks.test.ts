import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { wrongInBooks } from "../support/books.ts";
import { addServerWithDpus, dpuName } from "../support/dpus.ts";
import { withOutside } from "../support/external-ips.ts";
import { orderServer, serverOf, siteWithServers, withServers } from "../support/instances.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { atRest, networkWithSubnet, orderOf, readyNetwork } from "../support/networks.ts";
import { macOf, packetsOf, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Answer, Site, Wire } from "../support/site.ts";

/** A tenant's server that changes its networks while it runs, on the fabric and by its DPUs. */

const rested = (site: Site, id: string) => atRest(site, "baremetal_instances", id);

const ask = (site: Site, id: string, network_attachments: object[]): Promise<Answer> =>
  site.api("PATCH", `baremetal_instances/${id}`, { spec: { network_attachments } });

async function change(site: Site, id: string, attachments: object[]): Promise<Wire> {
  const { status, body } = await ask(site, id, attachments);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Where a server stands, as it says itself: the id of each subnet with the beginning of its address there. */
const placesOf = ({ status }: Wire): Record<string, string> =>
  Object.fromEntries(
    status.network_attachment_statuses.map((each: Wire) => [
      each.subnet_ref,
      each.ip_address.replace(/\.\d+$/, ""),
    ]),
  );

const conditionOf = ({ status }: Wire, type: string): Wire =>
  status.conditions.find((each: Wire) => each.type.endsWith(type));

/** A second subnet of the network, and one of another network of the tenant. */
async function moreSubnets(site: Site, network: string): Promise<{ back: string; far: string }> {
  const spec = { virtual_network: network, ipv4_cidr: "10.20.2.0/24" };
  const back = await orderOf(site, "subnets", "shop-back", spec);
  const other = await readyNetwork(site, "farm");
  const far = await orderOf(site, "subnets", "farm-web", {
    virtual_network: other,
    ipv4_cidr: "10.20.3.0/24",
  });
  for (const id of [back, far]) await atRest(site, "subnets", id);
  return { back, far };
}

const usedIn = async (site: Site, subnet: string): Promise<number> =>
  (await site.api("GET", `subnets/${subnet}`)).body.status.addresses.used;

/** The bound ports of hosts, by MAC address, with their addresses. */
const ports = (site: Site): Record<string, string[]> =>
  site.world.site.fabric.read(({ records }) => {
    const bound = records
      .all("port")
      .filter(({ vnic_type, vif_type }) => vnic_type === "baremetal" && vif_type === "other");
    return Object.fromEntries(
      Array.from(
        Map.groupBy(bound, ({ mac_address: mac }) => mac),
        ([mac, those]) => [mac, those.map(({ fixed_ips: [at] }) => at?.ip_address ?? "")],
      ),
    );
  });

async function onFabric(site: Site) {
  const { network, subnet, hosts } = await siteWithServers(site, 1);
  await withOutside(site);
  const id = await orderServer(site, "db-1");
  await rested(site, id);
  return { ...(await moreSubnets(site, network)), network, subnet, hosts, id };
}

it("moves to other subnets on the fabric, one more and one less, and gives the old addresses back at the end", {
  tags: "smoke",
}, async () => {
  const { site, brought } = await siteAfter(onFabric);
  const { id, subnet, back, far } = brought;
  const before = await serverOf(site, id);
  expect(placesOf(before)).toEqual({ [subnet]: "10.20.1" });
  const used = await usedIn(site, subnet);
  // One more: a NIC of its own moves, and the other keeps its address.
  const begun = await change(site, id, [
    { subnet: "shop-web", interface: "eno1", primary: true },
    { subnet: "farm-web", interface: "eno2" },
  ]);
  expect(placesOf(begun)).toEqual({ [subnet]: "10.20.1" });
  expect(conditionOf(begun, "CONFIGURATION_APPLIED")).toMatchObject({
    status: "CONDITION_STATUS_FALSE",
    reason: "NetworksChanging",
  });
  const refused = await ask(site, id, [{ subnet: "shop-back" }]);
  expect(refused.body.message).toMatch(/while operation '.*' runs/);
  const both = await rested(site, id);
  expect(both.status.state).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect(placesOf(both)).toEqual({ [subnet]: "10.20.1", [far]: "10.20.3" });
  expect(both.status.network_attachment_statuses[0].ip_address).toBe(
    before.status.network_attachment_statuses[0].ip_address,
  );
  expect(conditionOf(both, "CONFIGURATION_APPLIED").status).toBe("CONDITION_STATUS_TRUE");
  expect(await usedIn(site, subnet)).toBe(used - 1);
  expect(ports(site)[macOf(1, 1)]).toEqual([expect.stringMatching(/^10\.20\.3\./)]);
  expect(await wrongInBooks(site)).toEqual([]);

  // One less, and another: all NICs are in the only one.
  await change(site, id, [{ subnet: "shop-back" }]);
  for (const left of [subnet, far, back])
    expect((await site.api("DELETE", `subnets/${left}`)).body.in_use).toMatchObject([
      { kind: "baremetal_instance", objects: [{ id, name: "db-1" }] },
    ]);
  const one = await rested(site, id);
  expect(placesOf(one)).toEqual({ [back]: "10.20.2" });
  expect(one.status.subnets).toEqual([back]);
  expect([await usedIn(site, subnet), await usedIn(site, far)]).toEqual([0, 0]);
  expect(Object.values(ports(site)).flat()).toEqual([
    expect.stringMatching(/^10\.20\.2\./),
    expect.stringMatching(/^10\.20\.2\./),
  ]);
  expect(await wrongInBooks(site)).toEqual([]);
  for (const left of [subnet, far])
    expect((await site.api("DELETE", `subnets/${left}`)).status).toBe(200);

  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  expect(ports(site)).toEqual({});
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is where it was when the fabric refuses a port, says so, and moves once asked again", async () => {
  const { site, brought } = await siteAfter(onFabric);
  const { id, subnet, far } = brought;
  const before = ports(site);
  site.world.faults.add({
    ...{ target: "fabric", operation: "POST /v2.0/ports", fault: "error", count: 1, status: 400 },
  });
  await change(site, id, [{ subnet: "farm-web" }]);
  const { status, spec } = await rested(site, id);
  expect(status).toMatchObject({
    state: "BARE_METAL_INSTANCE_STATE_RUNNING",
    failure: { step: "ChangeNetworks", given_back: true },
  });
  expect(spec.network_attachments[0].subnet.id).toBe(subnet);
  expect(ports(site)).toEqual(before);
  expect(await usedIn(site, far)).toBe(0);
  expect(await wrongInBooks(site)).toEqual([]);
  await change(site, id, [{ subnet: "farm-web" }]);
  const after = await rested(site, id);
  expect(placesOf(after)).toEqual({ [far]: "10.20.3" });
  expect(after.status).not.toHaveProperty("failure");
  expect(await wrongInBooks(site)).toEqual([]);
});

it("stays where its external IP leads, and is elsewhere once that is detached", async () => {
  const { site, brought } = await siteAfter(onFabric);
  const { id, back } = brought;
  await orderOf(site, "external_ips", "front", { pool: "outside" });
  const attach = () =>
    site.api("POST", "external_ip_attachments", {
      metadata: { name: "front" },
      spec: { external_ip: "front", baremetal_instance: "db-1" },
    });
  const { body: attachment } = await attach();
  await atRest(site, "external_ip_attachments", attachment.id);
  const refused = await ask(site, id, [{ subnet: "shop-back" }]);
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({
    message: expect.stringMatching(/cannot take its primary address 10\.20\.1\.\d+ from server/),
    in_use: [{ kind: "external_ip_attachment", objects: [{ name: "front" }] }],
  });
  // What does not touch that address is not in its way.
  await change(site, id, [
    { subnet: "shop-web", interface: "eno1", primary: true },
    { subnet: "shop-back", interface: "eno2" },
  ]);
  expect(Object.keys(placesOf(await rested(site, id)))).toContain(back);
  expect(
    (
      await ask(site, id, [
        { subnet: "shop-web", interface: "eno1" },
        { subnet: "shop-back", interface: "eno2", primary: true },
      ])
    ).status,
  ).toBe(400);
  await site.api("DELETE", `external_ip_attachments/${attachment.id}`);
  await atRest(site, "external_ip_attachments", attachment.id);
  await change(site, id, [{ subnet: "shop-back" }]);
  expect((await attach()).body.message).toMatch(/the networks of server 'db-1' change/);
  await rested(site, id);
  await atRest(site, "external_ip_attachments", (await attach()).body.id);
  expect(await wrongInBooks(site)).toEqual([]);
});

async function onDpus(site: Site) {
  await withServers(site);
  await withOverlay(site);
  const { network, subnet } = await networkWithSubnet(site);
  const hosts: string[] = [];
  for (const number of [1, 2]) hosts.push((await addServerWithDpus(site, number)).host);
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  const ids = [await orderServer(site, "db-1"), await orderServer(site, "db-2")];
  for (const id of ids) await rested(site, id);
  return { ...(await moreSubnets(site, network)), network, subnet, ids };
}

/** Whether each server reaches the other. */
const isTogether = (site: Site): boolean =>
  [
    [1, 2],
    [2, 1],
  ].every(
    ([from = 0, to = 0]) =>
      packetsOf(site).reaches({ nic: macOf(from) }, { nic: macOf(to) }, "tcp", 443).arrives,
  );

it("is moved by all its DPUs at once, is reached in the old network until then, and never in both", async () => {
  const { site, brought } = await siteAfter(onDpus);
  const { ids, subnet, back, far } = brought;
  const [one = "", two = ""] = ids;
  expect(isTogether(site)).toBe(true);
  // In the same network nothing is lost on the way: both addresses are let in until the new one is confirmed.
  await change(site, one, [{ subnet: "shop-back" }]);
  let isAtRest = false;
  while (!isAtRest) {
    await site.laptop.pass(1000);
    expect(isTogether(site)).toBe(true);
    isAtRest = (await serverOf(site, one)).status.operation === undefined;
  }
  expect(placesOf(await rested(site, one))).toEqual({ [back]: "10.20.2" });
  expect(await wrongInBooks(site)).toEqual([]);

  await change(site, one, [{ subnet: "farm-web" }]);
  expect(isTogether(site)).toBe(true);
  expect(placesOf(await rested(site, one))).toEqual({ [far]: "10.20.3" });
  expect(isTogether(site)).toBe(false);
  await change(site, two, [{ subnet: "farm-web" }]);
  await rested(site, two);
  expect(isTogether(site)).toBe(true);
  expect(await wrongInBooks(site)).toEqual([]);
  // Nobody is in the first network any more.
  for (const left of [subnet, back]) {
    expect((await site.api("DELETE", `subnets/${left}`)).status).toBe(200);
    expect(await atRest(site, "subnets", left)).toBeUndefined();
  }
  const { network } = brought;
  expect((await site.api("DELETE", `virtual_networks/${network}`)).status).toBe(200);
  expect(await atRest(site, "virtual_networks", network)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("stays in its old network while a DPU is silent, and is back in it when that does not answer in time", async () => {
  const { site, brought } = await siteAfter(onDpus);
  const { ids, subnet, far } = brought;
  const [one = ""] = ids;
  for (const number of [1, 2])
    site.world.faults.add({
      ...{ target: `bmc:${dpuName(number, 1)}`, operation: "agent", fault: "hold", count: 0 },
    });
  await change(site, one, [{ subnet: "farm-web" }]);
  await site.laptop.pass(20 * minutes(1));
  const waiting = await serverOf(site, one);
  expect(placesOf(waiting)).toEqual({ [subnet]: "10.20.1" });
  expect(waiting.status.waiting[0].message).toMatch(
    /^DPU server-\d-dpu-1 to report that the host is in the tenant's networks, version \d+/,
  );
  const { status, spec } = await rested(site, one);
  expect(status).toMatchObject({
    state: "BARE_METAL_INSTANCE_STATE_RUNNING",
    failure: { step: "ChangeNetworks", given_back: true },
  });
  expect(status.message).toMatch(/waited 30 min for DPU server-\d-dpu-1/);
  expect(spec.network_attachments[0].subnet.id).toBe(subnet);
  expect(placesOf(await serverOf(site, one))).toEqual({ [subnet]: "10.20.1" });
  expect(isTogether(site)).toBe(true);
  expect((await site.api("DELETE", `subnets/${far}`)).status).toBe(200);
  site.world.faults.clear();
  await site.laptop.pass(5 * minutes(1));
  expect(isTogether(site)).toBe(true);
  expect(await wrongInBooks(site)).toEqual([]);
});
