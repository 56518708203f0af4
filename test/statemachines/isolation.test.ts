import { expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  accepted,
  judgeAll,
  made,
  type Question,
  type Rule,
  settledAs,
  type Tenant,
} from "../support/isolation.ts";
import { withNetworks } from "../support/networks.ts";
import { seeded } from "../support/random.ts";
import { seed } from "../support/seed.ts";
import { openSite, type Site } from "../support/site.ts";

/** Clusters of tenants in their networks: what reaches what on the fabric is what their orders say. */

const questions: Question[] = [
  { protocol: "tcp", port: 443 },
  { protocol: "tcp", port: 5432 },
  { protocol: "udp", port: 443 },
  { protocol: "icmp", port: 8 },
];

const everything: Rule = { protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" };

/** Two tenants have the same prefixes. */
async function tenantOf(site: Site, ask: Tenant["ask"]): Promise<Tenant> {
  const network = await made(site, ask, "virtual_networks", "shop", { ipv4_cidr: "10.20.0.0/16" });
  const subnets: Tenant["subnets"] = {};
  for (const [n, name] of ["web", "db"].entries())
    subnets[name] = await made(site, ask, "subnets", name, {
      virtual_network: network,
      ipv4_cidr: `10.20.${n + 1}.0/24`,
    });
  return { ask, network, subnets, groups: {} };
}

async function withGroup(
  site: Site,
  tenant: Tenant,
  name: string,
  rules: { ingress: Rule[]; egress: Rule[] },
): Promise<void> {
  const spec = { virtual_network: tenant.network, ...rules };
  tenant.groups[name] = await made(site, tenant.ask, "security_groups", name, spec);
}

/** Orders a cluster of one host; without a subnet it has a network of its own. */
async function ordered(tenant: Tenant, name: string, subnet?: string, groups: string[] = []) {
  const network_attachment = subnet && { subnet, security_groups: groups };
  const spec = {
    template: { id: "ocp_4_17_small" },
    node_sets: { workers: { size: 1 } },
    ...(network_attachment && { network_attachment }),
  };
  return accepted(await tenant.ask("POST", "clusters", { metadata: { name }, spec })).id;
}

async function allReady(site: Site, tenant: Tenant, ids: string[]): Promise<void> {
  for (const id of ids) {
    const { status } = await settledAs(site, tenant.ask, `clusters/${id}`);
    expect(status.state, JSON.stringify(status.failure)).toBe("CLUSTER_STATE_READY");
  }
}

/** Every pair reaches each other just as the orders say. */
async function expectAsOrdered(site: Site, tenants: readonly Tenant[]): Promise<number> {
  const { seen, wanted } = await judgeAll(site, tenants, questions);
  expect(seen).toEqual(wanted);
  return seen.filter(({ arrives }) => arrives).length;
}

it("lets clusters reach each other just as their tenants' groups say, and nobody else's", async () => {
  const site = await openSite();
  await withNetworks(site);
  const ours = await tenantOf(site, site.api);
  const theirs = await tenantOf(site, site.neighbour);
  await withGroup(site, ours, "web", {
    ingress: [{ protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ipv4_cidr: "0.0.0.0/0" }],
    egress: [everything],
  });
  await withGroup(site, ours, "db", {
    ingress: [
      {
        protocol: "PROTOCOL_TCP",
        port_from: 5432,
        port_to: 5432,
        security_group: ours.groups.web ?? "",
      },
    ],
    egress: [],
  });
  const mine = [
    await ordered(ours, "front", "web", ["web"]),
    await ordered(ours, "back", "db", ["db"]),
    await ordered(ours, "plain", "web"),
    await ordered(ours, "alike", "db"),
    await ordered(ours, "apart"),
  ];
  const others = [await ordered(theirs, "front", "web"), await ordered(theirs, "back", "db")];
  await allReady(site, ours, mine);
  await allReady(site, theirs, others);
  const tenants = [ours, theirs];
  const before = await expectAsOrdered(site, tenants);
  expect(before).toBeGreaterThan(0);

  const group = `security_groups/${ours.groups.db}`;
  accepted(await ours.ask("PATCH", group, { spec: { ingress: [], egress: [] } }));
  expect((await settledAs(site, ours.ask, group)).status.state).toMatch(/_READY$/);
  expect(await expectAsOrdered(site, tenants)).toBeLessThan(before);

  accepted(await ours.ask("DELETE", `clusters/${mine[2]}`));
  await settledAs(site, ours.ask, `clusters/${mine[2]}`);
  await expectAsOrdered(site, tenants);
  expect(await wrongInBooks(site)).toEqual([]);
});

const of = <T>(random: () => number, ...choices: [T, ...T[]]): T =>
  choices[Math.floor(random() * choices.length)] ?? choices[0];

const some = <T>(random: () => number, count: number, make: () => T): T[] =>
  Array.from({ length: Math.floor(random() * (count + 1)) }, make);

function ruleOf(random: () => number, groups: readonly string[]): Rule {
  const protocol = of<Rule["protocol"]>(
    random,
    "PROTOCOL_TCP",
    "PROTOCOL_UDP",
    "PROTOCOL_ICMP",
    "PROTOCOL_ALL",
  );
  const hasPorts = protocol === "PROTOCOL_TCP" || protocol === "PROTOCOL_UDP";
  const [port_from, port_to] = of(random, [443, 443], [1, 65_535], [5000, 6000]) as [
    number,
    number,
  ];
  const group = groups[Math.floor(random() * groups.length)];
  return {
    protocol,
    ...(hasPorts && random() < 0.6 && { port_from, port_to }),
    ...(group !== undefined && random() < 0.4
      ? { security_group: group }
      : { ipv4_cidr: of(random, "0.0.0.0/0", "10.20.1.0/24", "10.20.2.0/24", "10.64.0.0/12") }),
  };
}

it("does so for random groups, clusters and changes, with a fabric that fails now and then", async () => {
  const random = seeded(seed);
  const site = await openSite();
  await withNetworks(site);
  const tenants = [await tenantOf(site, site.api), await tenantOf(site, site.neighbour)];
  const rules = (tenant: Tenant) => ({
    ingress: some(random, 4, () => ruleOf(random, Object.values(tenant.groups))),
    egress: some(random, 4, () => ruleOf(random, Object.values(tenant.groups))),
  });
  const failNow = () =>
    site.world.faults.add({
      target: "fabric",
      operation: of(
        random,
        "POST /v2.0/ports",
        "POST /v2.0/security-group-rules",
        "GET /v2.0/ports",
      ),
      fault: "error",
      status: 503,
      count: 1 + Math.floor(random() * 3),
    });
  for (const [n, tenant] of tenants.entries()) {
    for (const name of ["one", "two", "three"]) await withGroup(site, tenant, name, rules(tenant));
    failNow();
    const ids: string[] = [];
    for (const name of ["a", "b", "c", "d"].slice(n)) {
      const groups = Object.keys(tenant.groups).filter(() => random() < 0.5);
      ids.push(await ordered(tenant, name, of(random, "web", "web", "db"), groups));
    }
    await allReady(site, tenant, ids);
  }
  await expectAsOrdered(site, tenants);
  for (let changes = 0; changes < 6; changes++) {
    const tenant = of(random, ...(tenants as [Tenant, Tenant]));
    const group = `security_groups/${of(random, ...(Object.values(tenant.groups) as [string]))}`;
    if (random() < 0.5) failNow();
    accepted(await tenant.ask("PATCH", group, { spec: rules(tenant) }));
    expect((await settledAs(site, tenant.ask, group)).status.state).toMatch(/_READY$/);
    await expectAsOrdered(site, tenants);
  }
  expect(await wrongInBooks(site)).toEqual([]);
});
