import { expect, it } from "vitest";
import { hubGround } from "../support/isolation/hub.ts";
import { hubTurns } from "../support/isolation/hub-turns.ts";
import { made, tenantsOf } from "../support/isolation/tenant.ts";
import { type Turn, Walk } from "../support/isolation/walk.ts";
import { expectIsolation, expectNothingLeft, timeFor } from "../support/isolation/walks.ts";
import { withHubNetworks } from "../support/networks.ts";
import { siteAfter } from "../support/save-site.ts";
import type { Site } from "../support/site.ts";

/** Pods in tenants' networks on a hub: what reaches what there is what their orders say. */

const anywhere = { ipv4_cidr: "0.0.0.0/0", ipv6_cidr: "::/0" };
const tcp = (port: number) => ({ protocol: "PROTOCOL_TCP", port_from: port, port_to: port });
const everything = { protocol: "PROTOCOL_ALL", ...anywhere };

/** Two tenants with the same names and prefixes. */
async function twoTenants(site: Site): Promise<void> {
  await withHubNetworks(site);
  for (const tenant of Object.values(tenantsOf(site))) {
    const make = (collection: string, name: string, spec: object) =>
      made(site, tenant, collection, name, spec);
    for (const virtual_network of ["shop", "lab"]) {
      const prefixes = { ipv4_cidr: "10.20.0.0/16", ipv6_cidr: "fd00:20::/48" };
      await make("virtual_networks", virtual_network, prefixes);
      await make("subnets", `of-${virtual_network}`, {
        virtual_network,
        ...{ ipv4_cidr: "10.20.1.0/24", ipv6_cidr: "fd00:20:0:1::/64" },
      });
    }
    const group = (name: string, rules: object) =>
      make("security_groups", name, { virtual_network: "shop", ...rules });
    await group("web", { ingress: [{ ...tcp(443), ...anywhere }], egress: [everything] });
    await group("db", { ingress: [{ ...tcp(5432), security_group: "web" }], egress: [] });
    await group("ops", { ingress: [everything], egress: [everything] });
  }
}

/** Pods in both tenants' networks. */
const pods: Turn[] = (["a", "b"] as const).flatMap((tenant) =>
  (
    [
      ["one", "shop", ["web"]],
      ["two", "shop", ["db"]],
      ["three", "shop", []],
      ["four", "shop", []],
      ["five", "lab", []],
    ] as const
  ).map(([name, network, groups]) => ({
    ...{ tenant, does: "order", collection: "pods", name },
    ...{ spec: { network, groups }, isHasty: true },
  })),
);

/** What both have, in the order in which it can go. */
const all: [collection: string, ...names: string[]][] = [
  ["security_groups", "db", "web", "ops"],
  ["subnets", "of-shop", "of-lab"],
  ["virtual_networks", "shop", "lab"],
];

it("lets packets go just as tenants' orders say, and nobody else's", {
  tags: "smoke",
}, async () => {
  const { site } = await siteAfter(twoTenants);
  const walk = new Walk(site, hubGround());
  for (const pod of pods) expect(await walk.take(pod)).toBe(true);
  await walk.rest();
  const before = walk.arrived;
  expect(before).toBeGreaterThan(0);
  const db = { tenant: "a", collection: "security_groups", name: "db" } as const;
  await walk.take({ ...db, does: "order", spec: { ingress: [], egress: [] } });
  expect(walk.arrived).toBeLessThan(before);

  await expectNothingLeft(walk, all);
});

const walks = 4;

it(
  "does so after random orders, changes and deletions, while hub and workers fail now and then",
  () => expectIsolation({ bring: twoTenants, ground: hubGround, first: pods }, hubTurns, walks),
  timeFor(walks),
);
