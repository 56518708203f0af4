import { beforeEach, describe, expect, it } from "vitest";
import { minutes, sleep } from "../../../../../core/clock.ts";
import { AppError } from "../../../../../core/error.ts";
import { Exhausted, type Fabric, type HostLink } from "../../../../../core/ports/fabric/fabric.ts";
import { Taken } from "../../../../../core/ports/taken.ts";
import { Disconnected } from "../../../../../sim/faulty.ts";
import {
  layer3,
  links,
  order,
  otherOrder,
  ownedAfterCreate,
  TestFabric,
} from "../../../../support/fabric.ts";
import { fabricContract, fabricFaultContract } from "../contract.ts";

let test: TestFabric;
let fabric: Fabric;
const run = <T>(call: Promise<T>) => test.run(call);

function open(settings = {}) {
  test = new TestFabric(settings);
  fabric = test.fabric;
}
beforeEach(() => open());

/** The error that a call ends with. */
const failureOf = async (call: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await run(
    call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError: ${String(error)}`);
  return error;
};

const apiIp = { use: "api", internal: "10.0.3.2" } as const;

describe("Neutron keeps the contract", () => {
  fabricContract(() => new TestFabric());
  fabricFaultContract(() => new TestFabric());
});

it("uses the connected one of two routers that a late answer left, and removes both", async () => {
  await test.createAll();
  const [router] = test.sim.state.records.all("router");
  const { body } = await test.ask("POST", "/v2.0/routers", { router: { name: router?.name } });
  const late = test.sim.state.records.get("router", body.router.id);
  if (!late) throw new Error("the late router is not there");
  test.sim.state.records.put("router", { ...late, created_at: 0 });
  await test.clock.advance(minutes(1));
  expect(await run(fabric.ensureLayer3(order, layer3))).toEqual({ state: "done" });
  expect((await run(fabric.observe(order))).layer3).toEqual({ state: "done" });
  await test.removeAll();
  expect(test.sim.state.records.all("router")).toEqual([]);
});

describe("a wrong order of steps is refused", () => {
  it("needs layer 2 before layer 3, and layer 3 before hosts and floating IPs", async () => {
    const rejected = (message: string) => ({ kind: "Rejected", message });
    const noNetwork = rejected("the fabric has no network slipway-abcdefghij");
    expect(await failureOf(fabric.ensureLayer3(order, layer3))).toMatchObject(noNetwork);
    expect(await failureOf(fabric.ensureAttachments(order, links))).toMatchObject(noNetwork);
    await run(fabric.ensureLayer2(order, 120));
    const noSubnet = rejected("the fabric has no subnet slipway-abcdefghij");
    expect(await failureOf(fabric.ensureAttachments(order, links))).toMatchObject(noSubnet);
    expect(await failureOf(fabric.ensureFloatingIp(order, apiIp))).toMatchObject(noSubnet);
  });

  it("makes no floating IP where no router leads outside, in the fabric's words", async () => {
    await test.createAll();
    await run(fabric.removeFloatingIps(order));
    const [router] = test.sim.state.records.all("router");
    const [subnet] = test.sim.state.records.all("subnet").slice(1);
    await test.ask("PUT", `/v2.0/routers/${router?.id}/remove_router_interface`, {
      subnet_id: subnet?.id,
    });
    const failure = await failureOf(fabric.ensureFloatingIp(order, apiIp));
    expect(failure.kind).toBe("Rejected");
    expect(failure.message).toMatch(
      /^the fabric refuses: External network \S+ is not reachable from subnet /,
    );
  });

  it("waits with what is still in use", async () => {
    await test.createAll();
    expect(await run(fabric.removeLayer2(order))).toEqual({
      state: "pending",
      message: expect.stringMatching(
        /^the fabric refuses: Unable to complete operation on network .* still in use/,
      ),
    });
    expect(await run(fabric.removeLayer3(order))).toEqual({
      state: "pending",
      message: expect.stringMatching(/required by one or more floating IPs/),
    });
    await run(fabric.removeFloatingIps(order));
    expect(await run(fabric.removeLayer3(order))).toEqual({
      state: "pending",
      message: expect.stringMatching(
        /^the fabric refuses: Unable to complete operation on subnet /,
      ),
    });
    await run(fabric.removeAttachments(order));
    expect(await run(fabric.removeLayer3(order))).toEqual({ state: "absent" });
    expect(await run(fabric.removeLayer2(order))).toEqual({ state: "absent" });
  });
});

describe("the roles that Neutron's usual policy asks for", () => {
  const admin = "role admin, which alone may set provider:* by Neutron's default policy";
  const service = "role service, which alone may set binding:profile by Neutron's default policy";
  it.each([
    [["admin", "service"], []],
    [["admin"], [service]],
    [["service"], [admin]],
    [["member"], [admin, service]],
  ])("with %j lack %j", async (roles, lacking) => {
    open({ roles });
    expect(await run(fabric.lacks())).toEqual(lacking);
  });
});

describe("what runs out", () => {
  it("is a quota", async () => {
    open({ quotas: { network: 1 } });
    await run(fabric.ensureLayer2(otherOrder, 121));
    const failure = await failureOf(fabric.ensureLayer2(order, 120));
    expect(failure).toBeInstanceOf(Exhausted);
    expect(failure).toMatchObject({
      kind: "Unavailable",
      resource: "network",
      message: "Quota exceeded for resources: ['network'].",
    });
  });

  it("is the pool of floating IPs", async () => {
    // The router's gateway takes one of the two.
    open({
      external: {
        cidr: "203.0.113.0/24",
        gateway: "203.0.113.1",
        first: "203.0.113.10",
        last: "203.0.113.11",
      },
    });
    await run(fabric.ensureLayer2(order, 120));
    await run(fabric.ensureLayer3(order, layer3));
    await run(fabric.ensureFloatingIp(order, apiIp));
    const failure = await failureOf(
      fabric.ensureFloatingIp(order, { use: "ingress", internal: "10.0.3.3" }),
    );
    expect(failure).toMatchObject({ kind: "Unavailable", resource: "floatingip" });
    expect(failure.message).toMatch(/^Unable to find any IP address on external network/);
  });

  it("is a prefix", async () => {
    await run(fabric.ensureLayer2(order, 120));
    await run(
      fabric.ensureLayer3(order, { ...layer3, range: { first: "10.0.3.10", last: "10.0.3.10" } }),
    );
    // The DHCP agent may be the one that takes it.
    const failure = await failureOf(fabric.ensureAttachments(order, links.slice(0, 2)));
    expect(failure).toMatchObject({ kind: "Unavailable", resource: "address" });
  });
});

describe("what somebody else has", () => {
  it("is a VLAN id, and that is told apart from any other refusal", async () => {
    await run(fabric.ensureLayer2(otherOrder, 120));
    const failure = await failureOf(fabric.ensureLayer2(order, 120));
    expect(failure).toBeInstanceOf(Taken);
    expect(failure).toMatchObject({
      kind: "Rejected",
      resource: "vlan",
      message: "Unable to create the network. The VLAN 120 on physical network physnet1 is in use.",
    });
    expect(test.owned()).toEqual({});
  });

  it("is a floating IP", async () => {
    await run(fabric.ensureLayer2(order, 120));
    await run(fabric.ensureLayer3(order, layer3));
    const { address } = await run(
      fabric.ensureFloatingIp(order, { ...apiIp, address: "203.0.113.99" }),
    );
    expect(address).toBe("203.0.113.99");
    const again = { use: "ingress", internal: "10.0.3.3", address } as const;
    expect(await failureOf(fabric.ensureFloatingIp(order, again))).toMatchObject({
      resource: "floatingip",
    });
  });

  it("is not taken for our own: a network with another VLAN id is refused", async () => {
    await run(fabric.ensureLayer2(order, 120));
    expect(await failureOf(fabric.ensureLayer2(order, 121))).toMatchObject({
      kind: "Rejected",
      message: "network slipway-abcdefghij has VLAN 120 instead of 121",
    });
  });
});

describe("attachments", () => {
  beforeEach(async () => {
    await run(fabric.ensureLayer2(order, 120));
    await run(fabric.ensureLayer3(order, layer3));
  });

  it("are plugged again when the switch failed the first time", async () => {
    test.faults.add({
      target: "fabric",
      operation: "PUT /switches/leaf-a1/Ethernet1/1",
      fault: "error",
    });
    const failure = await failureOf(fabric.ensureAttachments(order, links));
    expect(failure).toMatchObject({ kind: "Unavailable" });
    expect(failure.message).toContain("Failed to connect to Netmiko switch");
    await run(fabric.ensureAttachments(order, links));
    await test.clock.advance(minutes(2));
    const { attachments } = await run(fabric.observe(order));
    expect(attachments.map(({ state }) => state)).toEqual(["bound", "bound", "bound"]);
  });

  it("are plugged again when the switch failed at a change, which only leaves the port down", async () => {
    const [link] = links;
    if (!link) throw new Error("no link");
    await run(fabric.ensureAttachments(order, [{ ...link, switch: "leaf-x" }]));
    test.faults.add({ target: "fabric", operation: "PUT /switches/", fault: "error" });
    expect(await failureOf(fabric.ensureAttachments(order, [link]))).toMatchObject({
      kind: "Unavailable",
    });
    await test.clock.advance(minutes(5));
    expect((await run(fabric.observe(order))).attachments).toMatchObject([{ state: "pending" }]);
    await run(fabric.ensureAttachments(order, [link]));
    await test.clock.advance(minutes(1));
    expect((await run(fabric.observe(order))).attachments).toMatchObject([{ state: "bound" }]);
  });
});

describe("ports in a segment of somebody else", () => {
  const guestWith = (...groups: string[]) => ({
    ...otherOrder,
    within: { name: order.name, groups },
  });
  const link = { ...(links[0] as HostLink), address: "10.0.3.20" };
  const portsNow = () =>
    test.sim.state.records.all("port").filter(({ vnic_type }) => vnic_type === "baremetal");

  beforeEach(async () => {
    await run(fabric.ensureLayer2(order, 120));
    await run(fabric.ensureLayer3(order, layer3));
  });

  it("have the groups that are named, by the names of their owners, and those that hold addresses too", async () => {
    const { body } = await test.ask("POST", "/v2.0/security-groups", {
      security_group: { name: "slipway-web" },
    });
    await run(fabric.ensureAttachments(guestWith("web"), [link]));
    await run(fabric.ensureFloatingIp(guestWith("web"), { use: "api", internal: "10.0.3.30" }));
    const groups = test.sim.state.records
      .all("port")
      .filter(({ name }) => name.includes(otherOrder.name))
      .map(({ security_groups }) => security_groups);
    expect(groups).toEqual([[body.security_group.id], [body.security_group.id]]);
  });

  it("get exactly other groups while they stay bound, and those of others stay as they are", async () => {
    const ids: Record<string, string> = {};
    for (const name of ["web", "db"]) {
      const security_group = { name: `slipway-${name}` };
      const { body } = await test.ask("POST", "/v2.0/security-groups", { security_group });
      ids[name] = body.security_group.id;
    }
    const groupsOf = (owner: string) =>
      test.sim.state.records
        .all("port")
        .filter(({ name }) => name.includes(owner))
        .map(({ security_groups }) => security_groups);
    const neighbour = { ...guestWith("web"), name: "uvwxyz2345" };
    const next = { ...(links[1] as HostLink), address: "10.0.3.21" };
    await run(fabric.ensureAttachments(guestWith("web"), [link]));
    await run(fabric.ensureFloatingIp(guestWith("web"), { use: "api", internal: "10.0.3.30" }));
    await run(fabric.ensureAttachments(neighbour, [next]));
    await test.clock.advance(minutes(1));
    expect(await run(fabric.ensureGroups(guestWith("web")))).toEqual({ state: "done" });

    expect(await run(fabric.ensureGroups(guestWith("db")))).toEqual({
      state: "pending",
      message: "2 of 2 ports to show their security groups",
    });
    expect(await run(fabric.ensureGroups(guestWith("db")))).toEqual({ state: "done" });
    expect(groupsOf(otherOrder.name)).toEqual([[ids.db], [ids.db]]);
    expect(groupsOf(neighbour.name)).toEqual([[ids.web]]);
    const [attachment] = await run(fabric.ensureAttachments(guestWith("db"), [link]));
    expect(attachment?.state).toBe("bound");
    expect(await failureOf(fabric.ensureGroups(guestWith("none")))).toMatchObject({
      kind: "Unavailable",
    });
  });

  it("are not made while a group is missing: nobody would know what may reach them", async () => {
    expect(await failureOf(fabric.ensureAttachments(guestWith("web"), [link]))).toMatchObject({
      kind: "Unavailable",
      message: "the fabric has no security group slipway-web yet",
    });
    expect(portsNow()).toEqual([]);
  });
});

describe("Neutron, when it does not answer,", () => {
  it("is found to have done what it did not answer", async () => {
    test.intercept = async ({ method, path }, answer) => {
      const response = await answer();
      if (method !== "POST" || !path.startsWith("/v2.0/")) return response;
      throw new Disconnected();
    };
    await test.createAll();
    await test.clock.advance(minutes(2));
    expect(test.owned()).toEqual(ownedAfterCreate);
  });

  it("is found to have done what it answers too late", async () => {
    test.intercept = async ({ method, path }, answer) => {
      const response = await answer();
      if (method === "POST" && path.startsWith("/v2.0/")) await sleep(test.clock, minutes(1));
      return response;
    };
    await test.createAll();
    await test.clock.advance(minutes(2));
    expect(test.owned()).toEqual(ownedAfterCreate);
  });
});
