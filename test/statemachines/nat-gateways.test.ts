import { beforeEach, describe, expect, it } from "vitest";
import { wrongInBooks } from "../support/books.ts";
import {
  atRest,
  natOf,
  networkWithIp,
  networkWithSubnet,
  orderOf,
  withNetworks,
  withOutsidePool,
} from "../support/networks.ts";
import { type Answer, openSite, type Site, type Wire } from "../support/site.ts";

/** The ways out of tenants' networks, through the API, the sagas and the simulated fabric. */

let site: Site;
beforeEach(async () => {
  site = await openSite();
  await withNetworks(site);
  await withOutsidePool(site);
});

const collection = "nat_gateways";
const post = (spec: object, metadata: object = {}, headers: Record<string, string> = {}) =>
  site.api("POST", collection, { metadata: { name: "way-out", ...metadata }, spec }, headers);
const remove = (path: string): Promise<Answer> => site.api("DELETE", path);
const addressOf = async (ip: string): Promise<string> =>
  (await site.api("GET", `external_ips/${ip}`)).body.status.address;

async function readyNat(network: string): Promise<string> {
  const id = await natOf(site, network);
  expect((await atRest(site, collection, id)).status.state).toBe("NAT_GATEWAY_STATE_READY");
  return id;
}

const outside = { address: "198.51.100.7" };

describe("a NAT gateway", () => {
  it("lets a network out by its address, lets nobody in, and goes without a trace", {
    tags: "smoke",
  }, async () => {
    await networkWithSubnet(site);
    const ip = await orderOf(site, "external_ips", "shop", { pool: "outside" });
    const address = await addressOf(ip);
    const cluster = await site.order("c1", { network_attachment: { subnet: "shop-web" } });
    expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    const { fabric } = site.world.site;
    const [nic = ""] = fabric.read(({ records }) =>
      records
        .all("port")
        .filter(({ vnic_type, plugged }) => vnic_type === "baremetal" && plugged)
        .map(({ mac_address }) => mac_address),
    );
    const out = () => {
      const fate = fabric.reaches({ nic }, outside, "tcp", 443);
      return fate.arrives ? fate.source : fate.stopped;
    };
    expect(out()).toBe("router");

    const id = await natOf(site, "shop");
    const made = await atRest(site, collection, id);
    expect(made.status).toEqual({
      state: "NAT_GATEWAY_STATE_READY",
      external_ip_address: address,
    });
    expect(out()).toBe(address);
    for (const to of [{ address }, { nic }])
      expect(fabric.reaches(outside, to, "tcp", 443).arrives).toBe(false);
    const attached = async () => (await site.api("GET", `external_ips/${ip}`)).body.status.attached;
    expect(await attached()).toBe(true);
    expect(await wrongInBooks(site)).toEqual([]);

    expect((await remove(`${collection}/${id}`)).status).toBe(200);
    expect(await atRest(site, collection, id)).toBeUndefined();
    expect(out()).toBe("router");
    expect(await attached()).toBe(false);
    expect(await addressOf(ip)).toBe(address);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("leaves its address and its network free when its order is cancelled before anything of it has begun", async () => {
    await networkWithSubnet(site);
    const ip = await orderOf(site, "external_ips", "shop", { pool: "outside" });
    const id = await natOf(site, "shop");
    const { operation } = (await site.api("GET", `${collection}/${id}`)).body.status;
    expect((await site.api("POST", `operations/${operation}/cancel`)).status).toBe(200);
    expect((await atRest(site, collection, id)).status.state).toMatch(/_FAILED$/);
    expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(false);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("keeps its network and its external IP, which name it, and neither has another", async () => {
    const { network, ip } = await networkWithIp(site, "shop");
    await networkWithIp(site, "other");
    const id = await readyNat("shop");
    const in_use = [{ kind: "nat_gateway", count: 1, objects: [{ id, name: "shop" }] }];
    for (const path of [`virtual_networks/${network}`, `external_ips/${ip}`])
      expect(await remove(path)).toMatchObject({ status: 400, body: { code: 9, in_use } });
    expect(await post({ virtual_network: "shop", external_ip: "other" })).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            field: "spec.virtual_network",
            message: `network 'shop' has a way out already: NAT gateway 'shop' (${id})`,
          },
        ],
      },
    });
    expect(await post({ virtual_network: "other", external_ip: "shop" })).toMatchObject({
      status: 400,
      body: {
        code: 9,
        message: `external IP 'shop' is attached already: nat gateway '${id}' has it`,
      },
    });
    await remove(`${collection}/${id}`);
    expect(await atRest(site, collection, id)).toBeUndefined();
    for (const path of [`external_ips/${ip}`, `virtual_networks/${network}`])
      expect((await remove(path)).status).toBe(200);
    await atRest(site, "virtual_networks", network);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("keeps what it was ordered with, apart from names for people and labels", async () => {
    await networkWithIp(site, "shop");
    await networkWithIp(site, "other");
    const id = await readyNat("shop");
    const change = (body: object) => site.api("PATCH", `${collection}/${id}`, body);
    const both = await change({ spec: { virtual_network: "other", external_ip: "other" } });
    expect(both.body.errors).toEqual(
      ["external_ip", "virtual_network"].map((member) => ({
        field: `spec.${member}`,
        message: `field 'spec.${member}' is immutable`,
      })),
    );
    expect((await change({ metadata: { labels: { tier: "web" } } })).status).toBe(200);
  });

  it("has given everything back when the fabric refuses it, and says why", {
    tags: "smoke",
  }, async () => {
    const { ip } = await networkWithIp(site, "shop");
    const address = await addressOf(ip);
    // Somebody at the provider has the address.
    const theirs = site.world.site.fabric.read((state) =>
      state.make("floatingip", {
        ...{ floating_network_id: site.world.site.fabric.externalNetwork },
        ...{ floating_ip_address: address, fixed_ip_address: null },
        ...{ port_id: null, router_id: null, active_at: null },
      }),
    );
    const id = await natOf(site, "shop");
    const { status } = await atRest(site, collection, id);
    expect(status.state).toBe("NAT_GATEWAY_STATE_FAILED");
    expect(status.message).toMatch(/OpenWayOut.*IP address 203\.0\.113\.\d+ already allocated/);
    expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(false);
    site.world.site.fabric.read(({ records }) => records.remove("floatingip", theirs.id));
    expect(await wrongInBooks(site)).toEqual([]);
    // The way out is free for another one, which the end of the first leaves alone.
    const again = await post({ virtual_network: "shop", external_ip: "shop" });
    expect((await atRest(site, collection, again.body.id)).status.state).toMatch(/_READY$/);
    await remove(`${collection}/${id}`);
    expect(await atRest(site, collection, id)).toBeUndefined();
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("is retried only while its address and its way out are not another's, and has both from then on", async () => {
    const { network, ip } = await networkWithIp(site, "shop");
    const { ip: other } = await networkWithIp(site, "other");
    const count = 0;
    const refuse = () =>
      site.world.faults.add({
        ...{
          target: "fabric",
          operation: "PUT /v2.0/routers/",
          fault: "error",
          status: 400,
          count,
        },
      });
    refuse();
    const id = await natOf(site, "shop");
    expect((await atRest(site, collection, id)).status.state).toMatch(/_FAILED$/);
    site.world.faults.clear();
    const retry = () => site.api("POST", `${collection}/${id}/retry`);
    const isRefused = async (message: string) => {
      const answer = await retry();
      expect(answer).toMatchObject({ status: 400, body: { code: 9 } });
      expect(answer.body.message).toContain(message);
      expect((await site.api("GET", `${collection}/${id}`)).body.status.state).toMatch(/_FAILED$/);
    };

    const rival = await natOf(site, "other", "shop");
    await atRest(site, collection, rival);
    await isRefused(`external IP 'shop' is attached already: nat gateway '${rival}' has it`);
    await remove(`${collection}/${rival}`);
    await atRest(site, collection, rival);
    const first = (await post({ virtual_network: "shop", external_ip: "other" })).body.id;
    await atRest(site, collection, first);
    await isRefused(`network 'shop' has a way out already: NAT gateway 'way-out' (${first})`);
    expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(false);
    await remove(`${collection}/${first}`);
    await atRest(site, collection, first);

    expect((await retry()).body.status.state).toMatch(/_PENDING$/);
    expect((await site.api("GET", `external_ips/${ip}`)).body.status.attached).toBe(true);
    expect((await post({ virtual_network: network, external_ip: other })).status).toBe(400);
    expect((await atRest(site, collection, id)).status.state).toMatch(/_READY$/);
    expect(await wrongInBooks(site)).toEqual([]);
  });

  it("counts in its quota, and a dry run claims nothing", async () => {
    await networkWithIp(site, "shop");
    await networkWithIp(site, "other");
    await site.admin("POST", "quotas", {
      metadata: { name: "tenant-a", tenant: "tenant-a" },
      spec: { limits: { nat_gateways: 1 } },
    });
    const spec = { virtual_network: "shop", external_ip: "shop" };
    const dry = await post(spec, {}, { "X-Dry-Run": "true" });
    expect(dry.body).toMatchObject({ status: { state: "NAT_GATEWAY_STATE_PENDING" } });
    expect((await site.api("GET", collection)).body.total).toBe(0);
    await readyNat("shop");
    expect(await post({ virtual_network: "other", external_ip: "other" })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("at most 1 nat gateways") },
    });
    expect(await wrongInBooks(site)).toEqual([]);
  });
});

// Other refusals: test/core/resources/nat-gateway/api.test.ts.
it("is refused in another project and for another tenant, and that changes nothing", async () => {
  await networkWithIp(site, "shop");
  const spec = { virtual_network: "shop", external_ip: "shop" };
  expect((await site.api("POST", "projects", { metadata: { name: "p" } })).status).toBe(200);
  const body = { metadata: { name: "theirs" }, spec };
  for (const answer of [
    await post(spec, { project: "p" }),
    await site.neighbour("POST", collection, body),
  ])
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            field: "spec.external_ip",
            message: 'ExternalIP "shop" not found in this project',
          },
          {
            field: "spec.virtual_network",
            message: 'VirtualNetwork "shop" not found in this project',
          },
        ],
      },
    });
  expect((await site.api("GET", collection)).body.total).toBe(0);
  expect(await wrongInBooks(site)).toEqual([]);
});

describe("of two that meet", () => {
  it("a NAT gateway and an attachment of its external IP, just one is accepted", async () => {
    await networkWithIp(site, "shop");
    const cluster = await site.order("c1");
    expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    const attachment = () =>
      site.api("POST", "external_ip_attachments", {
        metadata: { name: "front" },
        spec: {
          ...{ external_ip: "shop", cluster: "c1" },
          target_endpoint: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS",
        },
      });
    const nat = () => post({ virtual_network: "shop", external_ip: "shop" });
    const answers = await Promise.all([nat(), attachment()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const [won] = answers.filter(({ status }) => status === 200);
    await site.laptop.until(async () => {
      const { body } = await site.api("GET", `operations/${won?.body.status.operation}`);
      return body.status.state === "OPERATION_STATE_SUCCEEDED";
    }, "the one that was accepted");
    expect(await wrongInBooks(site)).toEqual([]);
  });

  const ways: Record<string, (ids: Ids) => (() => Promise<Answer>)[]> = {
    "two NAT gateways of one network": () => [
      () => post({ virtual_network: "shop", external_ip: "shop" }, { name: "a" }),
      () => post({ virtual_network: "shop", external_ip: "other" }, { name: "b" }),
    ],
    "two NAT gateways with one external IP": () => [
      () => post({ virtual_network: "shop", external_ip: "shop" }, { name: "a" }),
      () => post({ virtual_network: "other", external_ip: "shop" }, { name: "b" }),
    ],
    "a NAT gateway and the deletion of its network": ({ network }) => [
      () => post({ virtual_network: "shop", external_ip: "shop" }),
      () => remove(`virtual_networks/${network}`),
    ],
    "a NAT gateway and the deletion of its external IP": ({ ip }) => [
      () => post({ virtual_network: "shop", external_ip: "shop" }),
      () => remove(`external_ips/${ip}`),
    ],
  };
  type Ids = { network: string; ip: string };

  it.each(Object.keys(ways).flatMap((way) => [[way, "first"] as const, [way, "last"] as const]))(
    "%s: just one is accepted, also when it is asked for %s",
    async (way, place) => {
      const ids = await networkWithIp(site, "shop");
      await networkWithIp(site, "other");
      const asked = ways[way]?.(ids) ?? [];
      const requests = place === "first" ? asked : asked.toReversed();
      const answers = await Promise.all(requests.map((request) => request()));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
      await site.laptop.until(
        async () =>
          (await site.api("GET", "operations")).body.items.every(
            ({ status }: Wire) => !/PENDING|RUNNING/.test(status.state),
          ),
        "every operation at its end",
      );
      for (const { status } of (await site.api("GET", collection)).body.items)
        expect(status.state).toBe("NAT_GATEWAY_STATE_READY");
      expect(await wrongInBooks(site)).toEqual([]);
    },
  );
});
