import { expect, it } from "vitest";
import { numberKey } from "../../../core/kernel/object/number-keys.ts";
import { catalogApi, priv } from "../../support/api.ts";
import { openSite, type Site, type Wire } from "../../support/site.ts";

/** Who has what, as an operator asks who sees a number or a name at a switch or a server. */

async function ask(site: Site, kind: string, value: string, more = ""): Promise<Wire[]> {
  const query = `kind=${kind}&value=${encodeURIComponent(value)}${more}`;
  const { status, body } = await site.admin("GET", `owners?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items;
}

it("finds the cluster that has a VLAN id, an address, a prefix, a name, a MAC address or a host", async () => {
  const site = await openSite();
  const id = await site.order("one", { placement: { region: "eu-west" } });
  await site.settled(id);
  const { status } = (await site.admin("GET", `clusters/${id}`)).body;
  const owner = {
    ...{ kind: "cluster", id, name: "one", tenant: "tenant-a", state: "CLUSTER_STATE_READY" },
  };
  const held = { state: "HELD", owner, since: expect.any(String) };
  const { network, addresses, dns_names, hosts, infra_id } = status;

  const vlan = String(network.vlan);
  expect(await ask(site, "vlan", vlan)).toEqual([
    {
      ...{ kind: "vlan", value: vlan, site: "site-1", pool: "vlans", ...held },
      message: "held by cluster tenant-a/one",
    },
  ]);
  expect(await ask(site, "prefix", network.prefix)).toMatchObject([{ pool: "prefixes", ...held }]);
  expect(await ask(site, "ip", addresses.api.external)).toMatchObject([
    {
      pool: "floating_ips",
      message: "held by cluster tenant-a/one: its api from outside",
      ...held,
    },
  ]);
  expect(await ask(site, "ip", addresses.api.internal)).toMatchObject([
    { pool: "prefixes", message: expect.stringContaining(`network ${network.prefix}`), ...held },
  ]);
  const domain = dns_names[0].replace("api.", "");
  for (const name of [...dns_names, `console-openshift-console.apps.${domain}`, domain])
    expect(await ask(site, "dns", name), name).toMatchObject([{ kind: "dns", ...held }]);
  expect(await ask(site, "infra_id", infra_id)).toMatchObject([{ state: "HELD", owner }]);

  const [host] = hosts.workers;
  const { metadata, spec } = (await site.admin("GET", `hosts/${host}`)).body;
  for (const value of [host, metadata.name])
    expect(await ask(site, "host", value)).toMatchObject([{ host, ...held }]);
  const [nic] = spec.nics;
  for (const value of [nic.mac, nic.mac.toUpperCase().replaceAll(":", "-")])
    expect(await ask(site, "mac", value)).toMatchObject([
      {
        ...{ value: nic.mac, host, ...held },
        message: `host ${metadata.name} (${nic.name}, at port ${nic.port} of ${nic.switch}): held by cluster tenant-a/one`,
      },
    ]);

  const deletion = await site.api("DELETE", `clusters/${id}`);
  const operation = deletion.headers.get("Operation-Location")?.split("/").at(-1);
  expect((await ask(site, "vlan", vlan))[0].owner).toMatchObject({ operation });
  await site.settled(id);
  expect(await ask(site, "vlan", vlan)).toMatchObject([
    {
      ...{ state: "RESTING", resting_until: expect.any(String) },
      message: expect.stringMatching(/^released; rests until 2026-/),
    },
  ]);
  expect(await ask(site, "host", host)).toMatchObject([
    { state: "FREE", message: expect.stringContaining("free; it is AVAILABLE") },
  ]);
  expect(await ask(site, "dns", dns_names[0])).toMatchObject([{ state: "FREE" }]);
  await site.laptop.pass(11 * 60_000);
  expect(await ask(site, "vlan", vlan)).toMatchObject([{ state: "FREE" }]);
});

it("says what is kept for something that no record knows, and of what is in no pool nothing", async () => {
  const site = await openSite();
  const { network } = (await site.admin("GET", "sites/site-1")).body.spec;
  const vlan = network.vlans.first + 5;
  const { store } = site.laptop.deps;
  await store.transact([{ put: { ...numberKey("vlans#site-1", vlan), owner: "lost" } }]);
  expect(await ask(site, "vlan", String(vlan))).toMatchObject([
    { state: "KEPT", message: expect.stringContaining("whose tag names lost") },
  ]);
  expect(await ask(site, "vlan", "4094")).toEqual([]);
  expect(await ask(site, "vlan", String(vlan), "&site=elsewhere")).toEqual([]);
  expect(await ask(site, "ip", "192.0.2.250")).toEqual([]);
  expect(await ask(site, "host", "nobody")).toEqual([]);
  expect(await ask(site, "mac", "02:00:00:00:00:99")).toEqual([]);
});

it("finds the pool of an outside address", async () => {
  const site = await openSite();
  const pool = {
    metadata: { name: "outside" },
    spec: { site: "site-1", ip_family: "IP_FAMILY_IPV4", cidrs: ["198.51.100.0/29"] },
  };
  const { status, body } = await site.admin("POST", "external_ip_pools", pool);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(await ask(site, "ip", "198.51.100.3")).toMatchObject([
    { state: "FREE", pool: body.id, site: "site-1" },
  ]);
  expect(await ask(site, "prefix", "198.51.100.0/29")).toMatchObject([
    { state: "HELD", owner: { kind: "external_ip_pool", id: body.id, name: "outside" } },
  ]);
});

it("refuses what is no such thing, and says what would be", async () => {
  const api = await catalogApi();
  const refused = async (query: string) => {
    const { status, body } = await api.ask("admin", "GET", `${priv}/owners?${query}`);
    expect(status, query).toBe(400);
    return body.errors;
  };
  const kinds = "vlan, ip, prefix, dns, mac, host, infra_id";
  for (const query of ["", "kind=rack&value=1"])
    expect(await refused(query)).toEqual([{ field: "kind", message: `must be one of: ${kinds}` }]);
  for (const query of [
    ...["kind=vlan", "kind=vlan&value=4095", "kind=vlan&value=0107", "kind=ip&value=10.0.0"],
    ...["kind=prefix&value=10.0.0.1/24", "kind=prefix&value=10.0.0.0/33", "kind=dns&value=a"],
    ...["kind=mac&value=52:54:00", "kind=host&value=a%23b"],
  ])
    expect(await refused(query)).toMatchObject([
      { field: "value", message: expect.stringMatching(/^must be /) },
    ]);
  expect(await refused("kind=vlan&value=7&site=a%23b")).toMatchObject([{ field: "site" }]);
});

it("is for the provider's people alone", async () => {
  const api = await catalogApi();
  const path = `${priv}/owners?kind=dns&value=api.example.com`;
  for (const [who, status] of [
    ["admin", 200],
    ["auditor", 200],
    ["amy", 403],
    ["portal", 403],
  ] as const)
    expect((await api.ask(who, "GET", path)).status, who).toBe(status);
});
