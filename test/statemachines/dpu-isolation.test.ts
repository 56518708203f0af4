import { expect, it } from "vitest";
import { addServerWithDpus } from "../support/dpus.ts";
import { withServers } from "../support/instances.ts";
import { dpuTurns, numbers } from "../support/isolation/dpu-turns.ts";
import { dpuGround } from "../support/isolation/dpus.ts";
import { made, tenantsOf } from "../support/isolation/tenant.ts";
import { serverOf, type Turn, Walk } from "../support/isolation/walk.ts";
import { expectIsolation, timeFor } from "../support/isolation/walks.ts";
import { untilHost } from "../support/managed-hosts.ts";
import { putInto, withOutsideOfDpus, withOverlay } from "../support/overlay.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site, Wire } from "../support/site.ts";

/**
 * Servers of two tenants behind DPUs: what reaches what is what their orders say, and at no moment on the way there does a
 * packet reach another tenant's host, or one that no tenant has.
 */

const anywhere = { ipv4_cidr: "0.0.0.0/0" };
const tcp = (port: number) => ({ protocol: "PROTOCOL_TCP", port_from: port, port_to: port });
const groups = {
  web: {
    ingress: [{ ...tcp(443), ...anywhere }],
    egress: [{ protocol: "PROTOCOL_ALL", ...anywhere }],
  },
  db: { ingress: [{ ...tcp(5432), security_group: "web" }], egress: [] },
};

/** Two tenants with the same names and prefixes, and three servers, of which each has one and one has two. */
async function twoTenants(site: Site): Promise<void> {
  await withServers(site);
  await withOverlay(site);
  await withOutsideOfDpus(site);
  const tenants = tenantsOf(site);
  for (const tenant of Object.values(tenants)) {
    const make = (collection: string, name: string, spec: object) =>
      made(site, tenant, collection, name, spec);
    for (const virtual_network of ["shop", "lab"])
      await make("virtual_networks", virtual_network, { ipv4_cidr: "10.20.0.0/16" });
    for (const [name, virtual_network, ipv4_cidr] of [
      ["web", "shop", "10.20.1.0/24"],
      ["db", "shop", "10.20.2.0/24"],
      ["desk", "lab", "10.20.1.0/24"],
    ] as const)
      await make("subnets", name, { virtual_network, ipv4_cidr });
    for (const [name, rules] of Object.entries(groups))
      await make("security_groups", name, { virtual_network: "shop", ...rules });
    for (const name of ["one", "two"]) await make("external_ips", name, { pool: "outside" });
  }
  const hosts: string[] = [];
  for (const number of numbers) hosts.push((await addServerWithDpus(site, number)).host);
  for (const host of hosts) await untilHost(site, host, "AVAILABLE");
  const inWeb = { subnet: "web", interface: "eno1", primary: true };
  const inDb = { subnet: "db", interface: "eno2", security_groups: ["db"] };
  const order = (tenant: "a" | "b", name: string, network_attachments: object[]) =>
    made(site, tenants[tenant], "baremetal_instances", name, serverOf({ network_attachments }));
  await Promise.all([
    order("a", "front", [{ ...inWeb, security_groups: ["web"] }]),
    order("a", "back", [inWeb, inDb]),
    order("b", "front", [inWeb, inDb]),
  ]);
}

const attach: Turn = {
  ...{ tenant: "a", does: "order", collection: "external_ip_attachments", name: "one" },
  spec: { external_ip: "one", baremetal_instance: "front" },
};

it("lets packets go just as tenants' orders say, and sees one that strays", {
  tags: "smoke",
}, async () => {
  const { site } = await siteAfter(twoTenants);
  const ground = dpuGround();
  const walk = new Walk(site, ground);
  await walk.rest();
  const before = walk.arrived;
  expect(before).toBeGreaterThan(0);
  await walk.take(attach);
  expect(walk.arrived).toBeGreaterThan(before);
  const web = { tenant: "a", collection: "security_groups", name: "web" } as const;
  await walk.take({ ...web, does: "order", spec: { ingress: [], egress: [] } });
  expect(walk.arrived).toBeLessThan(before);
  // One of the other tenant's NICs is put where the tenant's own stand.
  const subnets: Wire[] = (await site.api("GET", "subnets")).body.items;
  const { id: subnet, spec } = subnets.find(({ metadata }) => metadata.name === "web");
  const hosts: Wire[] = (await site.admin("GET", "hosts")).body.items;
  const theirs = hosts.find(({ status }) => status.owner?.tenant === "tenant-b");
  const [{ nic, dpu }] = theirs.status.dpu_ports;
  const { mac } = theirs.spec.nics.find(({ name }: Wire) => name === nic);
  const network = spec.virtual_network.id;
  await putInto(site, dpu, { network, subnet, mac, address: "10.20.1.9", groups: [] });
  await site.laptop.pass(3 * 60_000);
  const { wrong } = await ground.look(site, Object.values(tenantsOf(site)));
  expect(wrong).toContainEqual(expect.stringMatching(/\(tenant-b\) reached .* \(tenant-a\)/));
});

const walks = 2;

it(
  "does so after random orders, changes and deletions, while DPUs fall silent and workers die",
  () => expectIsolation({ bring: twoTenants, ground: dpuGround, first: [attach] }, dpuTurns, walks),
  timeFor(walks),
);
