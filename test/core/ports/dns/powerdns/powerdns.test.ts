import { beforeEach, describe, expect, it } from "vitest";
import { clusterRecords } from "../../../../../core/resources/cluster/dns-names.ts";
import { dnsContract, dnsFaultContract } from "../contract.ts";
import { domainNamed, owner, records } from "../order.ts";
import { powerDnsFixture } from "./fixture.ts";

describe("PowerDNS keeps the contract", () => {
  dnsContract(powerDnsFixture);
  dnsFaultContract(powerDnsFixture);
});

describe("PowerDNS is asked", () => {
  let at: ReturnType<typeof powerDnsFixture>;
  const zone = "/api/v1/servers/localhost/zones/clouds.example.";
  const names = ["api", "api-int", "*.apps"].map((label) => `${label}.${owner.domain}.`);
  const reads = names.map((name) => `GET ${zone}?rrset_name=${name}`);
  beforeEach(() => {
    at = powerDnsFixture();
  });

  it("for what is at the names, then to replace it, in one request with ownership tags", async () => {
    await at.run(at.dns.ensure(owner, records));
    expect(at.network.calls).toEqual([...reads, `PATCH ${zone}`]);
    const patch = at.network.asked.at(-1);
    expect(patch?.headers).toEqual({
      accept: "application/json",
      "content-type": "application/json",
      "x-api-key": at.sim.key,
    });
    const ownershipTag = `slipway.dev/cluster=${owner.id} slipway.dev/tenant=tenant-a`;
    const set = (name: string | undefined, content: string) => ({
      name,
      type: "A",
      ttl: 60,
      changetype: "REPLACE",
      records: [{ content, disabled: false }],
      comments: [{ content: ownershipTag, account: "slipway" }],
    });
    expect(patch?.body).toEqual({
      rrsets: [
        set(names[0], "192.0.2.10"),
        set(names[1], "10.0.0.10"),
        set(names[2], "192.0.2.11"),
      ],
    });
  });

  it("to change nothing when all is as it should be", async () => {
    await at.run(at.dns.ensure(owner, records));
    at.network.asked.length = 0;
    await at.run(at.dns.ensure(owner, records));
    expect(at.network.calls).toEqual(reads);
  });

  it("to delete by name and type", async () => {
    await at.run(at.dns.ensure(owner, records));
    await at.run(at.dns.remove(owner));
    expect(at.network.asked.at(-1)?.body).toEqual({
      rrsets: names.map((name) => ({ name, type: "A", changetype: "DELETE" })),
    });
  });

  it("by one change of a zone at a time", async () => {
    const other = { ...owner, ...domainNamed("two.tenant-a.clouds.example") };
    at.faults.add({ target: "dns", operation: "PATCH /", fault: "slow" });
    const others = clusterRecords(other.domain, {
      api: ["192.0.2.12"],
      apiInternal: [],
      ingress: [],
    });
    await at.run(Promise.all([at.dns.ensure(owner, records), at.dns.ensure(other, others)]));
    const methods = at.network.asked.map(({ method }) => method);
    expect(methods).toEqual(["GET", "GET", "GET", "PATCH", "GET", "GET", "GET", "PATCH"]);
  });

  it("for a zone that it does not have", async () => {
    const dns = at.adapter({ zone: "nowhere.example" });
    await expect(at.run(dns.ensure(owner, records))).rejects.toMatchObject({
      kind: "Rejected",
      message: "the DNS server does not have the zone nowhere.example",
    });
  });

  it.each([
    ["conflict" as const, "reports a conflict (409) in zone clouds.example, asked about"],
    ["error" as const, "of zone clouds.example is unavailable now (503), asked about"],
  ])("and names zone and records when it answers with %s", async (fault, words) => {
    at.faults.add({ target: "dns", operation: "PATCH /", fault, status: 503 });
    const error = await at.run(at.dns.ensure(owner, records)).catch((thrown) => thrown);
    expect(error).toMatchObject({ kind: "Unavailable" });
    expect(error.message).toContain(`${words} the records of ${owner.domain}`);
  });

  it("for a name outside of its zone, and says what it said", async () => {
    const outside = { ...owner, ...domainNamed("one.other.example") };
    const sets = clusterRecords(outside.domain, {
      api: ["192.0.2.1"],
      apiInternal: [],
      ingress: [],
    });
    await expect(at.run(at.dns.ensure(outside, sets))).rejects.toMatchObject({
      kind: "Rejected",
      message:
        "the DNS server of zone clouds.example refuses: RRset api.one.other.example. IN A: Name is out of zone, asked about the records of one.other.example",
    });
  });

  it("while its zone's servers are silent: nobody can say", async () => {
    const silent = Object.assign(new Error("queryA ETIMEOUT"), { code: "ETIMEOUT" });
    const dns = at.adapter({ authority: () => Promise.reject(silent) });
    await at.run(dns.ensure(owner, records));
    expect(await at.run(dns.observe(owner, records))).toEqual({
      state: "unknown",
      message: "the zone's servers do not answer (ETIMEOUT)",
    });
  });

  it("and is done only when every server of the zone answers", async () => {
    const dns = at.adapter({
      authority: async (name, type) => [at.sim.resolve(name, type), []],
    });
    await at.run(dns.ensure(owner, records));
    await at.propagated();
    expect(await at.run(dns.observe(owner, records))).toMatchObject({ state: "pending" });
  });

  it("through something that answers with a page of its own", async () => {
    const fetch = async () => new Response("<html>", { status: 200 });
    await expect(at.run(at.adapter({ fetch }).ensure(owner, records))).rejects.toMatchObject({
      kind: "Unavailable",
      message: "the answer of the DNS server of zone clouds.example is malformed",
    });
  });
});
