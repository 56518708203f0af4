import { beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds, sleep } from "../../../../../core/clock.ts";
import { AppError } from "../../../../../core/error.ts";
import { asHostId } from "../../../../../core/id.ts";
import {
  Exhausted,
  type Fabric,
  type HostLink,
  Taken,
} from "../../../../../core/ports/fabric/fabric.ts";
import { Disconnected } from "../../../../../sim/faulty.ts";
import {
  layer3,
  links,
  order,
  otherOrder,
  ownedAfterCreate,
  TestFabric,
} from "../../../../support/fabric.ts";

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

describe("an order on the fabric", () => {
  it("goes from absent over pending to done, and back to absent", async () => {
    const nothing = {
      layer2: { state: "absent" },
      layer3: { state: "absent" },
      attachments: [],
      floatingIps: [],
      remaining: [],
    };
    expect(await run(fabric.observe(order))).toEqual(nothing);

    expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
    expect(await run(fabric.ensureLayer3(order, layer3))).toEqual({
      state: "pending",
      message: "the gateway is DOWN",
    });
    const attachments = await run(fabric.ensureAttachments(order, links));
    expect(attachments.map(({ state, mac, host }) => ({ state, mac, host }))).toEqual(
      links.map(({ mac, host }) => ({ state: "pending", mac, host })),
    );
    const floatingIp = await run(fabric.ensureFloatingIp(order, apiIp));
    expect(floatingIp.progress.state).toBe("pending");

    await test.clock.advance(minutes(2));
    const seen = await run(fabric.observe(order));
    expect(seen).toMatchObject({
      layer2: { state: "done" },
      vlan: 120,
      layer3: { state: "done" },
      prefix: "10.0.3.0/26",
    });
    expect(seen.attachments.map(({ state }) => state)).toEqual(["bound", "bound", "bound"]);
    expect(seen.floatingIps).toEqual([{ ...floatingIp, progress: { state: "done" } }]);
    expect(seen.remaining.map(({ kind }) => kind)).toEqual([
      "floating_ip",
      "port",
      "port",
      "port",
      "port",
      "router",
      "subnet",
      "network",
    ]);

    await test.removeAll();
    expect(await run(fabric.observe(order))).toEqual(nothing);
    expect(test.owned()).toEqual({});
  });

  it("is made once however often it is asked for", async () => {
    await test.createAll();
    await test.clock.advance(minutes(2));
    expect(test.owned()).toEqual(ownedAfterCreate);
    const before = test.sim.ledger();
    const writes = () => test.asked.filter(({ method }) => method !== "GET").length;
    const written = writes();
    await test.createAll();
    expect(test.sim.ledger()).toEqual(before);
    expect(writes()).toBe(written);
  });

  it("may be removed again, or without ever having been", async () => {
    await test.removeAll();
    await test.createAll();
    await test.removeAll();
    const absent = { state: "absent" };
    expect(await run(fabric.removeFloatingIps(order))).toEqual(absent);
    expect(await run(fabric.removeAttachments(order))).toEqual(absent);
    expect(await run(fabric.removeLayer3(order))).toEqual(absent);
    expect(await run(fabric.removeLayer2(order))).toEqual(absent);
    expect(test.owned()).toEqual({});
  });

  it("is apart from every other order, and the sweep tells them apart", async () => {
    await test.createAll();
    await run(fabric.ensureLayer2(otherOrder, 121));
    await test.removeAll(otherOrder);
    await run(fabric.ensureLayer2(otherOrder, 121));
    await test.clock.advance(minutes(2));
    expect(test.owned()).toEqual(ownedAfterCreate);
    const all = await run(fabric.observeAll());
    expect(all.filter(({ owner }) => owner.id === otherOrder.id)).toEqual([
      {
        kind: "network",
        id: expect.any(String),
        name: "slipway-klmnopqrst",
        owner: { kind: "cluster", id: otherOrder.id, tenant: "tenant-b" },
        number: "121",
      },
    ]);
    const own = all.filter(({ owner }) => owner.id === order.id);
    expect(own).toHaveLength(10);
    const numbered = own.flatMap(({ kind, number }) => (number === undefined ? [] : [kind]));
    expect(numbered.sort()).toEqual(["floating_ip", "floating_ip", "network", "subnet"]);
  });

  it("says whose it is when the owner is of another kind, and keeps to its own", async () => {
    const network = { ...otherOrder, kind: "virtual_network", id: order.id, uses: ["nat"] };
    await test.createAll();
    await run(fabric.ensureLayer2(network, 121));
    await run(
      fabric.ensureLayer3(network, {
        ...layer3,
        prefix: "10.0.4.0/26",
        gateway: "10.0.4.1",
        range: { first: "10.0.4.10", last: "10.0.4.62" },
      }),
    );
    await run(fabric.ensureFloatingIp(network, { use: "nat", internal: "10.0.4.2" }));
    const { floatingIps, remaining } = await run(fabric.observe(network));
    expect(floatingIps.map(({ use, internal }) => ({ use, internal }))).toEqual([
      { use: "nat", internal: "10.0.4.2" },
    ]);
    const named = (await run(fabric.observeAll())).filter(
      ({ owner }) => owner.kind === "virtual_network",
    );
    expect(named.map(({ kind }) => kind).sort()).toEqual(remaining.map(({ kind }) => kind).sort());
    await test.removeAll(network);
    await test.clock.advance(minutes(2));
    expect(test.owned()).toEqual(ownedAfterCreate);
  });

  it("detaches only the hosts that are named", async () => {
    await test.createAll();
    await run(fabric.removeAttachments(order, [asHostId("host-2")]));
    const { attachments } = await run(fabric.observe(order));
    expect(attachments.map(({ host }) => host)).toEqual(["host-1"]);
  });

  it("uses a machine's own port where it has the address inside", async () => {
    await test.createAll();
    const [attachment] = (await run(fabric.observe(order))).attachments;
    await run(fabric.removeFloatingIps(order));
    const internal = attachment?.address ?? "";
    const floatingIp = await run(fabric.ensureFloatingIp(order, { use: "ingress", internal }));
    expect(floatingIp.internal).toBe(internal);
    const { remaining } = await run(fabric.observe(order));
    expect(remaining.filter(({ kind }) => kind === "port")).toHaveLength(3);
  });

  it("moves a floating IP to another address inside", async () => {
    await test.createAll();
    const before = await run(fabric.ensureFloatingIp(order, apiIp));
    const internal = "10.0.3.4";
    const after = await run(fabric.ensureFloatingIp(order, { use: "api", internal }));
    expect(after).toMatchObject({ address: before.address, internal });
    await test.clock.advance(minutes(1));
    expect(test.sim.addressBehind(before.address)).toBe(internal);
    await test.removeAll();
    expect(test.owned()).toEqual({});
  });
});

describe("a process that ends between two requests", () => {
  const isWrite = ({ method }: { method: string }) => method !== "GET";

  /** Ends the process at its nth write: it asks nothing after that. */
  function cutAt(nth: number, when: string): void {
    let seen = 0;
    let isDead = false;
    test.intercept = async (asked, answer) => {
      if (isWrite(asked)) seen += 1;
      if (!isDead && (seen < nth || !isWrite(asked))) return answer();
      if (!isDead && when === "after") await answer();
      isDead = true;
      throw new Disconnected();
    };
  }
  const goOn = () => {
    test.intercept = (_, answer) => answer();
  };

  it.each(["before", "after"])("%s a write of a create is found by the next one", async (when) => {
    await test.createAll();
    const writes = test.asked.filter(isWrite).length;
    expect(writes).toBeGreaterThan(15);
    for (let nth = 1; nth <= writes; nth++) {
      open();
      const provided = test.sim.ledger();
      cutAt(nth, when);
      expect(await failureOf(test.createAll()), `write ${nth}`).toMatchObject({
        kind: "Unavailable",
      });
      goOn();
      // The ledger knows whose it is, also before it has tags.
      const foreign = test.sim.ledger().filter(({ owner }) => owner === null);
      expect(foreign, `write ${nth}`).toEqual(provided);
      await test.createAll();
      await test.clock.advance(minutes(2));
      expect(test.owned(), `write ${nth}`).toEqual(ownedAfterCreate);
      await test.removeAll();
      expect(test.owned(), `write ${nth}`).toEqual({});
    }
  });

  it.each(["before", "after"])("%s a write of a removal is found by the next", async (when) => {
    await test.createAll();
    test.asked.length = 0;
    await test.removeAll();
    const writes = test.asked.filter(isWrite).length;
    expect(writes).toBeGreaterThan(9);
    for (let nth = 1; nth <= writes; nth++) {
      open();
      await test.createAll();
      cutAt(nth, when);
      expect(await failureOf(test.removeAll())).toMatchObject({ kind: "Unavailable" });
      goOn();
      await test.removeAll();
      expect(test.owned(), `write ${nth}`).toEqual({});
    }
  });
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
    expect(failure.message).toMatch(/^External network \S+ is not reachable from subnet /);
  });

  it("waits with what is still in use", async () => {
    await test.createAll();
    expect(await run(fabric.removeLayer2(order))).toEqual({
      state: "pending",
      message: expect.stringMatching(/^Unable to complete operation on network .* still in use/),
    });
    expect(await run(fabric.removeLayer3(order))).toEqual({
      state: "pending",
      message: expect.stringMatching(/required by one or more floating IPs/),
    });
    await run(fabric.removeFloatingIps(order));
    expect(await run(fabric.removeLayer3(order))).toEqual({
      state: "pending",
      message: expect.stringMatching(/^Unable to complete operation on subnet /),
    });
    await run(fabric.removeAttachments(order));
    expect(await run(fabric.removeLayer3(order))).toEqual({ state: "absent" });
    expect(await run(fabric.removeLayer2(order))).toEqual({ state: "absent" });
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
  const wrongSwitch: HostLink = {
    host: asHostId("host-9"),
    mac: "52:54:00:00:09:01",
    switch: "leaf-x",
    port: "Ethernet1/9",
  };

  beforeEach(async () => {
    await run(fabric.ensureLayer2(order, 120));
    await run(fabric.ensureLayer3(order, layer3));
  });

  it("are refused when the fabric does not know the switch port", async () => {
    const [refused] = await run(fabric.ensureAttachments(order, [wrongSwitch]));
    expect(refused).toMatchObject({ state: "refused", mac: wrongSwitch.mac, host: "host-9" });
    expect((await run(fabric.observe(order))).attachments[0]?.state).toBe("refused");
  });

  it("follow the inventory when a host was cabled anew", async () => {
    const [link] = links;
    if (!link) throw new Error("no link");
    await run(fabric.ensureAttachments(order, [{ ...link, switch: "leaf-x" }]));
    await run(fabric.ensureAttachments(order, [link]));
    await test.clock.advance(minutes(1));
    expect((await run(fabric.observe(order))).attachments).toMatchObject([{ state: "bound" }]);
    expect(test.sim.vlanOf(link.switch, link.port)).toBe(120);
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

  it("answer in the order in which they were asked for", async () => {
    const answers = await run(fabric.ensureAttachments(order, links));
    expect(answers.map(({ mac }) => mac)).toEqual(links.map(({ mac }) => mac));
    expect(new Set(answers.map(({ address }) => address)).size).toBe(3);
  });
});

describe("a fabric that cannot be asked", () => {
  it("is Unavailable when it does not answer in time", async () => {
    test.faults.add({ target: "fabric", fault: "timeout", count: 0 });
    const failure = await failureOf(fabric.ensureLayer2(order, 120));
    expect(failure).toMatchObject({ kind: "Unavailable" });
    test.faults.clear();
    expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
  });

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

  it.each([429, 500, 502, 503])("is Unavailable when it answers %i", async (status) => {
    test.faults.add({ target: "fabric", operation: "POST /v2.0/networks", fault: "error", status });
    const failure = await failureOf(fabric.ensureLayer2(order, 120));
    expect(failure.kind).toBe("Unavailable");
    expect(failure.message).toContain(String(status));
    expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
  });

  it("is told in its own words when it refuses", async () => {
    test.faults.add({ target: "fabric", operation: "POST /v2.0/networks", fault: "error" });
    expect(await failureOf(fabric.ensureLayer2(order, 120))).toMatchObject({
      kind: "Rejected",
      message: "injected fault: the fabric answers 422",
    });
  });

  it("may be slow", async () => {
    test.faults.add({ target: "fabric", operation: "POST /v2.0/networks", fault: "slow" });
    const before = test.clock.now();
    expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
    expect(test.clock.now() - before).toBe(seconds(5));
  });
});
