import { beforeEach, describe, expect, it } from "vitest";
import { dnsContract, dnsFaultContract } from "../contract.ts";
import { domainNamed, owner, records } from "../order.ts";
import { route53Fixture } from "./fixture.ts";

describe("Route 53 keeps the contract", () => {
  dnsContract(route53Fixture);
  dnsFaultContract(route53Fixture);
});

describe("Route 53 is asked", () => {
  let at: ReturnType<typeof route53Fixture>;
  const ownershipTag = `&quot;slipway.dev/cluster=${owner.id} slipway.dev/tenant=tenant-a&quot;`;
  const ensure = () => at.run(at.dns.ensure(owner, records));
  const observe = (change?: string) => at.run(at.dns.observe(owner, records, change));
  beforeEach(() => {
    at = route53Fixture();
  });

  const change = (action: string, label: string, type: string, value: string) =>
    `<Change><Action>${action}</Action><ResourceRecordSet><Name>${label}.${owner.domain}.</Name><Type>${type}</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords></ResourceRecordSet></Change>`;
  const changes = (action: string) =>
    [
      change(action, "_slipway", "TXT", ownershipTag),
      change(action, "api", "A", "192.0.2.10"),
      change(action, "api-int", "A", "10.0.0.10"),
      change(action, "*.apps", "A", "192.0.2.11"),
    ].join("");
  const list = () =>
    `GET /2013-04-01/hostedzone/${at.hostedZone}/rrset?maxitems=100&name=${owner.domain}.`;
  const batch = () => `POST /2013-04-01/hostedzone/${at.hostedZone}/rrset`;

  it("to create an ownership tag and the records in one batch, which refuses what is there", async () => {
    const id = await ensure();
    expect(id).toMatch(/^\/change\/C[A-Z0-9]+$/);
    expect(at.network.calls.map(withoutOrder)).toEqual([list(), batch()].map(withoutOrder));
    expect(at.network.asked.at(-1)?.body).toContain(`<Changes>${changes("CREATE")}</Changes>`);
  });

  it("to write them anew once they are ours, for a change that can be followed", async () => {
    const first = await ensure();
    expect(await ensure()).not.toBe(first);
    expect(at.network.asked.at(-1)?.body).toContain(`<Changes>${changes("UPSERT")}</Changes>`);
  });

  it("to delete exactly what it has", async () => {
    await ensure();
    await at.write(`api.${owner.domain}`, "A", ["192.0.2.99"]);
    await at.run(at.dns.remove(owner));
    const body = String(at.network.asked.at(-1)?.body);
    expect(body).toContain("<TTL>300</TTL>");
    expect(body).toContain("<Value>192.0.2.99</Value>");
    expect(at.sim.ledger()).toEqual([]);
  });

  it("again, when somebody else changes the records in between", async () => {
    await ensure();
    let isChanged = false;
    at.network.before = async ({ method }) => {
      if (method !== "POST" || isChanged) return;
      isChanged = true;
      await at.write(`api.${owner.domain}`, "A", []);
    };
    await at.run(at.dns.remove(owner));
    expect(at.sim.ledger()).toEqual([]);
  });

  it("and does not take over what appears between its look and its change", async () => {
    at.network.before = async ({ method }) => {
      if (method === "POST") await at.write(`api.${owner.domain}`, "A", ["198.51.100.1"]);
    };
    await expect(ensure()).rejects.toMatchObject({ kind: "Conflict" });
    expect(await at.read(`api.${owner.domain}`, "A")).toEqual(["198.51.100.1"]);
    expect(await at.read(`api-int.${owner.domain}`, "A")).toEqual([]);
  });

  it("for a change until it is in sync", async () => {
    const id = await ensure();
    expect(await observe(id)).toMatchObject({ state: "pending" });
    expect(at.network.calls.at(-1)).toBe(`GET /2013-04-01${id}`);
    await at.clock.advance(29_000);
    expect(await observe(id)).toMatchObject({ state: "pending" });
    await at.clock.advance(1_000);
    expect(await observe(id)).toMatchObject({ state: "done" });
  });

  it("for a change that nobody knows: nobody can say", async () => {
    await ensure();
    const unknown = { state: "unknown", message: "Route 53 knows no such change" };
    expect(await observe("/change/CNOSUCHCHANGE")).toEqual(unknown);
    expect(await observe()).toEqual(unknown);
  });

  it("for more records of one domain than a page has", async () => {
    for (let n = 0; n < 250; n++) await at.write(`m${n}.${owner.domain}`, "A", ["198.51.100.1"]);
    const id = await ensure();
    expect(at.network.calls.map(withoutOrder).slice(-1)).toEqual([batch()]);
    await at.propagated();
    expect(await observe(id)).toMatchObject({ state: "done" });
    await at.run(at.dns.remove(owner));
    expect(at.sim.ledger().filter((item) => item.owner)).toEqual([]);
  });

  it("too fast for it", async () => {
    const call = async () => {
      for (let n = 0; n < 30; n++) await at.dns.ensure(owner, records);
    };
    await expect(at.run(call())).rejects.toMatchObject({
      kind: "Unavailable",
      message: expect.stringMatching(
        /^Route 53 is unavailable for \w+ResourceRecordSets now \(Throttling\)$/,
      ),
    });
    await at.clock.advance(1_000);
    await ensure();
  });

  it("for a hosted zone that it does not have", async () => {
    const dns = at.adapter({ hostedZone: "ZNOWHERE" });
    await expect(at.run(dns.ensure(owner, records))).rejects.toMatchObject({
      kind: "Rejected",
      message: "Route 53 does not have the hosted zone of the site",
    });
  });

  it("for a name outside of its zone, and says what it said", async () => {
    const outside = { ...owner, ...domainNamed("one.other.example") };
    await expect(at.run(at.dns.ensure(outside, []))).rejects.toMatchObject({
      kind: "Rejected",
      message: expect.stringContaining("is not permitted in zone clouds.example."),
    });
  });
});

/** The SDK writes parameters in an order of its own. */
const withoutOrder = (call: string): string => {
  const [path = "", query = ""] = call.split("?");
  return query === "" ? path : `${path}?${query.split("&").sort().join("&")}`;
};
