import { expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { makeAuthority } from "../../../sim/kubernetes/certificates.ts";
import { recordsIn } from "../../support/records.ts";
import { openSite } from "../../support/site.ts";

/** Sites as administrators register them; `site-1` is the seeded one. */

const fabric = {
  provider: "neutron",
  auth_url: "https://keystone.example.com/v3",
  credential_id: "abc",
  physical_network: "physnet1",
  external_network: "public",
};
const network = {
  vlans: { first: 100, last: 199 },
  prefixes: { cidr: "10.64.0.0/16", length: 24 },
  floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
  dns_servers: [],
};
const dhcp = { provider: "kea", url: "https://kea.example.com:8000", username: "slipway" };
const ironic = { provider: "ironic", url: "https://ironic.example.com:6385", username: "slipway" };
const body = (spec: object) => ({ id: "s2", metadata: { name: "s2" }, spec });

it("what opens a site's systems is taken and never answered", async () => {
  const { admin, laptop } = await openSite();
  const made = await admin(
    "POST",
    "sites",
    body({ fabric, network, secrets: { fabric: "hush-hush" } }),
  );
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect(JSON.stringify(made.body)).not.toContain("hush");
  expect(made.body.spec.network.rest_minutes).toBe(10);
  const { spec } = await mustLoad(recordsIn(laptop.store), "site", "s2");
  expect(await laptop.deps.secrets.get(spec.credentials)).toContain("hush-hush");

  await admin("PATCH", "sites/s2", { metadata: { labels: { a: "b" } } });
  expect((await mustLoad(recordsIn(laptop.store), "site", "s2")).spec.credentials).toBe(
    spec.credentials,
  );
  await admin("PATCH", "sites/s2", { spec: { secrets: { fabric: "another" } } });
  const changed = (await mustLoad(recordsIn(laptop.store), "site", "s2")).spec.credentials;
  expect(await laptop.deps.secrets.get(changed)).toContain("another");
  expect(await laptop.deps.secrets.get(spec.credentials)).toBeUndefined();
  expect((await admin("DELETE", "sites/s2")).status).toBe(200);
  expect(await laptop.deps.secrets.get(changed)).toBeUndefined();
});

it.each([
  [{ fabric, secrets: { fabric: "s" } }, "spec.network", "is required with a fabric"],
  [{ network }, "spec.fabric", "is required with network"],
  [
    { fabric, network: { ...network, floating_ips: { first: "here", last: "203.0.113.20" } } },
    "spec.network.floating_ips.first",
    "must be an IPv4 address",
  ],
  [{ fabric, network }, "spec.secrets.fabric", "is required"],
  [{ dhcp, secrets: { dhcp: "s" } }, "spec.fabric", "is required with dhcp"],
  [{ fabric, network, dhcp, secrets: { fabric: "s" } }, "spec.secrets.dhcp", "is required"],
  [
    { storage: { provider: "ceph", url: "https://ceph.example.com", pool: "p", username: "u" } },
    "spec.secrets.storage",
    "is required",
  ],
  [{ bare_metal: ironic }, "spec.secrets.bare_metal", "is required"],
  [{ bare_metal: { provider: "ironic" } }, "spec.bare_metal.url", "is required"],
  [
    { bare_metal: { provider: "ironic", auth_url: "https://keystone.example.com" } },
    "spec.bare_metal.credential_id",
    "is required",
  ],
  [
    { bare_metal: { ...ironic, auth_url: "https://keystone.example.com" } },
    "spec.bare_metal.url",
    "has no place beside auth_url",
  ],
  [
    { bare_metal: { ...ironic, region: "RegionOne" } },
    "spec.bare_metal.region",
    "goes with auth_url alone",
  ],
  [{ dns: { provider: "bind" } }, "spec.dns.provider", "Invalid"],
  [
    { certificates: { authority: "no PEM" }, secrets: { certificates: "no key" } },
    "spec.certificates.authority",
    "the authority's certificate is not in PEM",
  ],
])("%j is refused", async (spec, field, message) => {
  const { admin } = await openSite();
  const answer = await admin("POST", "sites", body(spec));
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toContainEqual(
    expect.objectContaining({ field, message: expect.stringContaining(message) }),
  );
});

it("an authority whose key is another's is refused before it is needed", async () => {
  const { admin, laptop } = await openSite();
  const now = laptop.clock.now();
  const [one, other] = [await makeAuthority("one", now), await makeAuthority("other", now)];
  const spec = (key: string) => ({
    certificates: { authority: one.certificate },
    secrets: { certificates: key },
  });
  expect((await admin("POST", "sites", body(spec(other.key)))).status).toBe(400);
  expect((await admin("POST", "sites", body(spec(one.key)))).status).toBe(200);
});

it("pools of which orders have had something can grow, and nothing else", async () => {
  const { admin, order, settled } = await openSite();
  await settled(await order("c1"));
  const change = (part: object) => admin("PATCH", "sites/site-1", { spec: { network: part } });
  for (const part of [
    { vlans: { first: 101, last: 3999 } },
    { vlans: { first: 100, last: 3000 } },
    { prefixes: { cidr: "10.64.0.0/12", length: 25 } },
    { prefixes: { cidr: "10.0.0.0/12", length: 24 } },
    { floating_ips: { first: "203.0.113.99", last: "203.0.113.250" } },
  ])
    expect((await change(part)).status, JSON.stringify(part)).toBe(400);
  expect((await change({ vlans: { first: 100, last: 4000 } })).status).toBe(200);
  const added = { dhcp, secrets: { dhcp: "s" } };
  expect(JSON.stringify((await admin("PATCH", "sites/site-1", { spec: added })).body)).toContain(
    "cannot be added or removed, because orders have used the site's prefixes",
  );
});

it("a site that hubs are at, and the site of a hub with clusters, stay", async () => {
  const { admin, order, settled } = await openSite();
  const inUse = (await admin("DELETE", "sites/site-1")).body;
  expect(inUse.detail).toMatch(/in use by hub 'hub-a', hub 'hub-b'$/);
  const objects = ["hub-a", "hub-b"].map((id) => ({ id, name: id }));
  expect(inUse.in_use).toEqual([{ kind: "hub", count: 2, objects }]);
  expect((await admin("PATCH", "hubs/hub-a", { spec: { site: "nowhere" } })).status).toBe(400);
  await settled(await order("c1", { placement: { region: "eu-west" } }));
  expect((await admin("PATCH", "hubs/hub-a", { spec: { site: null } })).status).toBe(400);
  expect((await admin("PATCH", "hubs/hub-b", { spec: { site: null } })).status).toBe(200);
});

it("tenants see no sites", async () => {
  const { api } = await openSite();
  expect((await api("GET", "sites")).status).toBe(404);
});
