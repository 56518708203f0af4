import { beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../../../core/clock.ts";
import { Exhausted } from "../../../../../core/ports/fabric/fabric.ts";
import { neutronApi } from "../../../../../core/ports/fabric/neutron/neutron.ts";
import type { Networks } from "../../../../../core/ports/network/network.ts";
import { neutronNetworks } from "../../../../../core/ports/network/neutron/networks.ts";
import type { Owner } from "../../../../../core/ports/owner.ts";
import { Disconnected } from "../../../../../sim/faulty.ts";
import { cloud, TestFabric } from "../../../../support/fabric.ts";

/** The way out of a network in Neutron, on the simulated one. */

const network: Owner = {
  kind: "virtual_network",
  id: "0197b2d0-1111-7000-8000-000000000009",
  tenant: "tenant-a",
  name: "qrstuvwxyz",
};
const address = "203.0.113.77";
const way = { address };

let test: TestFabric;
let networks: Networks;
let outside: string;
beforeEach(async () => {
  test = new TestFabric();
  outside = test.sim.externalNetwork;
  const api = neutronApi({
    authUrl: cloud,
    credential: async () => test.sim.keystone.credential,
    wall: test.clock,
    fetch: test.fetch,
  });
  networks = neutronNetworks(api, outside);
  await run(networks.ensureNetwork(network, ["10.20.0.0/16"]));
});

const run = <T>(call: Promise<T>) => test.run(call);

const gateway = () => {
  const [router] = test.sim.state.records.all("router");
  const port = test.sim.state.records.all("port").find((one) => one.device_id === router?.id);
  return {
    isTranslating: router?.enable_snat,
    addresses: port?.fixed_ips.map((ip) => ip.ip_address),
  };
};

const changes = () =>
  test.asked.flatMap(({ method, body }) => (method === "PUT" && body ? [body] : []));

async function subnetOutside(body: object): Promise<string> {
  const answer = await test.ask("POST", "/v2.0/subnets", {
    subnet: { network_id: outside, ...body },
  });
  return answer.body.subnet.id;
}

describe("the way out of a network", () => {
  it("has the router translate to its address alone, by one request that names all of the gateway", async () => {
    const [own] = gateway().addresses ?? [];
    test.asked.length = 0;
    expect(await run(networks.ensureWayOut(network, way))).toEqual({ state: "done" });
    expect(gateway()).toEqual({ isTranslating: true, addresses: [address] });
    expect(own).not.toBe(address);
    expect(changes()).toEqual([
      {
        router: {
          external_gateway_info: {
            network_id: outside,
            enable_snat: true,
            external_fixed_ips: [{ ip_address: address }],
          },
        },
      },
    ]);
  });

  it("changes nothing where it is there already", async () => {
    await run(networks.ensureWayOut(network, way));
    test.asked.length = 0;
    expect(await run(networks.ensureWayOut(network, way))).toEqual({ state: "done" });
    expect(changes()).toEqual([]);
  });

  it("waits for the router, and is not there before the router has the address", async () => {
    const other = { ...network, name: "elsewhere0" };
    expect(await run(networks.ensureWayOut(other, way))).toMatchObject({ state: "pending" });
    test.intercept = async ({ method }, answer) => {
      const response = await answer();
      if (method !== "PUT") return response;
      // What the test sends back is as the cloud answered it.
      const { router } = JSON.parse(await response.text());
      const info = { ...router.external_gateway_info, external_fixed_ips: [] };
      return Response.json({ router: { ...router, external_gateway_info: info } });
    };
    expect(await run(networks.ensureWayOut(network, way))).toEqual({
      state: "pending",
      message: `the router does not have the address ${address} yet`,
    });
  });

  it("is refused an address that somebody else has", async () => {
    const { body } = await test.ask("POST", "/v2.0/floatingips", {
      floatingip: { floating_network_id: outside },
    });
    const before = gateway();
    const taken = { address: body.floatingip.floating_ip_address };
    await expect(run(networks.ensureWayOut(network, taken))).rejects.toMatchObject({
      kind: "Rejected",
    });
    expect(gateway()).toEqual(before);
  });

  it("goes, and the router has an address of the fabric's choice again, that is never this one", async () => {
    const first = { address: test.sim.state.context.settings.external.first };
    // The fabric's next choice, were it free.
    await run(networks.ensureWayOut(network, way));
    await run(networks.ensureWayOut(network, first));
    expect(await run(networks.removeWayOut(network, first))).toEqual({ state: "absent" });
    const { isTranslating, addresses } = gateway();
    expect(isTranslating).toBe(false);
    expect(addresses).toHaveLength(1);
    expect(addresses).not.toContain(first.address);
  });

  it("goes while floating IPs lead in, which stay", async () => {
    const world = await floatingIpBehind();
    await run(networks.ensureWayOut(network, way));
    expect(await run(networks.removeWayOut(network, way))).toEqual({ state: "absent" });
    expect(gateway().addresses).not.toContain(address);
    expect(test.sim.state.records.get("floatingip", world)?.router_id).not.toBeNull();
  });

  it("leaves a way with another address alone, and asks nothing where there is none", async () => {
    await run(networks.ensureWayOut(network, way));
    test.asked.length = 0;
    const other = { address: "203.0.113.78" };
    expect(await run(networks.removeWayOut(network, other))).toEqual({ state: "absent" });
    expect(gateway()).toEqual({ isTranslating: true, addresses: [address] });
    await run(networks.removeNetwork(network));
    expect(await run(networks.removeWayOut(network, way))).toEqual({ state: "absent" });
    expect(changes()).toEqual([]);
  });

  it("keeps the router's address of IPv6, there and back", async () => {
    await subnetOutside({ ip_version: 6, cidr: "2001:db8::/64" });
    await run(networks.removeNetwork(network));
    await run(networks.ensureNetwork(network, ["10.20.0.0/16"]));
    const six = gateway().addresses?.find((one) => one.includes(":"));
    expect(six).toBeDefined();
    await run(networks.ensureWayOut(network, way));
    expect(gateway().addresses).toEqual([address, six]);
    await run(networks.removeWayOut(network, way));
    expect(gateway().addresses).toHaveLength(2);
    expect(gateway().addresses).toContain(six);
    expect(gateway().addresses).not.toContain(address);
  });

  it("gets the router an address of another subnet where its own has none left", async () => {
    const [subnet] = test.sim.state.records.all("subnet");
    if (!subnet) throw new Error("the outside network has no subnet");
    await run(networks.ensureWayOut(network, way));
    const pools = [{ start: "203.0.113.200", end: "203.0.113.200" }];
    test.sim.state.records.put("subnet", { ...subnet, allocation_pools: pools });
    const floatingip = { floating_network_id: outside };
    await test.ask("POST", "/v2.0/floatingips", { floatingip });
    await expect(run(networks.removeWayOut(network, way))).rejects.toBeInstanceOf(Exhausted);
    expect(gateway()).toEqual({ isTranslating: true, addresses: [address] });
    await subnetOutside({ ip_version: 4, cidr: "192.0.2.0/24" });
    expect(await run(networks.removeWayOut(network, way))).toEqual({ state: "absent" });
    expect(gateway()).toEqual({ isTranslating: false, addresses: ["192.0.2.2"] });
  });

  it.each([1, 2])("is made and goes though the answer of change %i is lost", async (lost) => {
    let seen = 0;
    test.intercept = async ({ method }, answer) => {
      const response = await answer();
      if (method === "PUT" && ++seen === lost) throw new Disconnected();
      return response;
    };
    const again = async <T>(call: () => Promise<T>): Promise<T> => {
      try {
        return await run(call());
      } catch (error) {
        expect(error).toMatchObject({ kind: "Unavailable" });
        return run(call());
      }
    };
    await again(() => networks.ensureWayOut(network, way));
    expect(gateway()).toEqual({ isTranslating: true, addresses: [address] });
    seen = 0;
    expect(await again(() => networks.removeWayOut(network, way))).toEqual({ state: "absent" });
    expect(gateway().isTranslating).toBe(false);
    expect(gateway().addresses).toHaveLength(1);
    expect(gateway().addresses).not.toContain(address);
  });
});

/** A port in a subnet of the network with a floating IP, whose id it answers. */
async function floatingIpBehind(): Promise<string> {
  const post = async (collection: string, kind: string, body: object) =>
    (await test.ask("POST", `/v2.0/${collection}`, { [kind]: body })).body[kind];
  const [router] = test.sim.state.records.all("router");
  const { id: network_id } = await post("networks", "network", {});
  const subnet = await post("subnets", "subnet", {
    network_id,
    ip_version: 4,
    cidr: "10.20.1.0/24",
  });
  const path = `/v2.0/routers/${router?.id}/add_router_interface`;
  await test.ask("PUT", path, { subnet_id: subnet.id });
  const port = await post("ports", "port", { network_id });
  await test.clock.advance(seconds(60));
  const floating = { floating_network_id: outside, port_id: port.id };
  return (await post("floatingips", "floatingip", floating)).id;
}
