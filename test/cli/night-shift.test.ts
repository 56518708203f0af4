import { expect, it } from "vitest";
import { stringify } from "yaml";
import { openSite, type Site } from "../support/site.ts";
import { type Terminal, terminalAt } from "../support/terminal.ts";

/**
 * What somebody has to find out and do at three in the morning, each by one command. Two more need processes and
 * servers: Slipway is killed (process.test.ts), and a hub is new (hubs.test.ts).
 */

const inEurope = "--template ocp_4_17_small --set spec.placement.region=eu-west";
const away = { target: "dns", fault: "error", status: 503, count: 0 } as const;

async function night(): Promise<{ site: Site } & Terminal> {
  const site = await openSite();
  return { site, ...terminalAt(site) };
}

/** Passes time until a command's output has this, and answers it. */
async function until({ site, slipway }: { site: Site } & Terminal, line: string, has: RegExp) {
  let out = "";
  await site.laptop.until(async () => {
    out = (await slipway(line)).out;
    return has.test(out);
  }, `${has} in slipway ${line}`);
  return out;
}

it("what is wrong with this order, with all of them, and what waits for one system", async () => {
  const shift = await night();
  const { site, slipway } = shift;
  site.world.faults.add(away);
  await slipway(`cluster create one ${inEurope}`, "alice");
  const listed = await until(shift, "cluster list", /one .*stalled/);
  expect(listed).toMatch(/^NAME .* WHY\none {3}tenant-a {2}PROGRESSING .*stalled: .*DNS/);
  // The tenant reads the same reason, without what the provider knows of its systems.
  const told = listed.split("\n")[1]?.split("stalled: ")[1] ?? "-";
  expect(told).toMatch(/ \(\d+ attempts\)$/);
  const why = told.replace(/ \(\d+ attempts\)$/, "");
  expect((await slipway("cluster get one", "alice")).out).toContain(why);

  const { out } = await slipway("status");
  expect(out).toMatch(/operations {2}0 stuck, 1 stalled, 1 running/);
  expect(out).toMatch(
    /1 waiting, by what they wait for\nORDERS .*\n1 +1 +DNS site-1 .*one \(tenant-a\)/,
  );
  expect((await slipway("operation list --stalled")).out).toMatch(/CREATE {2}cluster {2}one/);
  expect((await slipway("operation list --waiting-for dns")).out).toMatch(/CreateDnsRecords/);
  expect(await slipway("operation list --waiting-for storage")).toMatchObject({ exit: 0, out: "" });
});

it("a system that refuses an undo: what needs a person, and going on once the cause is gone", async () => {
  const shift = await night();
  const { site, slipway } = shift;
  site.world.faults.add({ ...away, status: 400 });
  const begun = await slipway(`cluster create one ${inEurope} --wait`, "alice");
  expect(begun.exit).toBe(4);
  const [, resume = ""] =
    /When the cause is gone: slipway (operation resume \S+)\n$/.exec(begun.err) ?? [];
  expect((await slipway("status")).out).toContain(`slipway ${resume}`);
  expect((await slipway("operation list --stuck")).out).toMatch(/STUCK +Undo /);
  site.world.faults.clear();
  // It is STUCK until it goes on, which is waited for.
  const ended = await slipway(`${resume} --wait`);
  expect(ended).toMatchObject({
    exit: 3,
    err: expect.stringMatching(/✔ Undo ReserveCapacity[\s\S]*✘ FAILED {2}CreateDnsRecords: /),
  });
  expect(await slipway(resume.replace("resume", "watch"))).toMatchObject({ exit: 3 });
});

it("the fabric refuses a deletion: which order it is, what the fabric has said, and one command once it no longer does", async () => {
  const shift = await night();
  const { site, slipway } = shift;
  expect(await slipway(`cluster create one ${inEurope} --wait`, "alice")).toMatchObject({
    exit: 0,
  });
  site.world.faults.add({ ...away, target: "fabric", operation: "DELETE", status: 400 });
  expect(await slipway("cluster delete one --wait --yes", "alice")).toMatchObject({ exit: 4 });
  const { out } = await slipway("status");
  expect(out).toMatch(/1 stuck/);
  const [, step = "", resume = "", why = ""] =
    /\none .* (Undo \w+) .*slipway (operation resume \S+) +(.*)\n/.exec(out) ?? [];
  expect(why, out).toMatch(/^the fabric refuses: /);
  expect((await slipway("operation list --stuck")).out).toContain(step);
  site.world.faults.clear();
  expect(await slipway(`${resume} --wait`)).toMatchObject({ exit: 0 });
  expect((await slipway("cluster list", "alice")).out).not.toMatch(/^one /m);
});

it("a hub is unreachable: since when, what waits for it, and what stands on it", async () => {
  const shift = await night();
  const { site, slipway } = shift;
  const begun = await slipway(`cluster create one ${inEurope}`, "alice");
  const [, watch = ""] = /slipway (operation watch \S+)/.exec(begun.err) ?? [];
  await until(shift, "operation list", / AttachHosts /);
  site.world.faults.add({ target: "hub:hub-a", fault: "timeout", count: 0 });
  expect(await until(shift, "hub list", /hub-a {2}UNREACHABLE/)).toMatch(/hub-a .*does not answer/);
  expect(await until(shift, "status", /hub hub-a/)).toMatch(
    /Hubs that need attention\nNAME .*\nhub-a {2}UNREACHABLE {2}\d+[smh].* ago .*does not answer/,
  );
  expect((await slipway("operation list --waiting-for hub-a")).out).toMatch(
    /CREATE {2}cluster {2}one/,
  );
  site.world.faults.clear();
  expect(await slipway(watch)).toMatchObject({ exit: 0 });

  const plan = await slipway("hub drain hub-a --plan");
  expect(plan.out).toMatch(
    /^hub-a \(eu-west\) is READY\. Clusters: 1; servers: 0; hosts: 12, of which 2 are in use\nNothing is moved automatically/,
  );
  expect(plan.out).toMatch(
    /one +tenant-a +READY +workers=2 +none +there is no other hub in the region/,
  );
  expect((await slipway("hub list")).out).not.toMatch(/CORDONED\n.*yes/);
  expect(await slipway("hub drain hub-a")).toMatchObject({
    exit: 0,
    err: expect.stringContaining("is cordoned"),
  });
  expect((await slipway("hub get hub-a -o json")).out).toContain('"cordoned": true');

  // It is followed until it is empty, and again after it was not.
  expect(await slipway("hub drain hub-a --wait --timeout 10s")).toMatchObject({
    exit: 5,
    out: expect.stringMatching(/\none \(tenant-a\) {2}READY\n$/),
    err: expect.stringMatching(/not empty after 10s; .*: slipway hub drain hub-a --wait\n$/),
  });
  await slipway("cluster delete one --yes", "alice");
  expect(await slipway("hub drain hub-a --wait")).toMatchObject({
    exit: 0,
    out: expect.stringMatching(
      /one \(tenant-a\) {2}DELETING\none \(tenant-a\) {2}gone; 0 left\nnothing runs on hub-a; 12 hosts of it must be deleted first: slipway host delete\n$/,
    ),
  });
});

it("a name that DNS has already, slow storage and a worker that dies: what each does to an order", async () => {
  const shift = await night();
  const { site, slipway } = shift;
  site.world.faults.add({
    target: "worker",
    operation: "CreateLayer3Network",
    fault: "crash_after",
  });
  site.world.faults.add({ target: "storage", fault: "slow", count: 0 });
  site.world.faults.add({ target: "dns", fault: "conflict", count: 0 });
  const begun = await slipway(`cluster create one ${inEurope}`, "alice");
  const [, watch = ""] = /slipway (operation watch \S+)/.exec(begun.err) ?? [];
  // The record of which name, in which zone, and that nobody has to do anything yet.
  const listed = await until(shift, "cluster list", /one .*DNS: .*storage: /);
  expect(listed).toMatch(
    /a conflict \(409\) in zone example\.com, asked about the records of one\.tenant-a\.\S+; it is tried again/,
  );
  const { out } = await slipway("status");
  expect(out).toMatch(
    /1 +storage site-1 +\d.*storage did not answer [A-Z]+ \/api\/\S+ \(\d+ attempt/,
  );
  expect(out).toMatch(/1 +DNS site-1 .*a conflict \(409\) in zone/);
  site.world.faults.clear();
  const ended = await slipway(watch);
  // A worker's death asks nothing of anybody; what was slow says how long it took.
  expect(ended).toMatchObject({
    exit: 0,
    out: expect.stringMatching(
      /✔ CreateLayer3Network +\d+s\n[\s\S]*✔ AllocateStorage +1m \d\ds\n[\s\S]*✔ SUCCEEDED\n$/,
    ),
  });
});

it("a host is replaced in its cluster before it leaves, whose a number is, and whose it was is asked by its name", async () => {
  const shift = await night();
  const { slipway, site } = shift;
  await slipway(`cluster create one ${inEurope} --wait`, "alice");
  const hosts = JSON.parse((await slipway("host list -o json")).out).items;
  const mine = hosts.find((host: { status: { owner?: object } }) => host.status.owner);
  const name = mine.metadata.name;
  expect((await slipway(`who host ${name}`)).out).toMatch(/HELD +tenant-a\/one +cluster +READY/);
  const { mac } = mine.spec.nics[0];
  expect((await slipway(`who mac ${mac}`)).out).toContain("tenant-a/one");
  const { network } = JSON.parse((await slipway("cluster get one -o json")).out).status;
  for (const held of [`vlan ${network.vlan}`, `prefix ${network.prefix}`])
    expect((await slipway(`who ${held}`)).out, held).toMatch(/HELD +tenant-a\/one +cluster/);

  const stopped = await slipway(`host replace ${name} --timeout 5s`);
  expect(stopped).toMatchObject({ exit: 5, out: "" });
  expect(stopped.err).toContain(
    `the operation continues. Follow it with: slipway host replace ${name}\n`,
  );
  // The same again goes on with it, and once more changes nothing.
  for (const _ of ["again", "once more"])
    expect(await slipway(`host replace ${name}`)).toMatchObject({
      exit: 0,
      out: `${name} is out of service and free; slipway host release ${name} brings it back\n`,
    });
  expect((await slipway(`host get ${name}`)).out).toMatch(/MAINTENANCE|OUT_OF_SERVICE/);
  const { out } = await slipway(`who host ${name}`);
  expect(out).not.toContain("tenant-a/one");
  expect((await site.api("GET", "clusters")).body.items[0].status.state).toBe(
    "CLUSTER_STATE_READY",
  );
});

it("a new site: what it lacks, one command that registers it, and that it is there", async () => {
  const dns = {
    ...{ provider: "powerdns", url: "http://127.0.0.1:1", zone: "eu.example.com" },
    servers: ["127.0.0.1"],
  };
  const files = {
    "site-2.yaml": stringify({
      metadata: { name: "site-2" },
      spec: { dns, secrets: { dns: "k" } },
    }),
    "wrong.yaml": stringify({ metadata: { name: "site-2" }, spec: { dns: { ...dns, zone: "" } } }),
    "without.yaml": stringify({ metadata: { name: "site-2" }, spec: {} }),
  };
  const { slipway } = terminalAt(await openSite(), { files });
  const wrong = await slipway("site check wrong.yaml");
  expect(wrong).toMatchObject({ exit: 1, err: expect.stringContaining("spec.dns.zone") });
  const lacks = /^missing {2}dns: .* zone eu\.example\.com.* does not answer\n/;
  for (const command of ["check", "register"])
    expect(await slipway(`site ${command} site-2.yaml`)).toMatchObject({
      exit: 1,
      err: expect.stringMatching(lacks),
    });
  expect((await slipway("site list -o name")).out).toBe("site-1\n");
  expect(await slipway("site register without.yaml")).toMatchObject({
    exit: 0,
    err: expect.stringMatching(/^created {2}site-2 \(.*\)\n$/),
  });
  expect((await slipway("site list -o name")).out).toContain("site-2\n");
});

it("what runs out next, and who touched what", async () => {
  const { slipway } = await night();
  await slipway(`cluster create one ${inEurope}`, "alice");
  const capacity = JSON.parse((await slipway("capacity -o json")).out);
  expect(capacity.items.length).toBeGreaterThan(3);
  expect((await slipway("status")).out).toMatch(/Runs out next\nWHAT .*\n\S+ .* of \d+\n/);
  const acts = await slipway("audit search --actor alice --since 2h");
  expect(acts.out).toMatch(/alice {2}tenant-a {2}create {2}cluster {2}\S+ {2}ACCEPTED\n/);
});
