import { expect, it } from "vitest";
import { networkIn } from "../../core/at-site/owner.ts";
import { minutes } from "../../core/clock.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { wrongInBooks } from "../support/books.ts";
import { oneServer, orderServer, serverOf } from "../support/instances.ts";
import { hostOf, machineOf, untilHost } from "../support/managed-hosts.ts";
import { atRest, orderOf, withOutsidePool } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/** Servers of a tenant's own, through the API, the sagas and the simulated site. */

/** The bound ports of hosts on the fabric, with their networks and the names of their groups. */
const hostPorts = (site: Site): { address: string; network: string; groups: string[] }[] =>
  site.world.site.fabric.read(({ records }) =>
    records
      .all("port")
      .filter(({ vnic_type, vif_type }) => vnic_type === "baremetal" && vif_type === "other")
      .map((port) => ({
        address: port.fixed_ips[0]?.ip_address ?? "",
        network: records.get("network", port.network_id)?.name ?? "",
        groups: port.security_groups.map((id) => records.get("security_group", id)?.name ?? ""),
      })),
  );

const rested = (site: Site, id: string) => atRest(site, "baremetal_instances", id);

it("puts a host of the pool into the tenant's subnet, and takes it out, erased, when it is deleted", {
  tags: "smoke",
}, async () => {
  const {
    site,
    brought: { subnet, hosts },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  const id = await orderServer(site, "db-1", { user_data: "#cloud-config\n{}\n" });
  const { spec, status } = await rested(site, id);
  expect(status.state, JSON.stringify(status)).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect(spec.user_data).toBe("***");
  expect(status.network_attachment_statuses).toEqual([
    {
      interface: "eno1",
      subnet_ref: subnet,
      ip_address: expect.stringMatching(/^10\.20\.1\./),
      primary: true,
    },
  ]);
  expect(hostPorts(site).map(({ address }) => address)).toContain(
    status.network_attachment_statuses[0].ip_address,
  );
  expect((await hostOf(site, host)).status.owner).toMatchObject({
    kind: "baremetal_instance",
    id,
    name: "db-1",
  });
  expect(await wrongInBooks(site)).toEqual([]);

  const refused = await site.api("DELETE", `subnets/${subnet}`);
  expect(refused.body).toMatchObject({
    code: 9,
    in_use: [{ kind: "baremetal_instance", count: 1, objects: [{ id, name: "db-1" }] }],
  });

  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  expect(hostPorts(site)).toEqual([]);
  // The order is over, and the host is not clean yet.
  expect((await hostOf(site, host)).status.state).toBe("HOST_STATE_CLEANING");
  await untilHost(site, host, "AVAILABLE");
  expect(machineOf(site, 1).drives.every(({ written }) => written === undefined)).toBe(true);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("changes the security groups of a running server", async () => {
  const {
    site,
    brought: { network, subnet },
  } = await siteAfter(oneServer);
  const id = await orderServer(site, "db-1");
  await rested(site, id);
  const group = await orderOf(site, "security_groups", "web", {
    virtual_network: network,
    ingress: [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }],
  });
  await atRest(site, "security_groups", group);
  const patch = (network_attachments: object[], more: object = {}) =>
    site.api("PATCH", `baremetal_instances/${id}`, { spec: { network_attachments, ...more } });

  const { status, body } = await patch([{ subnet, security_groups: ["web"] }]);
  expect(status, JSON.stringify(body)).toBe(200);
  await rested(site, id);
  const web = site.world.site.fabric.read(({ records }) =>
    records.all("security_group").find(({ name }) => hostPorts(site)[0]?.groups.includes(name)),
  );
  expect(web).toBeDefined();
  expect((await serverOf(site, id)).spec.network_attachments).toEqual([
    {
      subnet: { id: subnet, name: "shop-web" },
      security_groups: [{ id: group, name: "web" }],
      primary: true,
    },
  ]);
  const inUse = await site.api("DELETE", `security_groups/${group}`);
  expect(inUse.body.in_use).toMatchObject([{ kind: "baremetal_instance" }]);
  expect((await patch([])).status).toBe(400);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("puts each NIC into the subnet that its attachment names, what none names with the primary one, and says when one is out of it", async () => {
  const {
    site,
    brought: { network, subnet },
  } = await siteAfter(oneServer);
  const back = await orderOf(site, "subnets", "shop-back", {
    virtual_network: network,
    ipv4_cidr: "10.20.2.0/24",
  });
  await atRest(site, "subnets", back);
  const id = await orderServer(site, "db-1", {
    network_attachments: [
      { subnet: "shop-web", interface: "eno2", primary: true },
      { subnet: "shop-back", interface: "eno1" },
    ],
  });
  const { status } = await rested(site, id);
  expect(status.network_attachment_statuses).toEqual([
    {
      ...{ interface: "eno2", subnet_ref: subnet, primary: true },
      ip_address: expect.stringMatching(/^10\.20\.1\./),
    },
    {
      ...{ interface: "eno1", subnet_ref: back, primary: false },
      ip_address: expect.stringMatching(/^10\.20\.2\./),
    },
  ]);
  expect(
    hostPorts(site)
      .map(({ address }) => address.slice(0, 7))
      .toSorted(),
  ).toEqual(["10.20.1", "10.20.2"]);
  expect(await wrongInBooks(site)).toEqual([]);

  const applied = async () =>
    (await serverOf(site, id)).status.conditions.find((each: Wire) =>
      each.type.endsWith("CONFIGURATION_APPLIED"),
    );
  await site.laptop.pass(40 * minutes(1));
  expect(await applied()).toMatchObject({ status: "CONDITION_STATUS_TRUE" });
  const record = await mustLoad(site.laptop.deps, "baremetal_instance", id);
  const { fabric } = await site.laptop.deps.sites.systems("site-1");
  const [stand = expect.fail("it stands nowhere")] = record.stands;
  await site.laptop.clock.until(
    fabric?.removeAttachments(networkIn(record, stand)) ?? Promise.reject(),
  );
  await site.laptop.pass(40 * minutes(1));
  expect(await applied()).toMatchObject({
    status: "CONDITION_STATUS_FALSE",
    reason: "SiteDrifted",
    message: "1 of 2 switch ports are not bound",
  });

  await site.api("DELETE", `baremetal_instances/${id}`);
  expect(await rested(site, id)).toBeUndefined();
  expect(hostPorts(site)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("waits for a host without holding anything, and one order has it as soon as it is free", async () => {
  const {
    site,
    brought: { hosts },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  const first = await orderServer(site, "db-1");
  await rested(site, first);
  const second = await orderServer(site, "db-2");
  await site.laptop.until(
    async () => (await serverOf(site, second)).status.waiting?.length === 1,
    "db-2 to wait",
  );
  expect((await serverOf(site, second)).status.waiting[0].message).toMatch(/metal/);
  await site.api("DELETE", `baremetal_instances/${first}`);
  await rested(site, first);
  const { status } = await rested(site, second);
  expect(status.state).toBe("BARE_METAL_INSTANCE_STATE_RUNNING");
  expect((await hostOf(site, host)).status.owner).toMatchObject({ id: second });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("gives everything back when it cannot be made, and is made in place by a retry", {
  tags: "smoke",
}, async () => {
  const {
    site,
    brought: { hosts, subnet },
  } = await siteAfter(oneServer);
  const [host = ""] = hosts;
  const id = await orderServer(site, "db-1", {
    // The type says that it has such a port, and the host has none.
    network_attachments: [{ subnet: "shop-web", interface: "eno3" }],
  });
  const { status } = await rested(site, id);
  expect(status).toMatchObject({
    state: "BARE_METAL_INSTANCE_STATE_FAILED",
    failure: { step: "PrepareNetworks", given_back: true },
  });
  expect(status.message).toMatch(/has no network port 'eno3'/);
  await untilHost(site, host, "AVAILABLE");
  expect((await site.api("GET", `subnets/${subnet}`)).body.status.addresses.used).toBe(0);
  expect(await wrongInBooks(site)).toEqual([]);
  expect((await site.api("POST", `baremetal_instances/${id}/retry`)).status).toBe(200);
  expect((await rested(site, id)).status.state).toBe("BARE_METAL_INSTANCE_STATE_FAILED");
  await site.api("DELETE", `baremetal_instances/${id}`);
  expect(await rested(site, id)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});

it("is reached by an external IP while one is attached, and is not deleted before", async () => {
  const { site } = await siteAfter(oneServer);
  await withOutsidePool(site);
  const ip = await orderOf(site, "external_ips", "front", { pool: "outside" });
  const { address } = (await site.api("GET", `external_ips/${ip}`)).body.status;
  const early = await site.api("POST", "external_ip_attachments", {
    metadata: { name: "early" },
    spec: { external_ip: "front", baremetal_instance: "db-1" },
  });
  expect(early.body.errors[0].field).toBe("spec.baremetal_instance");
  const id = await orderServer(site, "db-1");
  const { status } = await rested(site, id);
  const spec = { external_ip: "front", baremetal_instance: "db-1" };
  const attachment = await orderOf(site, "external_ip_attachments", "front", spec);
  const made = await atRest(site, "external_ip_attachments", attachment);
  expect(made.status.state).toBe("EXTERNAL_IP_ATTACHMENT_STATE_READY");
  expect(made.spec).toEqual({
    external_ip: { id: ip, name: "front" },
    baremetal_instance: { id, name: "db-1" },
  });
  expect((await serverOf(site, id)).status.external_ip_address).toBe(address);
  const leads = site.world.site.fabric.read(({ records }) =>
    records
      .all("floatingip")
      .filter(({ floating_ip_address: at }) => at === address)
      .map(({ fixed_ip_address: to }) => to),
  );
  expect(leads).toEqual([status.network_attachment_statuses[0].ip_address]);
  expect(await wrongInBooks(site)).toEqual([]);

  const refused = await site.api("DELETE", `baremetal_instances/${id}`);
  expect(refused.body).toMatchObject({ code: 9, in_use: [{ objects: [{ name: "front" }] }] });
  const other = { external_ip: "front", baremetal_instance: "db-1", cluster: "c1" };
  const both = await site.api("POST", "external_ip_attachments", {
    metadata: { name: "both" },
    spec: other,
  });
  expect(both.status).toBe(400);
  await site.api("DELETE", `external_ip_attachments/${attachment}`);
  expect(await atRest(site, "external_ip_attachments", attachment)).toBeUndefined();
  expect((await serverOf(site, id)).status).not.toHaveProperty("external_ip_address");
  expect((await site.api("DELETE", `baremetal_instances/${id}`)).status).toBe(200);
  expect(await rested(site, id)).toBeUndefined();
  expect(await wrongInBooks(site)).toEqual([]);
});
