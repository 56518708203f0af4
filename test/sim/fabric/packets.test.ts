import { beforeEach, describe, expect, it } from "vitest";
import type { Protocol } from "../../../sim/packets/packets.ts";
import {
  PacketWorld,
  type TestNic,
  type TestRule,
  type TestSubnet,
} from "../../support/packets.ts";

let world: PacketWorld;
beforeEach(() => {
  world = new PacketWorld();
});

const everything: TestRule[] = [{ direction: "egress" }, { direction: "ingress" }];
const outside = { address: "198.51.100.7" };

describe("a packet between NICs", () => {
  let subnet: TestSubnet;
  let router: string;
  let open: string;
  let a: TestNic;
  beforeEach(async () => {
    router = await world.router();
    subnet = await world.subnet(router, "10.0.1.0/24");
    open = await world.group(...everything);
    a = await world.nic(subnet, [open]);
  });

  it("passes in one subnet, and by a router to another, once the switches are done", async () => {
    const b = await world.nic(subnet, [open]);
    const c = await world.nic(await world.subnet(router, "10.0.2.0/24"), [open]);
    expect(world.reaches(a, b)).toBe("sender");
    await world.settle();
    expect(world.reaches(a, b)).toBe(a.addresses[0]);
    expect(world.reaches(a, c)).toBe(a.addresses[0]);
    expect(world.reaches(c, a)).toBe(c.addresses[0]);
  });

  it("never comes to a network of another router, nor to the one that has the same prefix", async () => {
    const other = await world.router();
    const elsewhere = await world.nic(await world.subnet(other, "10.0.3.0/24"), [open]);
    const twin = await world.subnet(other, "10.0.1.0/24");
    const twins = [await world.nic(twin, [open]), await world.nic(twin, [open])];
    await world.settle();
    expect(world.reaches(a, elsewhere)).toBe("router");
    expect(twins[0]?.addresses).toEqual(a.addresses);
    expect(twins.map((nic) => world.reaches(a, nic))).toEqual(["elsewhere", "receiver"]);
  });

  it("finds no way from a subnet without a router, or with one that is down", async () => {
    const alone = await world.nic(await world.subnet(undefined, "10.0.9.0/24"), [open]);
    const next = await world.nic(await world.subnet(router, "10.0.2.0/24"), [open]);
    await world.settle();
    expect(world.reaches(alone, a)).toBe("router");
    expect(world.reaches(a, next)).toBe(a.addresses[0]);
    await world.test.ask("PUT", `/v2.0/routers/${router}`, { router: { admin_state_up: false } });
    expect(world.reaches(a, next)).toBe("router");
  });

  it("stops at the other's groups, or at its own", async () => {
    const closed = await world.nic(subnet, [await world.group()]);
    const free = await world.nic(subnet, [], { port_security_enabled: false });
    await world.settle();
    expect(world.reaches(a, closed)).toBe("ingress group");
    expect(world.reaches(closed, a)).toBe("egress group");
    expect(world.reaches(free, a)).toBe(free.addresses[0]);
    expect(world.reaches(a, free)).toBe(a.addresses[0]);
  });

  it("passes every group where the switches enforce none", async () => {
    world = new PacketWorld({ switchesEnforceGroups: false });
    subnet = await world.subnet(undefined, "10.0.1.0/24");
    const nics = [await world.nic(subnet, []), await world.nic(subnet, [])] as const;
    await world.settle();
    expect(world.reaches(...nics)).toBe(nics[0].addresses[0]);
  });

  it("still comes from a switch port that kept its VLAN, past all groups of its own", async () => {
    await world.settle();
    const left = await world.nic(subnet, [await world.group()]);
    await world.settle();
    world.test.faults.add({
      target: "fabric",
      operation: "DELETE /switches/",
      fault: "error",
      count: 1,
    });
    await world.test.ask("DELETE", `/v2.0/ports/${left.port}`);
    expect(world.reaches(left, a)).toBe(left.addresses[0]);
    expect(world.reaches(a, left)).toBe(a.addresses[0]);
  });

  it("ends with its port", async () => {
    const b = await world.nic(subnet, [open]);
    await world.settle();
    await world.test.ask("DELETE", `/v2.0/ports/${b.port}`);
    expect(world.reaches(b, a)).toBe("sender");
    expect(world.reaches(a, b)).toBe("receiver");
    expect(world.reaches(a, { address: b.addresses[0] ?? "" })).toBe("receiver");
  });

  it("passes among members of the project's own group only", async () => {
    const [one, two] = [await world.nic(subnet), await world.nic(subnet)];
    await world.settle();
    expect(world.reaches(one, two)).toBe(one.addresses[0]);
    expect(world.reaches(one, a)).toBe(one.addresses[0]);
    expect(world.reaches(a, one)).toBe("ingress group");
  });

  it("is let in by a rule that names a group while its sender is a member of it", async () => {
    const b = await world.nic(subnet, [
      await world.group({ direction: "ingress", remote_group_id: open }),
    ]);
    await world.settle();
    expect(world.reaches(a, b)).toBe(a.addresses[0]);
    await world.test.ask("PUT", `/v2.0/ports/${a.port}`, { port: { security_groups: [] } });
    expect(world.reaches(a, b)).toBe("egress group");
    const other = await world.group({ direction: "egress" });
    await world.test.ask("PUT", `/v2.0/ports/${a.port}`, { port: { security_groups: [other] } });
    expect(world.reaches(a, b)).toBe("ingress group");
  });
});

describe("a rule", () => {
  const tcp = (min: number, max: number) => ({
    protocol: "tcp",
    port_range_min: min,
    port_range_max: max,
  });
  const icmp = (min: number, max?: number) => ({
    protocol: "icmp",
    port_range_min: min,
    ...(max !== undefined && { port_range_max: max }),
  });
  const from = (remote_ip_prefix: string) => ({ remote_ip_prefix });

  it.each<[Omit<TestRule, "direction">, Protocol, number, boolean]>([
    [{}, "tcp", 80, true],
    [{}, "icmp", 8, true],
    [{ protocol: "tcp" }, "tcp", 1, true],
    [{ protocol: "tcp" }, "udp", 1, false],
    [{ protocol: "6" }, "tcp", 1, true],
    [{ protocol: "17" }, "tcp", 1, false],
    [{ protocol: "icmp" }, "icmp", 8, true],
    [{ protocol: "icmp" }, "tcp", 8, false],
    [tcp(80, 80), "tcp", 80, true],
    [tcp(80, 80), "tcp", 81, false],
    [tcp(80, 80), "udp", 80, false],
    [tcp(80, 90), "tcp", 79, false],
    [tcp(80, 90), "tcp", 80, true],
    [tcp(80, 90), "tcp", 90, true],
    [tcp(80, 90), "tcp", 91, false],
    [tcp(1, 65_535), "tcp", 65_535, true],
    [icmp(8), "icmp", 8, true],
    [icmp(8), "icmp", 0, false],
    [icmp(8, 0), "icmp", 8, true],
    [icmp(8, 1), "icmp", 8, false],
    [icmp(0), "icmp", 0, true],
    [from("10.0.1.0/24"), "tcp", 80, true],
    [from("10.0.1.3"), "tcp", 80, true],
    [from("10.0.1.3/32"), "tcp", 80, true],
    [from("10.0.1.4/32"), "tcp", 80, false],
    [from("10.0.1.9/24"), "tcp", 80, true],
    [from("0.0.0.0/0"), "tcp", 80, true],
    [from("10.0.2.0/24"), "tcp", 80, false],
    [{ ethertype: "IPv6" }, "tcp", 80, false],
    [{ ...tcp(80, 80), ...from("10.0.1.0/30") }, "tcp", 80, true],
    [{ ...tcp(80, 80), ...from("10.0.1.0/31") }, "tcp", 80, false],
  ])("%j on %s %i: %s, in and out alike", async (rule, protocol, port, isLet) => {
    const subnet = await world.subnet(undefined, "10.0.1.0/24");
    const free = await world.nic(subnet, [], { port_security_enabled: false, ...at("10.0.1.3") });
    const guarded = await world.nic(
      subnet,
      [
        await world.group({ direction: "ingress", ...rule }),
        await world.group({ direction: "egress", ...rule }),
      ],
      at("10.0.1.200"),
    );
    await world.settle();
    const ways = [
      world.reaches(free, guarded, protocol, port),
      world.reaches(guarded, free, protocol, port),
    ];
    expect(ways).toEqual(isLet ? ["10.0.1.3", "10.0.1.200"] : ["ingress group", "egress group"]);
  });

  const at = (ip_address: string) => ({ fixed_ips: [{ ip_address }] });
});

describe("the way outside", () => {
  it("is there with translation, and shows the router's address", async () => {
    const router = await world.router();
    const open = await world.group(...everything);
    const a = await world.nic(await world.subnet(router, "10.0.1.0/24"), [open]);
    await world.settle();
    expect(world.reaches(a, outside)).toBe("router");
    const address = "203.0.113.77";
    await world.gateway(router, address, true);
    expect(world.reaches(a, outside)).toBe(address);
    expect(world.reaches(a, { address: "10.77.0.1" })).toBe("outside");
    await world.gateway(router, address, false);
    expect(world.reaches(a, outside)).toBe("router");
  });

  it("leads nobody in by the address that it translates to, and a floating IP goes before it", async () => {
    const router = await world.router();
    const open = await world.group(...everything);
    const subnet = await world.subnet(router, "10.0.1.0/24");
    const [a, b] = [await world.nic(subnet, [open]), await world.nic(subnet, [open])];
    const own = await world.floatingIp(b);
    const address = "203.0.113.77";
    await world.gateway(router, address, true);
    await world.settle();
    expect(world.reaches(a, outside)).toBe(address);
    expect(world.reaches(b, outside)).toBe(own);
    expect(world.reaches(outside, { address })).toBe("outside");
    expect(world.reaches(outside, { address: own })).toBe(outside.address);
  });

  it("is there by a floating IP of its own, which leads in as well", async () => {
    const router = await world.router();
    const subnet = await world.subnet(router, "10.0.1.0/24");
    const a = await world.nic(subnet, [await world.group(...everything)]);
    const web = await world.group(
      { direction: "ingress", protocol: "tcp", port_range_min: 443, port_range_max: 443 },
      { direction: "egress" },
    );
    const b = await world.nic(subnet, [web]);
    const address = await world.floatingIp(b);
    expect(world.reaches(outside, { address }, "tcp", 443)).toBe("outside");
    await world.settle();
    expect(world.reaches(b, outside)).toBe(address);
    expect(world.reaches(outside, { address }, "tcp", 443)).toBe(outside.address);
    expect(world.reaches(outside, { address }, "tcp", 80)).toBe("ingress group");
    expect(world.reaches(outside, { address: "203.0.113.99" })).toBe("outside");
    expect(world.reaches(outside, a)).toBe("outside");
    expect(world.reaches(a, { address }, "tcp", 443)).toBe("router");
  });

  it("leads to an address that somebody announces, as the groups of the port say that holds it", async () => {
    const router = await world.router();
    const subnet = await world.subnet(router, "10.0.1.0/24");
    const rule = { direction: "ingress", protocol: "tcp", remote_ip_prefix: "0.0.0.0/0" } as const;
    const web = await world.group({ ...rule, port_range_min: 443, port_range_max: 443 });
    const held = await world.holder(subnet, [web]);
    const address = await world.floatingIp(held);
    const a = await world.nic(subnet, [await world.group(...everything)]);
    await world.settle();
    expect(world.reaches(outside, { address }, "tcp", 443)).toBe(outside.address);
    expect(world.reaches(outside, { address }, "tcp", 80)).toBe("ingress group");
    const inside = { address: held.addresses[0] ?? "" };
    expect(world.reaches(a, inside, "tcp", 443)).toBe(a.addresses[0]);
    expect(world.reaches(a, inside, "tcp", 80)).toBe("ingress group");
    expect(world.reaches(held, a)).toBe("sender");
    await world.test.ask("DELETE", `/v2.0/ports/${held.port}`);
    expect(world.reaches(a, inside, "tcp", 443)).toBe("receiver");
    expect(world.reaches(outside, { address }, "tcp", 443)).toBe("outside");
  });

  it("leads from one tenant's network to the floating IP of another's, and is seen as it is outside", async () => {
    const open = await world.group(...everything);
    const [mine, theirs] = [await world.router({}), await world.router()];
    const a = await world.nic(await world.subnet(mine, "10.0.1.0/24"), [open]);
    const b = await world.nic(await world.subnet(theirs, "10.0.1.0/24"), [open]);
    const address = await world.floatingIp(b);
    await world.settle();
    const { body } = await world.test.ask("GET", `/v2.0/routers/${mine}`);
    const [gateway] = body.router.external_gateway_info.external_fixed_ips;
    expect(world.reaches(a, { address })).toBe(gateway.ip_address);
    expect(world.reaches(a, b)).not.toBe(gateway.ip_address);
  });
});
