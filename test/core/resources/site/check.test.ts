import { afterEach, beforeEach, expect, it } from "vitest";
import { siteIn } from "../../../../cli/site-file.ts";
import { checkSite } from "../../../../core/resources/site/check.ts";
import { makeAuthority } from "../../../../sim/kubernetes/certificates.ts";
import { seedPool, seedZone } from "../../../../sim/seed.ts";
import { type TestWorld, testWorld } from "../../../support/sim-world.ts";
import type { Wire } from "../../../support/site.ts";

/** A site against its systems, before it is registered. */

let simulated: TestWorld;
let file: Wire;

beforeEach(async () => {
  simulated = await testWorld();
  const { fabric, dhcp, dns, storage, urls } = simulated.world.site;
  const { ironic, ironicUrl } = simulated.world;
  const { id: credential_id, secret } = fabric.keystone.credential;
  const authority = await makeAuthority("site", simulated.clock.now());
  file = {
    metadata: { name: "dc-1" },
    spec: {
      fabric: {
        ...{ provider: "neutron", auth_url: urls.fabric, credential_id },
        physical_network: fabric.physicalNetwork,
        external_network: fabric.externalNetwork,
      },
      network: {
        vlans: { first: 100, last: 3999 },
        prefixes: { cidr: "10.64.0.0/12", length: 24 },
        floating_ips: { first: "203.0.113.100", last: "203.0.113.250" },
        dns_servers: ["192.0.2.53"],
      },
      dhcp: { provider: "kea", url: urls.dhcp, username: dhcp.username },
      bare_metal: { provider: "ironic", url: ironicUrl, username: ironic.credential.username },
      dns: { provider: "powerdns", url: urls.dns, zone: seedZone, servers: ["192.0.2.53"] },
      storage: {
        ...{ provider: "ceph", url: urls.storage, pool: seedPool, username: storage.username },
      },
      certificates: { authority: authority.certificate },
      secrets: {
        ...{ fabric: secret, dhcp: dhcp.password, dns: dns.key, storage: storage.password },
        ...{ certificates: authority.key, bare_metal: ironic.credential.password },
      },
    },
  };
});

afterEach(async () => {
  await simulated.world.stop();
  simulated.database.close();
});

async function checked() {
  const { secrets = {}, ...spec } = siteIn(JSON.stringify(file)).spec;
  const { world, clock } = simulated;
  const given = Object.fromEntries(Object.entries(secrets));
  const { fetch, site } = world;
  const asked = checkSite(spec, given, { wall: clock, fetch, authority: site.askAuthority });
  return clock.until(asked);
}
const wrong = async () =>
  (await checked()).filter(({ outcome }) => outcome !== "ok").map(({ what }) => what);

it("a site whose systems are all there passes every check, and nothing is made in them", async () => {
  const before = simulated.world.ledger();
  expect(await checked()).toEqual([
    expect.objectContaining({
      what: expect.stringMatching(/^fabric: accepts the credentials and has the network /),
    }),
    {
      what: "dhcp: accepts the credentials and has the hook libraries for subnets, hosts and leases",
      outcome: "ok",
    },
    {
      what: "bare_metal: accepts the credentials and shows the nodes of http://ironic.sim",
      outcome: "ok",
    },
    { what: `dns: grants access to the zone ${seedZone}`, outcome: "ok" },
    { what: `dns: 192.0.2.53 answer for ${seedZone}`, outcome: "ok" },
    { what: `storage: grants access to the pool ${seedPool}`, outcome: "ok" },
    { what: "certificates: the authority can sign", outcome: "ok" },
  ]);
  expect(await wrong()).toEqual([]);
  expect(simulated.world.ledger()).toEqual(before);
});

it.each<[string, () => void, RegExp]>([
  [
    "the fabric's secret",
    () => (file.spec.secrets.fabric = "no"),
    /^fabric: .*does not accept our credentials$/,
  ],
  [
    "the outside network",
    () => (file.spec.fabric.external_network = "nowhere"),
    /^fabric: .*there is no network nowhere$/,
  ],
  [
    "the identity service",
    () => (file.spec.fabric.auth_url = "http://127.0.0.1:1"),
    /^fabric: .*does not answer$/,
  ],
  [
    "the password of the DHCP server",
    () => (file.spec.secrets.dhcp = "no"),
    /^dhcp: .*does not accept our credentials$/,
  ],
  ["the DNS key", () => (file.spec.secrets.dns = "no"), /^dns: grants access to the zone .*: /],
  [
    "the zone",
    () => (file.spec.dns.zone = "other.example"),
    /^dns: grants access to the zone other.example: /,
  ],
  [
    "Ironic's password",
    () => (file.spec.secrets.bare_metal = "no"),
    /^bare_metal: .*the bare metal service does not accept our credentials$/,
  ],
  ["the storage's password", () => (file.spec.secrets.storage = "no"), /^storage: .*: /],
  [
    "the pool",
    () => (file.spec.storage.pool = "nowhere"),
    /^storage: grants access to the pool nowhere: /,
  ],
  [
    "a secret that is left out",
    () => delete file.spec.secrets.storage,
    /spec.secrets.storage is not given$/,
  ],
  [
    "the authority's key",
    () => (file.spec.secrets.certificates = "no"),
    /^certificates: the authority can sign: /,
  ],
])("names what is wrong: %s", async (_, breaks, words) => {
  breaks();
  expect(await wrong()).toEqual([expect.stringMatching(words)]);
});

it("a file that is no site is refused with every member that is wrong", () => {
  file.spec.fabric.auth_url = "keystone";
  delete file.metadata.name;
  expect(() => siteIn(JSON.stringify(file))).toThrow(
    expect.objectContaining({
      kind: "Invalid",
      violations: expect.arrayContaining([
        expect.objectContaining({ field: "spec.fabric.auth_url" }),
        expect.objectContaining({ field: "metadata.name" }),
      ]),
    }),
  );
});
