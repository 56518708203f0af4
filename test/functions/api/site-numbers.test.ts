import { afterAll, beforeAll, expect, it } from "vitest";
import { type PoolUse, poolUses } from "../../../core/at-site/site.ts";
import { numberKey } from "../../../core/kernel/object/number-keys.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { numbersOfSite } from "../../../core/reconcile/owners/site-numbers.ts";
import { counting } from "../../support/counting-store.ts";
import type { Stop } from "../../support/laptop.ts";
import { siteWithNetbox } from "../../support/matrix/cluster-worlds.ts";
import { openSite, type Site, type Wire } from "../../support/site.ts";

/** Each number of a site's pools: free, whose, or until when it rests. */

const stops: Stop[] = [];
let site: Site;
let id: string;
afterAll(async () => {
  for (const stop of stops) await stop();
});
beforeAll(async () => {
  site = await openSite({ atEnd: (stop) => void stops.unshift(stop) });
  id = await site.order("one", { placement: { region: "eu-west" } });
  await site.settled(id);
});

const read = async (query: string): Promise<Wire> => {
  const { status, body } = await site.admin("GET", `sites/site-1/numbers?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

it("has the numbers in order, and the owner of each that somebody has", async () => {
  const { status } = (await site.admin("GET", `clusters/${id}`)).body;
  const { spec } = (await site.admin("GET", "sites/site-1")).body;
  const owner = { kind: "cluster", id, name: "one", tenant: "tenant-a" };
  const held = { state: "HELD", site: "site-1", owner, since: expect.any(String) };
  const { vlans, prefixes, floating_ips } = spec.network;

  const ids = await read("pool=vlans&limit=4");
  const total = vlans.last - vlans.first + 1;
  expect(ids).toMatchObject({ pool: "vlans", size: 4, total, next: String(vlans.first + 4) });
  const expected = [0, 1, 2, 3].map((n) => {
    const value = String(vlans.first + n);
    const is = n === status.network.vlan - vlans.first ? held : { state: "FREE" };
    return { kind: "vlan", value, pool: "vlans", ...is };
  });
  expect(ids.items).toMatchObject(expected);

  const networks = await read("pool=prefixes&limit=2");
  expect(networks.total).toBe(2 ** (prefixes.length - Number(prefixes.cidr.split("/")[1])));
  expect(networks.items[0]).toMatchObject({ value: status.network.prefix, ...held });
  const addresses = await read(`pool=floating_ips&from=${status.addresses.api.external}&limit=1`);
  expect(addresses.items).toMatchObject([
    {
      ...{ kind: "ip", value: status.addresses.api.external, ...held },
      message: "held by cluster tenant-a/one: its api from outside",
    },
  ]);
  expect((await read(`pool=floating_ips&from=${floating_ips.last}`)).items).toHaveLength(1);
});

it("goes on from the number that the page before names, to the last", async () => {
  const seen: string[] = [];
  let from: string | undefined;
  do {
    const page = await read(`pool=vlans&limit=7${from === undefined ? "" : `&from=${from}`}`);
    seen.push(...page.items.map(({ value }: Wire) => value));
    from = page.next;
  } while (from !== undefined && seen.length < 21);
  const { vlans } = (await site.admin("GET", "sites/site-1")).body.spec.network;
  expect(seen).toEqual(Array.from({ length: 21 }, (_, n) => String(vlans.first + n)));
  const middle = await read(`pool=vlans&limit=7&from=${vlans.first + 10}`);
  expect(middle).toMatchObject({ previous: String(vlans.first + 3) });
  expect(await read("pool=vlans")).not.toHaveProperty("previous");
  expect(await read(`pool=vlans&from=${vlans.last}`)).not.toHaveProperty("next");
});

it("says what is kept for something that no record knows, and what rests until when", async () => {
  const { network } = (await site.admin("GET", `clusters/${id}`)).body.status;
  const lost = network.vlan + 1;
  const { store } = site.laptop.deps;
  await store.transact([
    { put: { ...numberKey("vlans#site-1", lost), owner: "lost" } },
    { update: { pk: "numbers#vlans#site-1", sk: "-" }, add: { next: 1, used: 1 } },
  ]);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  const { items } = await read(`pool=vlans&from=${network.vlan}&limit=2`);
  expect(items).toMatchObject([
    { state: "RESTING", resting_until: expect.stringMatching(/^2026-/) },
    { state: "KEPT", message: expect.stringContaining("whose tag names lost") },
  ]);
});

it("reads the mark of this pool and what rests in it, and nothing else, where nobody ever had a number", async () => {
  for (const use of poolUses) {
    const { items, total, calls } = await pageOf(site, use);
    expect(items).toHaveLength(Math.min(500, total - 100));
    expect(new Set(items.map(({ state }) => state))).toEqual(new Set(["FREE"]));
    expect(calls).toMatchObject({ get: 1, read: 1, query: 1, count: 0 });
  }
});

/** The numbers of a pool after its first hundred, and the calls of the store that they took. */
async function pageOf({ laptop: { deps } }: Site, use: PoolUse) {
  const at = await mustLoad(deps, "site", "site-1");
  const { network } = at.spec;
  if (!network) throw new Error("the site has no numbers");
  const { counted, calls } = counting(deps.store);
  const page = { site: { site: at, network }, use, skipped: 100, limit: 500 };
  return { ...(await numbersOfSite({ ...deps, store: counted }, page)), calls };
}

it("has the numbers that NetBox gave out, and reads no more than these", async () => {
  const other = await openSite();
  await siteWithNetbox("netbox")(other);
  const id = await other.order("one");
  await other.settled(id);
  const { network } = (await other.admin("GET", `clusters/${id}`)).body.status;
  const numbers = async () => {
    const { status, body } = await other.admin("GET", "sites/site-1/numbers?pool=vlans&limit=9");
    expect(status, JSON.stringify(body)).toBe(200);
    return body.items.filter(({ state }: Wire) => state !== "FREE");
  };
  const given = { kind: "vlan", value: String(network.vlan), pool: "vlans" };
  const owner = { kind: "cluster", id, name: "one", tenant: "tenant-a" };
  expect(await numbers()).toMatchObject([{ ...given, state: "HELD", owner }]);

  const { calls } = await pageOf(other, "vlans");
  expect(calls).toMatchObject({ get: 0, getMany: 0, read: 0, query: 1, counted: 0 });

  await other.api("DELETE", `clusters/${id}`);
  await other.settled(id);
  expect(await numbers()).toEqual([]);
  const { items } = (await other.admin("GET", `sites/site-1/numbers?pool=vlans&limit=1`)).body;
  expect(items[0].message).toBe("free; NetBox knows whether it rests");
});

it("refuses a pool and a number that the site does not have, and says what would be", async () => {
  const refused = async (query: string, place = "site-1") => {
    const { status, body } = await site.admin("GET", `sites/${place}/numbers?${query}`);
    return [status, body.errors?.[0]];
  };
  const pools = "must be one of: vlans, prefixes, floating_ips";
  expect(await refused("")).toEqual([400, { field: "pool", message: pools }]);
  expect(await refused("pool=macs")).toEqual([400, { field: "pool", message: pools }]);
  for (const query of ["pool=vlans&from=4094", "pool=vlans&from=x", "pool=prefixes&from=fd00::/64"])
    expect(await refused(query)).toMatchObject([400, { field: "from" }]);
  for (const query of ["pool=floating_ips&from=fd00::1", "pool=prefixes&from=10.64.0.0/25"])
    expect(await refused(query)).toMatchObject([400, { field: "from" }]);
  expect(await refused("pool=vlans&limit=-1")).toMatchObject([400, { field: "limit" }]);
  expect(await refused("pool=vlans", "nowhere")).toEqual([404, undefined]);
  expect((await site.api("GET", "sites/site-1/numbers?pool=vlans")).status).toBe(404);
});
