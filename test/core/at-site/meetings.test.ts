import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { createObject, deleteObject } from "../../../core/kernel/request/crud.ts";
import type { RequestDeps } from "../../../core/kernel/request/request-deps.ts";
import { api as ips } from "../../../core/resources/external-ip/api.ts";
import { api as attachments } from "../../../core/resources/external-ip-attachment/api.ts";
import { api as pools } from "../../../core/resources/external-ip-pool/api.ts";
import { api as gateways } from "../../../core/resources/nat-gateway/api.ts";
import { api as subnets } from "../../../core/resources/subnet/api.ts";
import { api as tenants } from "../../../core/resources/tenant/api.ts";
import { api as networks } from "../../../core/resources/virtual-network/api.ts";
import { uses } from "../../support/books/counters.ts";
import { references, subnetPrefixes } from "../../support/books/resources.ts";
import { Table } from "../../support/books/table.ts";
import { clusterRecord } from "../../support/cluster-record.ts";
import type { TestDeps } from "../../support/deps.ts";
import { meeting } from "../../support/meeting-store.ts";
import { externalIpRecord, networkRecord } from "../../support/network-records.ts";
import { ann, root } from "../../support/orders.ts";
import { seeded } from "../../support/random.ts";
import { depsWith } from "../../support/refused.ts";
import { seed } from "../../support/seed.ts";

/** Two requests for networks that exclude each other and meet: one is accepted, whichever comes first. */

/** `leased`: an external IP whose address is claimed from its pool. */
type Ask = (deps: RequestDeps, leased: string) => Promise<unknown>;

const gateway =
  (virtual_network: string, external_ip: string): Ask =>
  (deps) =>
    createObject(deps, ann, gateways.rules, {
      metadata: { name: `${virtual_network}-by-${external_ip}` },
      spec: { virtual_network, external_ip },
    });
const attachment: Ask = (deps) =>
  createObject(deps, ann, attachments.rules, {
    metadata: { name: "front" },
    spec: {
      ...{ external_ip: "shop", cluster: "c1" },
      target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS",
    },
  });
const subnet: Ask = (deps) =>
  createObject(deps, ann, subnets.rules, {
    metadata: { name: "web" },
    spec: { virtual_network: "shop", ipv4_cidr: "10.20.1.0/24" },
  });
const networkGoes: Ask = (deps) => deleteObject(deps, ann, networks.rules, "shop");
const ipGoes: Ask = (deps, leased) => deleteObject(deps, ann, ips.rules, leased);

async function records(): Promise<{ deps: TestDeps; leased: string }> {
  const deps = await depsWith(
    networkRecord("shop"),
    networkRecord("other"),
    networkRecord("overlay", { site: undefined, spread: { wanted: 1 } }),
    externalIpRecord("shop"),
    externalIpRecord("other", { address: "203.0.113.81" }),
    { ...clusterRecord(0, "c1"), published: true, site: { id: "site-1", parts: {} } },
  );
  await createObject(deps, root, tenants.rules, { metadata: { name: "tenant-a" } });
  await createObject(deps, root, pools.rules, {
    metadata: { name: "announced" },
    spec: { ip_family: "IP_FAMILY_IPV4", cidrs: ["198.51.100.0/28"] },
  });
  const { object } = await createObject(deps, ann, ips.rules, {
    metadata: { name: "leased" },
    spec: { pool: "announced" },
  });
  return { deps, leased: object.id };
}

const wrongIn = ({ store, kinds, clock, wall }: TestDeps): string[] => {
  const books = { table: new Table(store, kinds), kinds, now: clock.now(), wall: wall.now() };
  return [uses(references), subnetPrefixes].flatMap((check) => check.wrong(books));
};

it.each<[string, Ask, Ask]>([
  ["two NAT gateways of one network", gateway("shop", "shop"), gateway("shop", "other")],
  ["two NAT gateways with one external IP", gateway("shop", "shop"), gateway("other", "shop")],
  ["a NAT gateway and an attachment of its external IP", gateway("shop", "shop"), attachment],
  ["a NAT gateway and the deletion of its network", gateway("shop", "shop"), networkGoes],
  ["a NAT gateway and the deletion of its external IP", gateway("overlay", "leased"), ipGoes],
  ["a subnet and the deletion of its network", subnet, networkGoes],
])("of %s, one is accepted", async (_, one, another) => {
  const random = seeded(seed);
  const won = { one: 0, another: 0 };
  for (let round = 0; round < 20; round++) {
    const { deps, leased } = await records();
    const met = { ...deps, store: meeting(deps.store, random) };
    // One reads more often than the other before it writes, so each begins at another time in each round.
    const later = async (ask: Ask) => {
      for (let left = Math.floor(random() * 60); left > 0; left--) await setImmediate();
      return ask(met, leased);
    };
    const [first, last] = await Promise.allSettled([later(one), later(another)]);
    won[first.status === "fulfilled" ? "one" : "another"]++;
    const [refusal, ...others] = [first, last].filter((each) => each.status === "rejected");
    expect(others).toEqual([]);
    expect(refusal?.reason).toMatchObject({
      kind: expect.stringMatching(/^(Invalid|FailedPrecondition|NotFound)$/),
    });
    expect(wrongIn(deps)).toEqual([]);
  }
  expect(Math.min(won.one, won.another), JSON.stringify(won)).toBeGreaterThan(0);
});
