import { expect, it } from "vitest";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { recordsIn } from "../../support/records.ts";
import { openSite, type Site } from "../../support/site.ts";

/** Hosts whose servers a bare metal service manages. */

const bare_metal = { provider: "ironic", url: "https://ironic.example.com", username: "slipway" };

/** Has a site with an Ironic, and hub-a at it. */
async function withIronic(site: Site): Promise<void> {
  const spec = { bare_metal, secrets: { bare_metal: "s" } };
  const made = await site.admin("POST", "sites", { id: "s2", metadata: { name: "s2" }, spec });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  expect((await site.admin("PATCH", "hubs/hub-a", { spec: { site: "s2" } })).status).toBe(200);
}

const nics = [{ name: "eno1", mac: "52:54:00:fe:01:01", switch: "leaf-a1", port: "Ethernet2/1" }];
const register = async (site: Site, bmc: object, name = "server-1", type = "by-service") => {
  const hardware = { url_boot: false };
  await site.admin("POST", "host_types", { metadata: { name: "by-service" }, hardware });
  return site.admin("POST", "hosts", {
    metadata: { name },
    spec: { host_type: type, hub: "hub-a", bmc, nics },
  });
};

it("are of a type that says that they boot from no URL, where the service has none do so", async () => {
  const site = await openSite();
  await withIronic(site);
  const { body } = await register(site, { address: "ironic:rack-1-01" }, "server-1", "fc430");
  expect(body.details[0].field_violations).toEqual([
    {
      field: "object.spec.host_type",
      description:
        "must be one with `hardware.url_boot` false, which 'fc430' is not: Ironic boots no server from a URL",
    },
  ]);
});

it("are managed without credentials of a controller", async () => {
  const site = await openSite();
  await withIronic(site);
  const { status, body } = await register(site, { address: "ironic:rack-1-01" });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.spec.bmc).toEqual({ address: "ironic:rack-1-01" });
  expect(body.status.server).toEqual({ condition: "SERVER_CONDITION_UNKNOWN" });
  const { spec } = await mustLoad(recordsIn(site.laptop.store), "host", body.id);
  expect(spec.bmc).not.toHaveProperty("credentials");
});

it("are two hosts in no case", async () => {
  const site = await openSite();
  await withIronic(site);
  await register(site, { address: "ironic:rack-1-01" });
  const second = await register(site, { address: "ironic:rack-1-01" }, "server-2");
  expect(second.body.details[0].field_violations).toContainEqual({
    field: "object.spec.bmc.address",
    description: "belongs to another host",
  });
});

const wrong: [string, object, string, string][] = [
  ["a node that none can be", { address: "ironic:" }, "address", "must name a node of Ironic"],
  ["a BareMetalHost that none can be", { address: "metal3:x" }, "address", "must name a BareM"],
  [
    "a way to log in",
    { address: "ironic:n1", authentication: "session" },
    "authentication",
    "is of no use",
  ],
  ["a user", { address: "ironic:n1", username: "u", password: "p" }, "username", "is of no use"],
  [
    "a certificate",
    { address: "ironic:n1", certificate: Array(32).fill("0a").join(":") },
    "certificate",
    "is of no use",
  ],
];

it.each(wrong)("are refused with %s", async (_, bmc, field, message) => {
  const site = await openSite();
  await withIronic(site);
  const { status, body } = await register(site, bmc);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(`spec.bmc.${field}`);
  expect(JSON.stringify(body)).toContain(message);
});

it("are refused where the hub's site has no Ironic", async () => {
  const site = await openSite();
  const { status, body } = await register(site, { address: "ironic:rack-1-01" });
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(
    "names a node of Ironic, and hub 'hub-a' has none: its site 'site-1' has no bare_metal",
  );
});
