import { beforeEach, describe, expect, it } from "vitest";
import { seconds } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { asHostId } from "../../../../core/id.ts";
import type {
  Fabric,
  HostLink,
  ObjectState,
  OwnedNetwork,
} from "../../../../core/ports/fabric/fabric.ts";
import { Taken } from "../../../../core/ports/taken.ts";
import type { Faults } from "../../../../sim/faults.ts";
import { Disconnected } from "../../../../sim/faulty.ts";
import type { LedgerItem } from "../../../../sim/ledger.ts";
import { type Asked, layer3, links, order, otherOrder } from "../../../support/fabric.ts";
import type { VirtualClock } from "../../../support/virtual-clock.ts";

/** A fabric, real or simulated, that a test has for itself. */
export interface FabricFixture {
  fabric: Fabric;
  /** Everything that was asked of it. */
  asked: Asked[];
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Until the fabric has done what was asked of it. */
  settled(): Promise<void>;
  /** Everything that a create asks of the fabric, in its order; and a delete. */
  createAll(of?: OwnedNetwork): Promise<void>;
  removeAll(of?: OwnedNetwork): Promise<void>;
  ledger(): LedgerItem[] | Promise<LedgerItem[]>;
  /** Owned things in the ledger, counted by kind. */
  owned(id?: string): Record<string, number> | Promise<Record<string, number>>;
  /** These after `createAll`, and how many of them are marked as ours. */
  ownedAfterCreate: Record<string, number>;
  markedAfterCreate: number;
  /** The address inside that one outside leads to. */
  addressBehind(address: string): string | undefined | Promise<string | undefined>;
  vlanOf(switchName: string, port: string): number | undefined | Promise<number | undefined>;
  /** What the fabric calls an owner's network. */
  nameOf(network: OwnedNetwork): string;
  /** What it says of layer 3, and the states of addresses, right after they were asked for. */
  atFirst: { layer3: ObjectState; floatingIp: ObjectState["state"] };
}

/** A simulated one, which can be made to fail. */
export interface FaultyFabricFixture extends FabricFixture {
  clock: VirtualClock;
  faults: Faults;
  /** Comes between a request and the fabric. */
  intercept: (asked: Asked, answer: () => Promise<Response>) => Promise<Response>;
  /** The method and path of what makes a network. */
  makesNetwork: string;
}

const apiIp = { use: "api", internal: "10.0.3.2" } as const;

/** The error that a call ends with. */
async function errorOf(call: Promise<unknown>): Promise<AppError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError: ${String(error)}`);
  return error;
}

/** What every adapter of the fabric port does. */
export function fabricContract(open: () => FabricFixture): void {
  let at: FabricFixture;
  let fabric: Fabric;
  const run = <T>(call: Promise<T>) => at.run(call);
  beforeEach(() => {
    at = open();
    fabric = at.fabric;
  });

  const failureOf = (call: Promise<unknown>) => errorOf(run(call));

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
      expect(await run(fabric.ensureLayer3(order, layer3))).toEqual(at.atFirst.layer3);
      const attachments = await run(fabric.ensureAttachments(order, links));
      expect(attachments.map(({ state, mac, host }) => ({ state, mac, host }))).toEqual(
        links.map(({ mac, host }) => ({ state: "pending", mac, host })),
      );
      const floatingIp = await run(fabric.ensureFloatingIp(order, apiIp));
      expect(floatingIp.progress.state).toBe(at.atFirst.floatingIp);

      await at.settled();
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

      await at.removeAll();
      expect(await run(fabric.observe(order))).toEqual(nothing);
      expect(await at.owned()).toEqual({});
    });

    it("is made once however often it is asked for", async () => {
      await at.createAll();
      await at.settled();
      expect(await at.owned()).toEqual(at.ownedAfterCreate);
      const before = await at.ledger();
      const writes = () => at.asked.filter(({ method }) => method !== "GET").length;
      const written = writes();
      await at.createAll();
      expect(await at.ledger()).toEqual(before);
      expect(writes()).toBe(written);
    });

    it("may be removed again, or without ever having been", async () => {
      await at.removeAll();
      await at.createAll();
      await at.removeAll();
      const absent = { state: "absent" };
      expect(await run(fabric.removeFloatingIps(order))).toEqual(absent);
      expect(await run(fabric.removeAttachments(order))).toEqual(absent);
      expect(await run(fabric.removeLayer3(order))).toEqual(absent);
      expect(await run(fabric.removeLayer2(order))).toEqual(absent);
      expect(await at.owned()).toEqual({});
    });

    it("is apart from every other order, and the sweep tells them apart", async () => {
      await at.createAll();
      await run(fabric.ensureLayer2(otherOrder, 121));
      await at.removeAll(otherOrder);
      await run(fabric.ensureLayer2(otherOrder, 121));
      await at.settled();
      expect(await at.owned()).toEqual(at.ownedAfterCreate);
      const all = await run(fabric.observeAll());
      expect(all.filter(({ owner }) => owner.id === otherOrder.id)).toEqual([
        {
          kind: "network",
          id: expect.any(String),
          name: at.nameOf(otherOrder),
          owner: { kind: "cluster", id: otherOrder.id, tenant: "tenant-b" },
          number: "121",
        },
      ]);
      const own = all.filter(({ owner }) => owner.id === order.id);
      expect(own).toHaveLength(at.markedAfterCreate);
      const numbered = own.flatMap(({ kind, number }) => (number === undefined ? [] : [kind]));
      expect(numbered.sort()).toEqual(["floating_ip", "floating_ip", "network", "subnet"]);
    });

    it("says whose it is when the owner is of another kind, and keeps to its own", async () => {
      const network = { ...otherOrder, kind: "virtual_network", id: order.id, uses: ["nat"] };
      await at.createAll();
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
      expect(named.map(({ kind }) => kind).sort()).toEqual(
        remaining.map(({ kind }) => kind).sort(),
      );
      await at.removeAll(network);
      await at.settled();
      expect(await at.owned()).toEqual(at.ownedAfterCreate);
    });

    it("detaches only the hosts that are named", async () => {
      await at.createAll();
      await run(fabric.removeAttachments(order, { hosts: [asHostId("host-2")] }));
      const { attachments } = await run(fabric.observe(order));
      expect(attachments.map(({ host }) => host)).toEqual(["host-1"]);
    });

    it("detaches only the NICs that are named", async () => {
      await at.createAll();
      await at.settled();
      const [one, ...others] = (await run(fabric.observe(order))).attachments;
      await run(fabric.removeAttachments(order, { macs: [one?.mac.toUpperCase() ?? ""] }));
      const { attachments } = await run(fabric.observe(order));
      expect(attachments).toEqual(others);
      await run(fabric.removeAttachments(order, { macs: [] }));
      expect((await run(fabric.observe(order))).attachments).toEqual(attachments);
    });

    it("uses a machine's own port where it has the address inside", async () => {
      await at.createAll();
      const [attachment] = (await run(fabric.observe(order))).attachments;
      await run(fabric.removeFloatingIps(order));
      const internal = attachment?.address ?? "";
      const floatingIp = await run(fabric.ensureFloatingIp(order, { use: "ingress", internal }));
      expect(floatingIp.internal).toBe(internal);
      const { remaining } = await run(fabric.observe(order));
      expect(remaining.filter(({ kind }) => kind === "port")).toHaveLength(3);
    });

    it("moves a floating IP to another address inside", async () => {
      await at.createAll();
      const before = await run(fabric.ensureFloatingIp(order, apiIp));
      const internal = "10.0.3.4";
      const after = await run(fabric.ensureFloatingIp(order, { use: "api", internal }));
      expect(after).toMatchObject({ address: before.address, internal });
      await at.settled();
      expect(await at.addressBehind(before.address)).toBe(internal);
      await at.removeAll();
      expect(await at.owned()).toEqual({});
    });
  });

  describe("an outside address of somebody else", () => {
    const owner = {
      kind: "external_ip_attachment",
      id: "0197b2d0-1111-7000-8000-000000000009",
      tenant: order.tenant,
      name: "extern2345",
    };
    const address = "203.0.113.90";
    const plan = { ...apiIp, network: order, address };
    const lead = () => run(fabric.ensureExternalIp(owner, plan));
    const own = async () =>
      (await run(fabric.observe(order))).floatingIps.find(({ use }) => use === apiIp.use);

    it("leads in place of the order's own, which comes back when it is gone", async () => {
      await at.createAll();
      await at.settled();
      const before = await own();
      expect((await lead()).state).toBe("pending");
      await at.settled();
      expect([await lead(), await run(fabric.observeExternalIp(owner, plan))]).toEqual([
        { state: "done" },
        { state: "done" },
      ]);
      expect(await at.addressBehind(address)).toBe(apiIp.internal);
      expect(await at.addressBehind(before?.address ?? "")).toBeUndefined();
      expect(await own()).toMatchObject({
        address: before?.address,
        progress: { state: "pending" },
      });
      expect(await at.owned(owner.id)).toEqual({ floating_ip: 1, address: 1 });

      expect(await run(fabric.removeExternalIp(owner))).toEqual({ state: "absent" });
      expect(await run(fabric.removeExternalIp(owner))).toEqual({ state: "absent" });
      expect((await run(fabric.observeExternalIp(owner, plan))).state).toBe("absent");
      await run(fabric.ensureFloatingIp(order, apiIp));
      await at.settled();
      expect(await own()).toEqual(before);
      expect(await at.addressBehind(before?.address ?? "")).toBe(apiIp.internal);
      await at.removeAll();
      expect(await at.owned()).toEqual({});
    });

    it("stays where it is when the order's own is asked for meanwhile", async () => {
      await at.createAll();
      await lead();
      const error = await failureOf(fabric.ensureFloatingIp(order, apiIp));
      expect(error.kind).toBe("Rejected");
      await at.settled();
      expect(await at.addressBehind(address)).toBe(apiIp.internal);
    });

    it("moves to another endpoint", async () => {
      await at.createAll();
      await lead();
      const ingress = { use: "ingress", internal: "10.0.3.3" };
      await run(fabric.ensureExternalIp(owner, { ...plan, ...ingress }));
      await at.settled();
      expect(await at.addressBehind(address)).toBe(ingress.internal);
      expect((await run(fabric.observeExternalIp(owner, plan))).state).toBe("pending");
    });

    it("is not taken from who has it", async () => {
      await at.createAll();
      const { address: taken } = await run(
        fabric.ensureFloatingIp(order, { use: "ingress", internal: "10.0.3.3" }),
      );
      const call = fabric.ensureExternalIp(owner, { ...plan, address: taken });
      expect(await failureOf(call)).toBeInstanceOf(Taken);
      expect(await at.owned(owner.id)).toEqual({});
    });
  });

  describe("an order whose hosts stand in a segment of somebody else", () => {
    const within = { name: order.name, groups: [] };
    const guest: OwnedNetwork = { ...otherOrder, within };
    const neighbour: OwnedNetwork = {
      ...otherOrder,
      id: "0197b2d0-1111-7000-8000-000000000003",
      name: "uvwxyz2345",
      within,
    };
    const addressed = links.map((link, n) => ({ ...link, address: `10.0.3.${20 + n}` }));

    beforeEach(async () => {
      await run(fabric.ensureLayer2(order, 120));
      await run(fabric.ensureLayer3(order, layer3));
      await at.settled();
    });

    it("has the addresses there that it names, and sees of the segment only what is its own", async () => {
      const [one, two, three] = addressed;
      if (!one || !two || !three) throw new Error("three links");
      await run(fabric.ensureAttachments(guest, [one, two]));
      await run(fabric.ensureAttachments(neighbour, [three]));
      await run(fabric.ensureFloatingIp(guest, { use: "api", internal: "10.0.3.30" }));
      const { layer2, attachments, floatingIps, remaining } = await run(fabric.observe(guest));
      expect(layer2).toEqual({ state: "absent" });
      // Within a second, which is how exactly a fabric tells when it made them, they come in any order.
      const seen = attachments.map(({ mac, address }) => ({ mac, address }));
      expect(seen.sort((a, b) => a.mac.localeCompare(b.mac))).toEqual(
        [one, two].map(({ mac, address }) => ({ mac, address })),
      );
      expect(floatingIps.map(({ internal }) => internal)).toEqual(["10.0.3.30"]);
      expect(remaining.map(({ kind }) => kind).sort()).toEqual([
        "floating_ip",
        "port",
        "port",
        "port",
      ]);
    });

    it("leaves the segment and its other members as they are when it goes", async () => {
      const [one, two] = addressed;
      if (!one || !two) throw new Error("two links");
      await run(fabric.ensureAttachments(guest, [one]));
      await run(fabric.ensureAttachments(neighbour, [two]));
      expect(await run(fabric.removeLayer2(order))).toMatchObject({ state: "pending" });
      await at.removeAll(guest);
      expect((await run(fabric.observe(guest))).remaining).toEqual([]);
      expect((await run(fabric.observe(neighbour))).attachments).toHaveLength(1);
      expect((await run(fabric.observe(order))).layer3).toEqual({ state: "done" });
      await at.removeAll(neighbour);
      await at.removeAll(order);
      expect(await at.owned()).toEqual({});
    });
  });

  it("needs layer 2 before layer 3, and layer 3 before hosts and floating IPs", async () => {
    const rejected = { kind: "Rejected" };
    expect(await failureOf(fabric.ensureLayer3(order, layer3))).toMatchObject(rejected);
    expect(await failureOf(fabric.ensureAttachments(order, links))).toMatchObject(rejected);
    await run(fabric.ensureLayer2(order, 120));
    expect(await failureOf(fabric.ensureAttachments(order, links))).toMatchObject(rejected);
    expect(await failureOf(fabric.ensureFloatingIp(order, apiIp))).toMatchObject(rejected);
  });

  it("waits with the removal of what is still in use", async () => {
    await at.createAll();
    expect(await run(fabric.removeLayer2(order))).toMatchObject({ state: "pending" });
    expect(await run(fabric.removeLayer3(order))).toMatchObject({ state: "pending" });
    await run(fabric.removeFloatingIps(order));
    await run(fabric.removeAttachments(order));
    expect(await run(fabric.removeLayer3(order))).toEqual({ state: "absent" });
    expect(await run(fabric.removeLayer2(order))).toEqual({ state: "absent" });
  });

  describe("what somebody else has is taken", () => {
    it("when it is a VLAN id", async () => {
      await run(fabric.ensureLayer2(otherOrder, 120));
      const failure = await failureOf(fabric.ensureLayer2(order, 120));
      expect(failure).toBeInstanceOf(Taken);
      expect(failure).toMatchObject({ kind: "Rejected", resource: "vlan" });
      expect(await at.owned()).toEqual({});
    });

    it("when it is a floating IP", async () => {
      await run(fabric.ensureLayer2(order, 120));
      await run(fabric.ensureLayer3(order, layer3));
      const { address } = await run(fabric.ensureFloatingIp(order, apiIp));
      const again = { use: "ingress", internal: "10.0.3.3", address };
      expect(await failureOf(fabric.ensureFloatingIp(order, again))).toBeInstanceOf(Taken);
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
      await at.settled();
      expect((await run(fabric.observe(order))).attachments).toMatchObject([{ state: "bound" }]);
      expect(await at.vlanOf(link.switch, link.port)).toBe(120);
    });

    it("answer in the order in which they were asked for", async () => {
      const answers = await run(fabric.ensureAttachments(order, links));
      expect(answers.map(({ mac }) => mac)).toEqual(links.map(({ mac }) => mac));
      expect(new Set(answers.map(({ address }) => address)).size).toBe(3);
    });
  });
}

/** What is so where a fabric can be made to fail. */
export function fabricFaultContract(open: () => FaultyFabricFixture): void {
  let at: FaultyFabricFixture;
  let fabric: Fabric;
  const run = <T>(call: Promise<T>) => at.run(call);
  function reopen() {
    at = open();
    fabric = at.fabric;
  }
  beforeEach(reopen);
  const failureOf = (call: Promise<unknown>) => errorOf(run(call));

  describe("a process that ends between two requests", () => {
    const isWrite = ({ method }: { method: string }) => method !== "GET";

    /** Ends the process at its nth write: it asks nothing after that. */
    function cutAt(nth: number, when: string): void {
      let seen = 0;
      let isDead = false;
      at.intercept = async (asked, answer) => {
        if (isWrite(asked)) seen += 1;
        if (!isDead && (seen < nth || !isWrite(asked))) return answer();
        if (!isDead && when === "after") await answer();
        isDead = true;
        throw new Disconnected();
      };
    }
    const goOn = () => {
      at.intercept = (_, answer) => answer();
    };

    it.each(["before", "after"])(
      "%s a write of a create is found by the next one",
      async (when) => {
        await at.createAll();
        const writes = at.asked.filter(isWrite).length;
        expect(writes).toBeGreaterThan(15);
        for (let nth = 1; nth <= writes; nth++) {
          reopen();
          const provided = await at.ledger();
          cutAt(nth, when);
          expect(await failureOf(at.createAll()), `write ${nth}`).toMatchObject({
            kind: "Unavailable",
          });
          goOn();
          // The ledger knows whose it is, also before it has tags.
          const foreign = (await at.ledger()).filter(({ owner }) => owner === null);
          expect(foreign, `write ${nth}`).toEqual(provided);
          await at.createAll();
          await at.settled();
          expect(await at.owned(), `write ${nth}`).toEqual(at.ownedAfterCreate);
          await at.removeAll();
          expect(await at.owned(), `write ${nth}`).toEqual({});
        }
      },
    );

    it.each(["before", "after"])("%s a write of a removal is found by the next", async (when) => {
      await at.createAll();
      at.asked.length = 0;
      await at.removeAll();
      const writes = at.asked.filter(isWrite).length;
      expect(writes).toBeGreaterThan(9);
      for (let nth = 1; nth <= writes; nth++) {
        reopen();
        await at.createAll();
        cutAt(nth, when);
        expect(await failureOf(at.removeAll())).toMatchObject({ kind: "Unavailable" });
        goOn();
        await at.removeAll();
        expect(await at.owned(), `write ${nth}`).toEqual({});
      }
    });
  });

  describe("a fabric that cannot be asked", () => {
    it("is Unavailable when it does not answer in time", async () => {
      at.faults.add({ target: "fabric", fault: "timeout", count: 0 });
      const failure = await failureOf(fabric.ensureLayer2(order, 120));
      expect(failure).toMatchObject({ kind: "Unavailable" });
      at.faults.clear();
      expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
    });

    it.each([429, 500, 502, 503])("is Unavailable when it answers %i", async (status) => {
      at.faults.add({ target: "fabric", operation: at.makesNetwork, fault: "error", status });
      const failure = await failureOf(fabric.ensureLayer2(order, 120));
      expect(failure.kind).toBe("Unavailable");
      expect(failure.message).toContain(String(status));
      expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
    });

    it("is told in its own words, and whose they are, when it refuses", async () => {
      at.faults.add({ target: "fabric", operation: at.makesNetwork, fault: "error" });
      expect(await failureOf(fabric.ensureLayer2(order, 120))).toMatchObject({
        kind: "Rejected",
        message: "the fabric refuses: injected fault: the fabric answers 422",
      });
    });

    it("may be slow", async () => {
      at.faults.add({ target: "fabric", operation: at.makesNetwork, fault: "slow" });
      const before = at.clock.now();
      expect(await run(fabric.ensureLayer2(order, 120))).toEqual({ state: "done" });
      expect(at.clock.now() - before).toBe(seconds(5));
    });
  });
}
