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
import { type Answer, openSite, type Site } from "../support/site.ts";

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
});
