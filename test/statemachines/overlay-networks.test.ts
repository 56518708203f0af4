import { expect, it } from "vitest";
import { minutes } from "../../core/clock.ts";
import { wrongInBooks } from "../support/books.ts";
import { atRest, orderOf } from "../support/networks.ts";
import { openSite, type Site } from "../support/site.ts";

/** Networks of classes whose ends are the DPUs of servers: records, numbers and versions. */

const overlay = (site: Site, spec: object) =>
  site.admin("POST", "network_classes", {
    metadata: { name: "overlay" },
    implementation_strategy: "overlay",
    is_default: true,
    spec,
  });

const vni_range = { first: 5000, last: 5001 };
const network = { ipv4_cidr: "10.20.0.0/16" };
const versions = { wanted_version: 1, applied_version: 1 };

it("gives each network a VNI, and makes it READY with its subnets and groups, on no system", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  expect((await overlay(site, { vni_range })).status).toBe(200);
  const before = site.calls.length;
  const id = await orderOf(site, "virtual_networks", "shop", network);
  const made = await atRest(site, "virtual_networks", id);
  expect(made.status).toEqual({ state: "VIRTUAL_NETWORK_STATE_READY", ...versions });
  expect((await site.admin("GET", `virtual_networks/${id}`)).body.status.vni).toBe(5000);
  const subnet = await orderOf(site, "subnets", "web", { virtual_network: id });
  expect(await atRest(site, "subnets", subnet)).toMatchObject({
    spec: { ipv4_cidr: "10.20.0.0/24" },
    status: { state: "SUBNET_STATE_READY", ...versions },
  });
  const group = await orderOf(site, "security_groups", "web", {
    virtual_network: id,
    ingress: [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }],
  });
  expect((await atRest(site, "security_groups", group)).status).toMatchObject({
    state: "SECURITY_GROUP_STATE_READY",
    ...versions,
  });
  await site.api("PATCH", `security_groups/${group}`, { spec: { ingress: [] } });
  expect((await atRest(site, "security_groups", group)).status).toMatchObject({
    state: "SECURITY_GROUP_STATE_READY",
    ...{ wanted_version: 2, applied_version: 2 },
  });
  expect(site.calls.slice(before)).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("gives a VNI to another network when its network is gone and it has rested", async () => {
  const site = await openSite();
  await overlay(site, { vni_range: { first: 7, last: 7 } });
  const id = await orderOf(site, "virtual_networks", "shop", network);
  await atRest(site, "virtual_networks", id);
  const another = () =>
    site.api("POST", "virtual_networks", { metadata: { name: "other" }, spec: network });
  expect((await another()).body).toMatchObject({
    code: 9,
    message: "network class 'overlay' has no free VNI: 1 of 1 in use",
  });
  await site.api("DELETE", `virtual_networks/${id}`);
  await atRest(site, "virtual_networks", id);
  const { body } = await site.admin("GET", "network_classes/overlay");
  expect(body.status.vnis).toEqual({ total: 1, used: 0, resting: 1, free: 0 });
  expect((await another()).status).toBe(400);
  expect(await wrongInBooks(site)).toEqual([]);
  await site.laptop.clock.advance(minutes(10));
  const next = (await another()).body.id;
  expect((await atRest(site, "virtual_networks", next)).status.state).toMatch(/_READY$/);
  expect((await site.admin("GET", `virtual_networks/${next}`)).body.status.vni).toBe(7);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("keeps the numbers of a network that was not made over a retry, until it is deleted", async () => {
  const site = await openSite();
  const prefix_pools = { ipv4: { cidrs: ["10.128.0.0/16"], length: 16 } };
  await overlay(site, { vni_range: { first: 7, last: 7 }, prefix_pools });
  const used = async () => {
    const { status } = (await site.admin("GET", "network_classes/overlay")).body;
    return [status.vnis, status.prefix_pools.ipv4].map((each) => [each.used, each.resting]);
  };
  /** Orders something that is cancelled before its ends have it, and orders it again. */
  async function retried(collection: string, name: string, spec: object) {
    const id = await orderOf(site, collection, name, spec);
    const { operation } = (await site.api("GET", `${collection}/${id}`)).body.status;
    expect((await site.api("POST", `operations/${operation}/cancel`)).status).toBe(200);
    const failed = await atRest(site, collection, id);
    expect(failed.status.state).toMatch(/_STATE_FAILED$/);
    expect(failed.status).not.toHaveProperty("applied_version");
    expect(await used()).toEqual([
      [1, 0],
      [1, 0],
    ]);
    expect(await wrongInBooks(site)).toEqual([]);
    expect((await site.api("POST", `${collection}/${id}/retry`)).status).toBe(200);
    const made = await atRest(site, collection, id);
    expect(made.status).toMatchObject({ state: expect.stringMatching(/_READY$/), ...versions });
    expect(made.spec).toEqual(failed.spec);
    expect(await wrongInBooks(site)).toEqual([]);
    return id;
  }
  const id = await retried("virtual_networks", "shop", {});
  const { spec, status } = (await site.admin("GET", `virtual_networks/${id}`)).body;
  expect([spec.ipv4_cidr, status.vni]).toEqual(["10.128.0.0/16", 7]);
  const subnet = await retried("subnets", "web", { virtual_network: id });
  for (const path of [`subnets/${subnet}`, `virtual_networks/${id}`]) {
    expect((await site.api("DELETE", path)).status).toBe(200);
    await site.laptop.until(async () => (await site.api("GET", path)).status === 404, path);
  }
  expect(await used()).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("has a class of an overlay say its VNIs, and change them only where nobody had one", async () => {
  const site = await openSite();
  const errors = async (spec: object) => (await overlay(site, spec)).body.errors;
  expect(await errors({})).toEqual([
    { field: "spec.vni_range", message: "is required for the strategy 'overlay'" },
  ]);
  expect(await errors({ vni_range: { first: 9, last: 8 } })).toEqual([
    { field: "spec.vni_range.last", message: "must not be below first" },
  ]);
  expect((await overlay(site, { vni_range })).status).toBe(200);
  const change = (range: object) =>
    site.admin("PATCH", "network_classes/overlay", { spec: { vni_range: range } });
  expect((await change({ first: 6000, last: 6010 })).status).toBe(200);
  await orderOf(site, "virtual_networks", "shop", network);
  for (const range of [vni_range, { first: 6000, last: 6009 }, { first: 6001, last: 6010 }])
    expect((await change(range)).body.errors).toEqual([
      {
        field: "spec.vni_range",
        message: "can only end higher, because networks have had VNIs of it",
      },
    ]);
  expect((await change({ first: 6000, last: 6100 })).status).toBe(200);
  const onFabric = await site.admin("POST", "network_classes", {
    metadata: { name: "fabric" },
    implementation_strategy: "fabric",
    spec: { site: "site-1", vni_range },
  });
  expect(onFabric.body.errors).toEqual([
    {
      field: "spec.vni_range",
      message: "is only for the strategy 'overlay', and this one is 'fabric'",
    },
  ]);
});
