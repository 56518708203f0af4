import { beforeEach, describe, expect, it } from "vitest";
import { guarded } from "../../../../core/effect.ts";
import { AppError } from "../../../../core/error.ts";
import type {
  Dhcp,
  OwnedSubnet,
  Reservation,
  SubnetPlan,
} from "../../../../core/ports/dhcp/dhcp.ts";
import { Taken } from "../../../../core/ports/taken.ts";
import type { Faults } from "../../../../sim/faults.ts";
import { Disconnected } from "../../../../sim/faulty.ts";
import type { LedgerItem } from "../../../../sim/ledger.ts";

/** A DHCP server that a test has for itself: the simulated one, or a real one. */
export interface DhcpFixture {
  dhcp: Dhcp;
  /** The same server, asked with wrong credentials. */
  stranger: Dhcp;
  faults: Faults;
  /** Never to be seen in an error. */
  secrets: string[];
  /** Comes between a request and the server. */
  intercept: (answer: () => Promise<Response>) => Promise<Response>;
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** The address that a NIC on the network of this prefix gets now. */
  leaseOf(mac: string, prefix: string): string | undefined | Promise<string | undefined>;
  /** Makes a subnet as somebody else would: without an ownership tag. */
  addForeign(prefix: string): void | Promise<void>;
  /** Ends the server's process and starts another. */
  restart(): void | Promise<void>;
  ledger(): LedgerItem[] | Promise<LedgerItem[]>;
}

export const order: OwnedSubnet = {
  kind: "cluster",
  id: "0197b2d0-1111-7000-8000-000000000001",
  tenant: "tenant-a",
  prefix: "10.0.3.0/26",
};
const other: OwnedSubnet = {
  ...order,
  id: "0197b2d0-1111-7000-8000-000000000002",
  prefix: "10.0.3.64/26",
};

export const plan: SubnetPlan = {
  gateway: "10.0.3.1",
  range: { first: "10.0.3.10", last: "10.0.3.60" },
  dnsServers: ["192.0.2.53", "192.0.2.54"],
};
const planOf: SubnetPlan = { gateway: "10.0.3.65", dnsServers: [] };

export const [one, two]: [Reservation, Reservation] = [
  { mac: "52:54:00:00:00:01", address: "10.0.3.20" },
  {
    mac: "52:54:00:00:00:02",
    address: "10.0.3.21",
    boot: { server: "10.0.3.2", file: "boot/agent.ipxe" },
  },
];

/** What every adapter of the DHCP port does. */
export function dhcpContract(open: () => DhcpFixture | Promise<DhcpFixture>): void {
  let at: DhcpFixture;
  const ensure = (of = order, as = plan) => at.run(at.dhcp.ensure(of, as));
  const reserve = (...wanted: Reservation[]) => at.run(at.dhcp.reserve(order, wanted));
  const observe = (of = order, as = plan) => at.run(at.dhcp.observe(of, as));
  const remove = (of = order) => at.run(at.dhcp.remove(of));
  const failure = async (call: Promise<unknown>): Promise<AppError> => {
    const thrown = await at.run(call.catch((error: unknown) => error));
    if (thrown instanceof AppError) return thrown;
    throw new Error(`no AppError: ${String(thrown)}`);
  };
  beforeEach(async () => {
    at = await open();
  });

  it("serves a subnet, once when it is asked twice, and forgets it", async () => {
    expect(await observe()).toEqual({ state: "absent", reservations: [] });
    await ensure();
    await ensure();
    expect(await observe()).toEqual({ state: "done", reservations: [] });
    expect(await at.ledger()).toHaveLength(1);
    expect(await at.leaseOf("52:54:00:00:00:09", order.prefix)).toBe("10.0.3.10");
    await remove();
    await remove();
    expect(await observe()).toEqual({ state: "absent", reservations: [] });
    expect(await at.ledger()).toEqual([]);
    expect(await at.leaseOf("52:54:00:00:00:09", order.prefix)).toBeUndefined();
  });

  it("mends a subnet that is served in another way, and keeps its reservations", async () => {
    await ensure(order, { ...plan, dnsServers: [] });
    await reserve(one);
    expect(await observe()).toEqual({ state: "differs", reservations: [one] });
    await ensure();
    expect(await observe()).toEqual({ state: "done", reservations: [one] });
  });

  it("without a range answers only NICs with a reservation", async () => {
    await ensure(order, { gateway: plan.gateway, dnsServers: [] });
    await reserve(one);
    expect(await at.leaseOf(one.mac, order.prefix)).toBe(one.address);
    expect(await at.leaseOf(two.mac, order.prefix)).toBeUndefined();
  });

  it("sets the reservations to exactly what is asked, in whatever order and case", async () => {
    await ensure();
    await reserve({ ...two, mac: two.mac.toUpperCase() }, one);
    expect(await observe()).toEqual({ state: "done", reservations: [one, two] });
    const [changed, anyOfRange] = [{ ...one, address: "10.0.3.30" }, { mac: two.mac }];
    await reserve(changed, anyOfRange);
    expect(await observe()).toMatchObject({ reservations: [changed, anyOfRange] });
    await reserve();
    expect(await observe()).toMatchObject({ reservations: [] });
  });

  it("gives an address to another NIC at once, with the lease that the first one had", async () => {
    await ensure();
    await reserve(one, two);
    for (const { mac, address } of [one, two])
      expect(await at.leaseOf(mac, order.prefix)).toBe(address);
    await reserve({ mac: one.mac, address: two.address ?? "" });
    expect(await at.leaseOf(one.mac, order.prefix)).toBe(two.address);
  });

  it("leaves no lease behind for the next owner of the prefix", async () => {
    await ensure();
    expect(await at.leaseOf("52:54:00:00:00:09", order.prefix)).toBe("10.0.3.10");
    await remove();
    await ensure();
    expect(await at.leaseOf("52:54:00:00:00:08", order.prefix)).toBe("10.0.3.10");
  });

  it("reserves nothing in a subnet that it does not serve", async () => {
    expect(await failure(at.dhcp.reserve(order, [one]))).toMatchObject({ kind: "Rejected" });
    await ensure();
    const outside = { ...one, address: "10.0.9.1" };
    expect(await failure(at.dhcp.reserve(order, [outside]))).toMatchObject({
      kind: "Rejected",
      message: expect.stringContaining("10.0.9.1"),
    });
  });

  it("tells the subnets of every owner, and leaves those of others alone", async () => {
    await at.addForeign("10.7.0.0/24");
    await ensure();
    await ensure(other, planOf);
    expect(await at.run(at.dhcp.observeAll())).toEqual([order, other]);
    await remove();
    expect(await at.run(at.dhcp.observeAll())).toEqual([other]);
    await remove({ ...order, prefix: other.prefix });
    expect(await observe(other, planOf)).toEqual({ state: "done", reservations: [] });
  });

  it("does not take over what somebody else has", async () => {
    await at.addForeign(order.prefix);
    const before = await at.ledger();
    expect(await observe()).toEqual({ state: "foreign", reservations: [] });
    expect(await failure(at.dhcp.ensure(order, plan))).toBeInstanceOf(Taken);
    expect(await failure(at.dhcp.reserve(order, [one]))).toBeInstanceOf(Taken);
    await remove();
    expect(await at.ledger()).toEqual(before);
  });

  describe("a restart of the server", () => {
    it("takes nothing back that a call has answered", async () => {
      await ensure();
      await at.restart();
      expect(await observe()).toMatchObject({ state: "done" });
      await reserve(one, two);
      await at.restart();
      expect(await observe()).toMatchObject({ reservations: [one, two] });
      await reserve(two);
      await at.restart();
      expect(await observe()).toMatchObject({ reservations: [two] });
      await remove();
      await at.restart();
      expect(await observe()).toMatchObject({ state: "absent" });
    });

    it.each(["ensure", "reserve", "remove"] as const)(
      "after any request of %s is mended by the same call",
      async (what) => {
        const calls = {
          ensure: () => at.dhcp.ensure(order, plan),
          reserve: () => at.dhcp.reserve(order, [{ ...one, address: "10.0.3.31" }, two]),
          remove: () => at.dhcp.remove(order),
        };
        const asked = async (restartAfter: number) => {
          at = await open();
          if (what !== "ensure") await ensure();
          if (what !== "ensure") await reserve(one);
          let count = 0;
          at.intercept = async (answer) => {
            const answered = await answer();
            count += 1;
            if (count === restartAfter) await at.restart();
            return answered;
          };
          const first = await at.run(calls[what]().catch((error: unknown) => error));
          if (first !== undefined) {
            expect(first).toMatchObject({ kind: "Unavailable" });
            await at.run(calls[what]());
          }
          await at.restart();
          expect(await observe()).toEqual({
            state: what === "remove" ? "absent" : "done",
            reservations: what === "reserve" ? [{ ...one, address: "10.0.3.31" }, two] : [],
          });
          return count;
        };
        const requests = await asked(0);
        for (let n = 1; n <= requests; n += 1) await asked(n);
      },
    );
  });

  it.each(["before", "after"])(
    "goes on where it was cut off, each request being lost %s its effect",
    async (when) => {
      let requests = 0;
      for (let lost = 0; lost <= requests; lost += 1) {
        at = await open();
        let count = 0;
        at.intercept = async (answer) => {
          count += 1;
          if (count === lost && when === "before") throw new Disconnected();
          const answered = await answer();
          if (count === lost) throw new Disconnected();
          return answered;
        };
        /** A second time where the first is cut off. */
        const mended = async (call: () => Promise<void>) => {
          const thrown = await at.run(call().catch((error: unknown) => error));
          if (thrown === undefined) return;
          expect(thrown).toMatchObject({ kind: "Unavailable" });
          await at.run(call());
        };
        await mended(() => at.dhcp.ensure(order, plan));
        await mended(() => at.dhcp.reserve(order, [one, two]));
        await mended(() => at.dhcp.reserve(order, [two]));
        const asked = count;
        await at.restart();
        count = Number.POSITIVE_INFINITY;
        expect(await observe()).toEqual({ state: "done", reservations: [two] });
        count = asked;
        await mended(() => at.dhcp.remove(order));
        await at.restart();
        expect(await at.ledger()).toEqual([]);
        requests = Math.max(requests, count);
      }
      expect(requests).toBeGreaterThan(10);
    },
  );

  it("says that the server is unreachable, or does not know us, and never a secret", async () => {
    for (const fault of ["timeout", "crash_before"] as const) {
      at.faults.add({ target: "dhcp", fault });
      expect(await failure(at.dhcp.ensure(order, plan))).toMatchObject({ kind: "Unavailable" });
    }
    at.faults.add({ target: "dhcp", fault: "error", status: 503 });
    expect(await failure(at.dhcp.observeAll())).toMatchObject({ kind: "Unavailable" });
    const refused = await failure(at.stranger.ensure(order, plan));
    expect(refused).toMatchObject({ kind: "Unavailable" });
    for (const secret of at.secrets)
      expect(`${refused.message} ${refused.detail}`).not.toContain(secret);
  });

  it("changes nothing for work that may have no effect any more", async () => {
    const refuse = async () => {
      throw new AppError("Cancelled", "no more");
    };
    expect(await failure(guarded(refuse, () => at.dhcp.ensure(order, plan)))).toMatchObject({
      kind: "Cancelled",
    });
    expect(await at.run(guarded(refuse, () => at.dhcp.observe(order, plan)))).toMatchObject({
      state: "absent",
    });
    expect(await at.ledger()).toEqual([]);
  });

  it("lacks nothing", async () => {
    expect(await at.run(at.dhcp.lacks())).toEqual([]);
  });
}
