import { beforeEach, describe, expect, it } from "vitest";
import { TestFabric } from "../../support/fabric.ts";

let test: TestFabric;
let outside: string;
beforeEach(() => {
  test = new TestFabric();
  outside = test.sim.externalNetwork;
});

const post = async (collection: string, kind: string, body: object) => {
  const answer = await test.ask("POST", `/v2.0/${collection}`, { [kind]: body });
  return { status: answer.status, error: answer.body.NeutronError, ...answer.body[kind] };
};

describe("the gateway of a router", () => {
  let router: string;
  beforeEach(async () => {
    const info = { network_id: outside, enable_snat: false };
    router = (await post("routers", "router", { external_gateway_info: info })).id;
  });
  const change = async (info: object) => {
    const answer = await test.ask("PUT", `/v2.0/routers/${router}`, {
      router: { external_gateway_info: info },
    });
    return { status: answer.status, ...answer.body.router?.external_gateway_info };
  };
  const subnet = () =>
    test.sim.state.records.all("subnet").find(({ network_id }) => network_id === outside)?.id;

  it("keeps its address where the change names none, or only the subnet", async () => {
    const moved = await change({
      network_id: outside,
      external_fixed_ips: [{ ip_address: "203.0.113.40" }],
    });
    const fixed = [{ subnet_id: subnet(), ip_address: "203.0.113.40" }];
    expect(moved.external_fixed_ips).toEqual(fixed);
    for (const more of [
      {},
      { external_fixed_ips: [] },
      { external_fixed_ips: [{ subnet_id: subnet() }] },
    ]) {
      expect((await change({ network_id: outside, ...more })).external_fixed_ips).toEqual(fixed);
    }
  });

  it("gets another beside its own by its subnet named twice, and never by its own named too", async () => {
    const own = { subnet_id: subnet(), ip_address: "203.0.113.40" };
    const to = (...external_fixed_ips: object[]) =>
      change({ network_id: outside, enable_snat: false, external_fixed_ips });
    await to({ ip_address: own.ip_address });
    const one = { subnet_id: own.subnet_id };
    expect((await to(own, one)).external_fixed_ips).toEqual([own]);
    const both = (await to(one, one)).external_fixed_ips;
    expect(both).toEqual([own, expect.objectContaining(one)]);
    expect(both[1]).not.toEqual(own);
    expect((await to({ ip_address: both[1].ip_address })).external_fixed_ips).toEqual([both[1]]);
  });

  it("translates again when a change leaves out whether it does", async () => {
    expect((await change({ network_id: outside, enable_snat: false })).enable_snat).toBe(false);
    expect((await change({ network_id: outside })).enable_snat).toBe(true);
  });

  it("takes no address that another has, nor that of the outside network's own gateway", async () => {
    const taken = (await post("floatingips", "floatingip", { floating_network_id: outside }))
      .floating_ip_address;
    const to = (ip_address: string) =>
      change({ network_id: outside, external_fixed_ips: [{ ip_address }] });
    expect((await to(taken)).status).toBe(409);
    expect((await to("203.0.113.1")).status).toBe(400);
    expect((await to("192.0.2.1")).status).toBe(400);
  });

  it("gives its address back when it goes", async () => {
    const to = { network_id: outside, external_fixed_ips: [{ ip_address: "203.0.113.40" }] };
    await change(to);
    expect((await change({})).status).toBe(200);
    expect(test.sim.state.records.all("port")).toEqual([]);
  });
});

describe("a subnet of IPv6", () => {
  let network: string;
  beforeEach(async () => {
    network = (await post("networks", "network", {})).id;
  });
  const makeSubnet = (body: object) =>
    post("subnets", "subnet", { network_id: network, ip_version: 6, ...body });
  const slaac = { ipv6_ra_mode: "slaac", ipv6_address_mode: "slaac" };

  it("has its gateway first, and no broadcast address", async () => {
    expect(await makeSubnet({ cidr: "FD00:1::9/64" })).toMatchObject({
      ip_version: 6,
      cidr: "fd00:1::/64",
      gateway_ip: "fd00:1::1",
      allocation_pools: [{ start: "fd00:1::2", end: "fd00:1::ffff:ffff:ffff:ffff" }],
      ipv6_ra_mode: null,
    });
  });

  it("gives each port an address beside that of IPv4, or lets its NIC make one of its MAC", async () => {
    await post("subnets", "subnet", { network_id: network, ip_version: 4, cidr: "10.0.0.0/24" });
    await makeSubnet({ cidr: "fd00:1::/64" });
    await makeSubnet({ cidr: "fd00:2::/64", ...slaac });
    const port = { network_id: network, mac_address: "52:54:00:12:34:56" };
    const { fixed_ips } = await post("ports", "port", port);
    expect(fixed_ips.map((one: { ip_address: string }) => one.ip_address)).toEqual([
      "10.0.0.2",
      "fd00:1::2",
      "fd00:2::5054:ff:fe12:3456",
    ]);
  });

  it.each([
    [{ cidr: "10.0.0.0/24" }, "does not match the ip_version"],
    [{ cidr: "10.0.0.0/24", ip_version: 4, ...slaac }, "is not valid when ip_version is 4"],
    [{ cidr: "fd00::/64", ...slaac, enable_dhcp: false }, "enable_dhcp is set to False"],
    [{ cidr: "fd00::/64", ...slaac, ipv6_ra_mode: "dhcpv6-stateful" }, "must be the same value"],
    [{ cidr: "fd00::/56", ...slaac }, "requires the prefix to be /64"],
    [{ cidr: "fd00::/129" }, "is not in a CIDR format"],
  ])("of %j is refused", async (body, reason) => {
    const { status, error } = await makeSubnet(body);
    expect(status).toBe(400);
    expect(error.message).toContain(reason);
  });

  it("has an interface of the router beside that of IPv4", async () => {
    const four = { network_id: network, ip_version: 4, cidr: "10.0.0.0/24" };
    const subnets = [
      await post("subnets", "subnet", four),
      await makeSubnet({ cidr: "fd00::/64" }),
    ];
    const router = await post("routers", "router", {});
    for (const { id } of subnets) {
      const path = `/v2.0/routers/${router.id}/add_router_interface`;
      expect((await test.ask("PUT", path, { subnet_id: id })).status).toBe(200);
    }
    const addresses = test.sim.state.records.all("port").flatMap((port) => port.fixed_ips);
    expect(addresses.map(({ ip_address }) => ip_address)).toEqual(["10.0.0.1", "fd00::1"]);
  });
});
