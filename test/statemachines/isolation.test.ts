import { expect, it } from "vitest";
import { fabricGround } from "../support/isolation/fabric.ts";
import { fabricTurns } from "../support/isolation/fabric-turns.ts";
import { made, tenantsOf } from "../support/isolation/tenant.ts";
import { clusterOf, Walk } from "../support/isolation/walk.ts";
import { expectIsolation, expectNothingLeft, timeFor } from "../support/isolation/walks.ts";
import { withNetworks, withOutsidePool } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site } from "../support/site.ts";

/** Clusters of tenants in their networks: what reaches what on the fabric is what their orders say. */

const anywhere = { ipv4_cidr: "0.0.0.0/0" };
const tcp = (port: number) => ({ protocol: "PROTOCOL_TCP", port_from: port, port_to: port });
const everything = { protocol: "PROTOCOL_ALL", ...anywhere };

const groups = {
  web: { ingress: [{ ...tcp(443), ...anywhere }], egress: [everything] },
  db: { ingress: [{ ...tcp(5432), security_group: "web" }], egress: [] },
  ops: { ingress: [everything], egress: [everything] },
};

/** Clusters with their subnets and groups; one has a network of its own. */
const clusters = {
  a: [
    ["front", { subnet: "web", security_groups: ["web"] }],
    ["back", { subnet: "db", security_groups: ["db"] }],
    ["plain", { subnet: "web" }],
    ["alike", { subnet: "db" }],
    ["apart"],
  ],
  b: [
    ["front", { subnet: "web" }],
    ["back", { subnet: "db", security_groups: ["db"] }],
  ],
} satisfies Record<"a" | "b", [name: string, network_attachment?: object][]>;

/** Two tenants with the same names and prefixes. */
async function twoTenants(site: Site): Promise<void> {
  await withNetworks(site);
  await withOutsidePool(site);
  for (const tenant of Object.values(tenantsOf(site))) {
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
    await Promise.all(
      clusters[tenant.name].map(([name, network_attachment]) =>
        make("clusters", name, clusterOf({ network_attachment })),
      ),
    );
  }
}

/** What both have, in the order in which it can go. */
const all: [collection: string, ...names: string[]][] = [
  ["clusters", "front", "back", "plain", "alike", "apart"],
  ["security_groups", "db", "web", "ops"],
  ["subnets", "web", "db", "desk"],
  ["external_ips", "one", "two"],
  ["virtual_networks", "shop", "lab"],
];

it("lets packets go just as tenants' orders say, and nobody else's", {
  tags: "smoke",
}, async () => {
  const { site } = await siteAfter(twoTenants);
  const walk = new Walk(site, fabricGround());
  await walk.rest();
  const before = walk.arrived;
  expect(before).toBeGreaterThan(0);
  const db = { tenant: "a", collection: "security_groups", name: "db" } as const;
  await walk.take({ ...db, does: "order", spec: { ingress: [], egress: [] } });
  expect(walk.arrived).toBeLessThan(before);

  await expectNothingLeft(walk, all);
});

const walks = 3;

it(
  "does so after random orders, changes and deletions, while fabric and workers fail now and then",
  () => expectIsolation({ bring: twoTenants, ground: fabricGround }, fabricTurns, walks),
  timeFor(walks),
);
