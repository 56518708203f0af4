import { beforeEach, expect, it } from "vitest";
import { claimQueued, noteLow } from "../../../core/at-site/claim.ts";
import { siteDirectory } from "../../../core/at-site/directory.ts";
import { knownNumbersOf, numbersOf } from "../../../core/at-site/pools.ts";
import type { JsonObject } from "../../../core/kernel/input/shape.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import { createObject, updateObject } from "../../../core/kernel/request/crud.ts";
import { sites } from "../../../core/resources/site/api.ts";
import { checkSite } from "../../../core/resources/site/check.ts";
import { usageOfPools } from "../../../core/resources/site/pool-usage.ts";
import { attemptAt } from "../../support/attempt.ts";
import { testDeps } from "../../support/deps.ts";
import { holderOf } from "../../support/holders.ts";
import { allocatorIn, netboxWorld } from "../../support/netbox.ts";
import { addOrder } from "../../support/placement.ts";
import { wanted } from "../../support/wanted.ts";

/** A site whose numbers NetBox gives out. */

const root = { user: "root", tenant: "", everywhere: true };
const cidr = "10.64.0.0/16";
const network = {
  vlans: { first: 100, last: 103 },
  prefixes: { cidr, length: 24 },
  floating_ips: { first: "203.0.113.10", last: "203.0.113.20" },
  dns_servers: [],
};

let world: ReturnType<typeof open>;
beforeEach(() => {
  world = open();
});

function open() {
  const deps = testDeps();
  const netbox = netboxWorld({}, deps.clock);
  const { tokens } = netbox.sim;
  const named = allocatorIn(netbox.sim, { ...network, rest_minutes: 10 }, "netbox");
  const allocator = { ...named, url: `${netbox.url}/` };
  const fabric = {
    ...{ provider: "neutron", auth_url: "https://keystone.example.com/v3", credential_id: "abc" },
    ...{ physical_network: "physnet1", external_network: "public" },
  };
  const secrets = { fabric: "secret", allocator: tokens.v2, inventory: tokens.v1 };
  const inventory = {
    ...{ provider: "netbox", url: netbox.url, role: "server", hub: "hub-a" },
    host_types: { "PowerEdge R760": "small" },
  };
  const spec = { fabric, network, allocator, inventory, secrets };
  const directory = siteDirectory({ ...deps, fetch: netbox.network.fetch });
  return { deps, netbox, spec, directory };
}

const register = (spec: JsonObject = world.spec) =>
  createObject(world.deps, root, sites, { id: "site-1", metadata: { name: "site-1" }, spec });

const change = (more: JsonObject) => {
  const merge = (current: JsonObject) => ({
    ...current,
    spec: { ...Object(current.spec), ...more },
  });
  return updateObject(world.deps, root, sites, "site-1", wanted(merge));
};

async function claimed(name: string) {
  const { deps, directory } = world;
  const { site, allocator } = await directory.systems("site-1");
  const numbers = numbersOf(deps, site, allocator);
  if (!numbers) throw new Error("the site has no network");
  const order = await addOrder(deps, name, { small: 1 });
  const { fence, operation } = await attemptAt(deps, order.operation, "Claim");
  const holder = holderOf("cluster", order.cluster);
  const turn = { site, numbers, use: "vlans" as const, holder, count: 1, operation };
  return {
    numbers: await claimQueued(deps, { ...turn, step: "Claim", fence: fence() }),
    release: () => numbers.ipam.release(numbers.pools.vlans, holder),
    noted: () => noteLow(deps, site, "vlans", numbers),
  };
}

it("has its numbers given out by NetBox, in order of arrival, and says what is short", async () => {
  await register();
  const got = [];
  for (const name of ["one", "two", "three", "four"]) got.push((await claimed(name)).numbers);
  expect(got).toEqual([[100], [101], [102], [103]]);
  expect((await claimed("five")).numbers).toMatchObject({
    waitingFor:
      "VLAN ids (layer 2 networks of clusters) of site site-1: 4 of 4 in use, position 1 in the queue",
  });
  const { status } = await mustLoad(world.deps, "site", "site-1");
  expect(status.low).toEqual(["vlans"]);
});

it("tells those that have no way to NetBox what it said last", async () => {
  await register();
  const site = await mustLoad(world.deps, "site", "site-1");
  expect(await usageOfPools(world.deps, site)).toBeUndefined();
  const { release, noted } = await claimed("one");
  const known = knownNumbersOf(world.deps, site);
  expect(await known?.usage(known.pools.vlans)).toEqual({
    ...{ used: 1, resting: 0, size: 4, foreign: 0 },
  });
  await release();
  await noted();
  expect(await known?.usage(known.pools.vlans)).toMatchObject({ used: 0, resting: 1 });
  expect(() => numbersOf(world.deps, site)).toThrow("internal error");
});

it("keeps its allocator once orders have had numbers, wherever that is found", async () => {
  await register();
  const { allocator } = world.spec;
  await change({ allocator: { ...allocator, vlan_group: 99 } });
  await change({ allocator });
  await claimed("one");
  await change({ allocator: { ...allocator, url: "https://netbox-2.test" } });
  const refused = {
    kind: "Invalid",
    violations: [
      { field: "spec.allocator", message: "cannot be changed, because orders have used it" },
    ],
  };
  const elsewhere = change({ allocator: { ...allocator, vlan_group: 99 } });
  await expect(elsewhere).rejects.toMatchObject(refused);
  const own = ({ spec, ...rest }: JsonObject) => {
    const { allocator: _, ...others } = Object(spec);
    return { ...rest, spec: others };
  };
  await expect(updateObject(world.deps, root, sites, "site-1", wanted(own))).rejects.toMatchObject(
    refused,
  );
});

it("needs a network for an allocator, and a token for each NetBox", async () => {
  const { allocator, inventory } = world.spec;
  await expect(register({ allocator, inventory })).rejects.toMatchObject({
    violations: [
      { field: "spec.network", message: "is required with an allocator" },
      { field: "spec.secrets.allocator", message: "is required" },
      { field: "spec.secrets.inventory", message: "is required" },
    ],
  });
});

it("is checked: NetBox answers, has the pools, and has servers", async () => {
  const { deps, netbox, spec } = world;
  const { allocator, inventory, secrets } = spec;
  const asked = { network: { ...network, rest_minutes: 10 }, allocator, inventory } as object;
  const check = async () => {
    const options = { wall: deps.clock, fetch: netbox.network.fetch };
    const outcomes = await deps.clock.until(checkSite(asked, secrets, options));
    return outcomes.map(({ what, outcome }) => `${outcome}: ${what}`);
  };
  netbox.rack.server({ name: "server-1", number: 1 });
  expect(await check()).toEqual([
    "ok: allocator: https://netbox.test/ gives out the numbers of network",
    "ok: inventory: https://netbox.test has servers",
  ]);
  netbox.sim.records.remove("extras.tag", 1);
  netbox.rack.remove(netbox.sim.records.list("dcim.device").at(-1)?.id ?? 0);
  expect(await check()).toEqual([
    "missing: allocator: https://netbox.test/ gives out the numbers of network: there is no tag slipway",
    "missing: inventory: https://netbox.test has servers: there is no device of server",
  ]);
});
