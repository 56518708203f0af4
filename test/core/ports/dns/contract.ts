import { beforeEach, describe, expect, it } from "vitest";
import { guarded } from "../../../../core/effect.ts";
import { AppError } from "../../../../core/error.ts";
import type { Dns, DomainOwner, OwnedDomain } from "../../../../core/ports/dns/dns.ts";
import { clusterRecords, domainOfName } from "../../../../core/resources/cluster/dns-names.ts";
import type { Faults } from "../../../../sim/faults.ts";
import { domainNamed } from "./order.ts";

/** A DNS service, real or simulated, that a test has for itself. */
export interface DnsFixture {
  dns: Dns;
  /** Without a dot at the end. */
  zone: string;
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Until the servers know what the service knows. */
  propagated(): Promise<void>;
  /** Writes a record as somebody else would: without an ownership tag. Names without a dot at the end. */
  write(name: string, type: string, contents: string[]): Promise<void>;
  /** What the service has. */
  read(name: string, type: string): Promise<string[]>;
}

/** A simulated one, which can be made to fail. */
export interface FaultyDnsFixture extends DnsFixture {
  faults: Faults;
  /** The method and path of what changes records. */
  change: string;
  /** Never to be seen in an error. */
  secret: string;
  /** The same service, asked with wrong credentials. */
  stranger: Dns;
  /** The limit of a call, in milliseconds. */
  timeout: number;
}

const addresses = { api: ["192.0.2.10"], apiInternal: ["10.0.0.10"], ingress: ["192.0.2.11"] };

/** An owner of the test's own below the zone. */
const orderIn = (zone: string, name = "one"): OwnedDomain => ({
  kind: "cluster",
  id: `0197b2d0-1111-7000-8000-00000000000${name.length}`,
  tenant: "tenant-a",
  ...domainNamed(`${name}.tenant-a.${zone}`),
});

/** What a sweep is told of it. */
const swept = ({ recordNames: _, ...owner }: OwnedDomain): DomainOwner => owner;

export function dnsContract(open: () => DnsFixture | Promise<DnsFixture>): void {
  let at: DnsFixture;
  let owner: OwnedDomain;
  const records = (changes = {}) => clusterRecords(owner.domain, { ...addresses, ...changes });
  const ensure = (changes = {}) => at.run(at.dns.ensure(owner, records(changes)));
  const observe = (change?: string, changes = {}) =>
    at.run(at.dns.observe(owner, records(changes), change));
  const observeAll = () => at.run(at.dns.observeAll((_, name) => domainOfName(name)));
  const remove = (of = owner) => at.run(at.dns.remove(of));
  const name = (label: string) => `${label}.${owner.domain}`;
  const all = async () =>
    Promise.all(["api", "api-int", "*.apps"].map((label) => at.read(name(label), "A")));
  const written = [["192.0.2.10"], ["10.0.0.10"], ["192.0.2.11"]];
  const none = [[], [], []];

  beforeEach(async () => {
    at = await open();
    owner = orderIn(at.zone);
  });

  it("changes nothing for work that may have no effect any more", async () => {
    const late = <T>(work: () => Promise<T>): Promise<T> =>
      guarded(async () => {
        throw new AppError("Cancelled", "it may not any more");
      }, work);
    const refused = { kind: "Cancelled" };
    await expect(late(ensure)).rejects.toMatchObject(refused);
    expect(await all()).toEqual(none);
    await ensure();
    await expect(late(remove)).rejects.toMatchObject(refused);
    expect(await all()).toEqual(written);
  });

  it("makes an order's records, which the servers answer then", async () => {
    expect(await observe()).toMatchObject({ state: "missing" });
    const change = await ensure();
    expect(await all()).toEqual(written);
    await at.propagated();
    expect(await observe(change)).toMatchObject({ state: "done" });
  });

  it("makes them once when it is asked twice", async () => {
    await ensure();
    const change = await ensure();
    expect(await all()).toEqual(written);
    await at.propagated();
    expect(await observe(change)).toMatchObject({ state: "done" });
  });

  it("lets names lead elsewhere", async () => {
    await ensure();
    const moved = { api: ["192.0.2.20", "192.0.2.21"] };
    await at.propagated();
    expect(await observe(undefined, moved)).toMatchObject({ state: "missing" });
    const change = await ensure(moved);
    expect((await at.read(name("api"), "A")).sort()).toEqual(moved.api);
    await at.propagated();
    expect(await observe(change, moved)).toMatchObject({ state: "done" });
  });

  it("takes a record away that is wanted no more", async () => {
    await ensure({ api: ["192.0.2.10", "2001:db8::10"] });
    expect(await at.read(name("api"), "AAAA")).toEqual(["2001:db8::10"]);
    await ensure({ api: ["2001:db8::10"] });
    expect(await at.read(name("api"), "A")).toEqual([]);
    expect(await at.read(name("api"), "AAAA")).toEqual(["2001:db8::10"]);
  });

  it("notices and mends what somebody took away", async () => {
    const change = await ensure();
    await at.write(name("api-int"), "A", []);
    await at.propagated();
    expect(await observe(change)).toMatchObject({ state: "missing" });
    await ensure();
    expect(await all()).toEqual(written);
  });

  it("removes them, and is fine with removing them again", async () => {
    await ensure();
    await remove();
    expect(await all()).toEqual(none);
    await remove();
    expect(await observe()).toMatchObject({ state: "missing" });
    await ensure();
    expect(await all()).toEqual(written);
  });

  it("removes what never was", async () => {
    await remove();
    expect(await all()).toEqual(none);
  });

  it("leaves other orders alone, of which one has a name that ends alike", async () => {
    const other: OwnedDomain = orderIn(at.zone, "anone");
    await at.run(at.dns.ensure(other, clusterRecords(other.domain, addresses)));
    await ensure();
    await remove();
    expect(await at.read(`api.${other.domain}`, "A")).toEqual(["192.0.2.10"]);
  });

  it("tells whose records there are, each order once, and of nobody else's", async () => {
    const before = await observeAll();
    const other: OwnedDomain = orderIn(at.zone, "anone");
    await at.run(at.dns.ensure(other, clusterRecords(other.domain, addresses)));
    await ensure();
    await at.write(`www.${at.zone}`, "A", ["198.51.100.3"]);
    await at.write(`api.mine.${at.zone}`, "A", ["198.51.100.4"]);
    const found = (await observeAll()).slice(before.length);
    const byDomain = (a: DomainOwner, b: DomainOwner) => (a.domain < b.domain ? -1 : 1);
    expect(found.sort(byDomain)).toEqual([other, owner].map(swept).sort(byDomain));
    await remove();
    await remove(other);
    expect(await observeAll()).toEqual(before);
  });

  describe("what somebody else has", () => {
    const refused = expect.objectContaining({
      kind: "Conflict",
      message: expect.stringContaining("does not belong to this cluster"),
    });

    it.each([
      ["A", "198.51.100.1"],
      ["AAAA", "2001:db8::1"],
      ["CNAME", "elsewhere.example."],
    ])("is a conflict when it is a record %s at an order's name", async (type, content) => {
      await at.write(name("api-int"), type, [content]);
      await expect(ensure()).rejects.toEqual(refused);
      await remove();
      expect(await at.read(name("api-int"), type)).toEqual([content]);
      expect(await at.read(name("api"), "A")).toEqual([]);
    });

    it("is another order's, too", async () => {
      await ensure();
      const other = { ...owner, id: orderIn(at.zone, "other").id };
      await expect(at.run(at.dns.ensure(other, records()))).rejects.toEqual(refused);
      await remove(other);
      expect(await all()).toEqual(written);
      expect(await at.run(at.dns.observe(other, records()))).toMatchObject({ state: "missing" });
    });

    it("is that of an owner of another kind, whatever its id", async () => {
      await ensure();
      const other = { ...owner, kind: "virtual_network" };
      await expect(at.run(at.dns.ensure(other, records()))).rejects.toMatchObject({
        kind: "Conflict",
        message: expect.stringContaining("does not belong to this virtual network"),
      });
      await remove(other);
      expect(await all()).toEqual(written);
      await remove();
      await at.run(at.dns.ensure(other, records()));
      expect(await observeAll()).toContainEqual(swept(other));
      await remove();
      expect(await all()).toEqual(written);
    });

    it("stays beside an order's records, whatever happens to them", async () => {
      await at.write(name("api"), "TXT", ['"of the tenant"']);
      await at.write(name("mine"), "A", ["198.51.100.2"]);
      await at.write(`www.${at.zone}`, "A", ["198.51.100.3"]);
      await ensure();
      await remove();
      expect(await at.read(name("api"), "TXT")).toEqual(['"of the tenant"']);
      expect(await at.read(name("mine"), "A")).toEqual(["198.51.100.2"]);
      expect(await at.read(`www.${at.zone}`, "A")).toEqual(["198.51.100.3"]);
    });
  });
}

/** What a service does to its callers on a bad day. */
export function dnsFaultContract(open: () => FaultyDnsFixture): void {
  let at: FaultyDnsFixture;
  let owner: OwnedDomain;
  const records = () => clusterRecords(owner.domain, addresses);
  const ensure = () => at.run(at.dns.ensure(owner, records()));
  const failure = async (call: Promise<unknown>): Promise<AppError> => {
    const thrown = await at.run(call.catch((error: unknown) => error));
    if (thrown instanceof AppError) return thrown;
    throw new Error(`no AppError: ${String(thrown)}`);
  };

  beforeEach(() => {
    at = open();
    owner = orderIn(at.zone);
  });

  it("is pending until the servers know", async () => {
    const change = await ensure();
    const observed = await at.run(at.dns.observe(owner, records(), change));
    expect(observed).toMatchObject({ state: "pending" });
    await at.propagated();
    expect(await at.run(at.dns.observe(owner, records(), change))).toMatchObject({ state: "done" });
  });

  it.each([
    [{ fault: "error", status: 429 }, "Unavailable"],
    [{ fault: "error", status: 500 }, "Unavailable"],
    [{ fault: "error", status: 503 }, "Unavailable"],
    [{ fault: "error", status: 401 }, "Unavailable"],
    [{ fault: "error", status: 422 }, "Rejected"],
    [{ fault: "conflict" }, "Unavailable"],
    [{ fault: "crash_before" }, "Unavailable"],
    [{ fault: "crash_after" }, "Unavailable"],
    [{ fault: "timeout" }, "Unavailable"],
  ] as const)("says so when a change meets %j: %s, and goes on later", async (fault, kind) => {
    at.faults.add({ target: "dns", operation: at.change, ...fault });
    expect(await failure(at.dns.ensure(owner, records()))).toMatchObject({ kind });
    await ensure();
    expect(await at.read(`api.${owner.domain}`, "A")).toEqual(["192.0.2.10"]);

    at.faults.add({ target: "dns", operation: at.change, ...fault });
    expect(await failure(at.dns.remove(owner))).toMatchObject({ kind });
    await at.run(at.dns.remove(owner));
    expect(await at.read(`api.${owner.domain}`, "A")).toEqual([]);
  });

  it("takes an answer that is slow, and gives up one that does not come", async () => {
    at.faults.add({ target: "dns", operation: at.change, fault: "slow" });
    await ensure();
    at.faults.add({ target: "dns", operation: "GET /", fault: "timeout" });
    const given = failure(at.dns.observe(owner, records()));
    expect(await given).toMatchObject({ kind: "Unavailable" });
    expect((await given).message).toMatch(/does not answer$/);
  });

  it("waits while its credentials are not accepted, and never shows them", async () => {
    const error = await failure(at.stranger.ensure(owner, records()));
    expect(error).toMatchObject({ kind: "Unavailable" });
    expect(error.message).toMatch(/does not accept our/);
    at.faults.add({ target: "dns", fault: "error", count: 0, status: 422 });
    for (const shown of [error, await failure(at.dns.ensure(owner, records()))]) {
      const text = `${shown.message} ${shown.detail} ${shown.stack} ${JSON.stringify(shown)} ${String(shown.cause)}`;
      expect(text).not.toContain(at.secret);
    }
  });
}
