import { expect, it } from "vitest";
import { type Made, openSite, type Site, saveSite } from "../support/site.ts";
import { type Terminal, type TerminalOptions, terminalAt } from "../support/terminal.ts";

/** `slipway` in a site with a cluster: what it prints, and how it ends. */

let made: Promise<Made<string>> | undefined;

/** A site with the READY cluster `demo` of tenant-a. Each test has a copy of its own. */
async function withDemo(
  options: TerminalOptions = {},
): Promise<{ site: Site; demo: string } & Terminal> {
  made ??= saveSite(async (site) => {
    const id = await site.order("demo");
    await site.settled(id);
    return id;
  });
  const { saved, brought } = await made;
  const site = await openSite({ from: saved });
  return { site, demo: brought, ...terminalAt(site, options) };
}

const rows = (out: string): string[] => out.trimEnd().split("\n");

it("lists, gets and finds by name what there is", async () => {
  const { slipway, demo } = await withDemo();
  const { exit, out, err } = await slipway("cluster list");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(rows(out)).toEqual([
    "NAME  TENANT    STATE  VERSION  NODES",
    "demo  tenant-a  READY  4.17.3   workers=2",
  ]);
  // A tenant's own list names no tenant.
  expect(rows((await slipway("clusters list", "alice")).out)[0]).toBe(
    "NAME  STATE  VERSION  NODES",
  );
  const byName = await slipway("cluster get demo -o json");
  expect(JSON.parse(byName.out)).toMatchObject({ id: demo, status: { hub: "hub-a" } });
  expect((await slipway(`cluster get ${demo} -o json`)).out).toBe(byName.out);
  expect((await slipway("cluster get demo -o yaml")).out).toContain("state: CLUSTER_STATE_READY");
  expect((await slipway("cluster list -o name")).out).toBe("demo\n");
  expect((await slipway("cluster kubeconfig demo", "alice")).out).toMatch(/^apiVersion: v1\n/);
});

it("makes a table of the members that are named, of nothing in them too", async () => {
  const { slipway } = await withDemo();
  const fields = "--fields metadata.name,status.hub,spec.nothing";
  const table = ["METADATA.NAME  STATUS.HUB  SPEC.NOTHING", "demo           hub-a       -"];
  for (const command of ["cluster list", "cluster get demo"])
    expect(rows((await slipway(`${command} ${fields}`)).out)).toEqual(table);
  for (const wrong of ["--fields metadata.name -o json", "--fields this.is[0]"])
    expect(await slipway(`cluster list ${wrong}`)).toMatchObject({
      exit: 2,
      out: "",
      err: expect.stringContaining("--fields"),
    });
});

it("shows what is left of a site's numbers", async () => {
  const { slipway } = await withDemo();
  const { out } = await slipway("site pools");
  expect(rows(out)).toEqual([
    expect.stringMatching(/^SITE +POOL +TOTAL +USED +RESTING +FREE +IN USE +WAITING$/),
    ...["floating_ips", "vlans", "prefixes"].map(() =>
      expect.stringMatching(/^site-1 +(floating_ips|vlans|prefixes) +\d+ +[12] +0 +\d+ +\d+ % +0$/),
    ),
  ]);
  expect((await slipway("site pools site-1")).out).toBe(out);
  const numbers = await slipway("site numbers site-1 --pool vlans --from 101 --limit 2");
  expect(numbers).toMatchObject({
    exit: 0,
    err: expect.stringContaining("continue with --from 103"),
  });
  expect(numbers.out).toMatch(/^vlan 101 +site-1 vlans +FREE .*\nvlan 102 +site-1 vlans +FREE/m);
  expect((await slipway("site numbers site-1 --pool macs")).exit).toBe(1);
  expect(await slipway("site pools nowhere")).toMatchObject({ out: "", err: "there are none\n" });
});

it("tells a list that is cut from one that is whole, and reads all pages", async () => {
  const { slipway } = await withDemo();
  const cut = await slipway("host list --limit 3");
  expect(rows(cut.out)).toHaveLength(1 + 3);
  expect(cut.err).toBe("3 of 24; --limit 24 shows all\n");
  expect(rows((await slipway("host list")).out)).toHaveLength(1 + 24);
  const raw = await slipway("api GET /api/private/v1/hosts?limit=5 --paginate");
  expect(JSON.parse(raw.out).items).toHaveLength(24);
  expect(await slipway("cluster list", "bob")).toEqual({
    exit: 0,
    out: "",
    err: "there are none\n",
  });
});

it("an unknown output, option or command is a wrong call, and nothing is sent", async () => {
  const terminal = await withDemo();
  const asked: string[] = [];
  terminal.intercept = (url) => {
    asked.push(url);
    return undefined;
  };
  const { slipway } = terminal;
  const form = await slipway("cluster list -o jsn");
  expect(form).toMatchObject({ exit: 2, out: "" });
  expect(form.err).toContain("table, wide, json, yaml, name");
  expect(await slipway("cluster list --stuck")).toMatchObject({ exit: 2, out: "" });
  expect(await slipway("clutser list")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("cluster"),
  });
  expect(await slipway("cluster get")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("name"),
  });
  expect(await slipway("hub update hub-a --capacity many")).toMatchObject({
    exit: 2,
    err: "--capacity must be a whole number\n",
  });
  expect(asked).toEqual([]);
});

it("a refusal names the field, what is next and the request", async () => {
  const { slipway } = await withDemo();
  const wrong = await slipway("cluster create two --template nix", "alice");
  expect(wrong).toMatchObject({ exit: 1, out: "" });
  expect(wrong.err).toMatch(
    /^Invalid request\n {2}spec\.template: ClusterTemplate "nix" not found\n {2}request [0-9a-f-]{36}\n$/,
  );
  const gone = await slipway("cluster get nix");
  expect(gone).toMatchObject({ exit: 1, err: expect.stringContaining("slipway clusters list") });
  expect(await slipway("status", "alice")).toMatchObject({
    exit: 1,
    err: expect.stringContaining("slipway whoami"),
  });
  expect(await slipway("cluster list", "nobody")).toMatchObject({ exit: 6 });
});

it("a name that several have is answered with all of them, and told apart by the tenant", async () => {
  const { slipway } = await withDemo();
  expect(await slipway("project create shop", "alice")).toMatchObject({ exit: 0 });
  expect(await slipway("project create shop", "bob")).toMatchObject({ exit: 0 });
  const both = await slipway("project get shop");
  expect(both).toMatchObject({ exit: 1, out: "" });
  expect(both.err).toMatch(
    /^2 objects have the name 'shop'; .*\n( {2}slipway project get [0-9a-f-]{36} {3}tenant tenant-[ab]\n){2}$/,
  );
  const one = await slipway("project get shop --tenant tenant-b -o json");
  expect(JSON.parse(one.out)).toMatchObject({ metadata: { tenant: "tenant-b" } });
});

it("a body is of a file, then of options, then of settings", async () => {
  const files = {
    "order.yaml":
      "metadata: {labels: {team: blue}}\nspec: {template: nix, node_sets: {workers: {size: 1}}}\n",
    "key.pub":
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtStuO8Ud5lKNpTXbrXuTUgoQ3rKM/wEJX1o7WQTJHk me\n",
  };
  const { slipway, site } = await withDemo({ files });
  const line =
    "cluster create two --from order.yaml --template ocp_4_17_small --set spec.node_sets.workers.size=2";
  const { exit, out, err } = await slipway(`${line} --dry-run -o json`, "alice");
  expect({ exit, err }).toEqual({ exit: 0, err: "it would be accepted; nothing was changed\n" });
  expect(JSON.parse(out)).toMatchObject({
    metadata: { name: "two", labels: { team: "blue" } },
    spec: { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 2 } } },
  });
  expect((await site.api("GET", "clusters")).body.total).toBe(1);
  expect(await slipway("cluster update demo --set spec", "alice")).toMatchObject({ exit: 2 });
  expect(await slipway("cluster update demo", "alice")).toMatchObject({ exit: 2 });
  expect(await slipway("cluster create two --from nix.yaml", "alice")).toMatchObject({ exit: 2 });
});

it("says who has a number, over all tenants, and who did what", async () => {
  const { slipway, demo } = await withDemo();
  const { exit, out } = await slipway("who vlan 100");
  expect(exit).toBe(0);
  expect(rows(out)[1]).toMatch(
    /^vlan 100 {2}site-1 vlans {2}HELD {3}tenant-a\/demo {2}cluster {2}READY/,
  );
  expect(JSON.parse((await slipway("who vlan 100 -o json")).out).items[0].owner.id).toBe(demo);
  expect(await slipway("who vlan 0")).toMatchObject({
    exit: 1,
    err: expect.stringContaining("a VLAN id, such as 107"),
  });

  const acts = await slipway("audit search --object cluster/demo --since 2h");
  expect(rows(acts.out)[1]).toMatch(/alice {2}tenant-a {2}create {2}cluster/);
  expect((await slipway("audit search --actor alice -o json")).out).toContain(demo);
  expect((await slipway("project create lab", "alice")).exit).toBe(0);
  const cut = await slipway("audit search --actor alice --limit 1");
  expect(cut.err).toContain("the first 1; --limit 2 shows more");
  for (const [object, said] of [
    ["template/ocp-4-17-small", ""],
    ["server/web", "nothing was found; deleted objects can be found only by their id"],
  ])
    expect(await slipway(`audit search --object ${object}`)).toMatchObject({
      exit: 0,
      err: expect.stringContaining(said ?? ""),
    });
  expect(await slipway("audit search --object nothing/web")).toMatchObject({ exit: 2 });
  expect(await slipway("audit search --actor bob")).toEqual({
    exit: 0,
    out: "",
    err: "nothing was found\n",
  });
  expect(await slipway("audit search")).toMatchObject({ exit: 2 });
});

it("shows the state of everything, and what is paused first of all", async () => {
  const { slipway } = await withDemo();
  const { exit, out } = await slipway("status");
  expect(exit).toBe(0);
  expect(out).toContain("operations  0 stuck, 0 stalled, 0 running, 0 not started, 0 queued\n");
  expect(out).toContain("objects     1 cluster, 24 hosts\n");
  expect(out).toMatch(/control_planes {2}eu-west {8}5 % {5}19 of 20/);
  expect(out).toMatch(/hubs {8}2 of 2 ready\n$/);
  expect(await slipway("intake pause")).toMatchObject({ exit: 0 });
  expect((await slipway("status")).out).toMatch(
    /^PAUSED: the intake of tenants' changes, by root at .*; slipway intake resume\n/,
  );
});

it("a narrow terminal shows every word of a reason, and a pipe each object in one line", async () => {
  const narrow = await withDemo({ isTerminal: true, columns: 60 });
  const why =
    "this hub has a reason that is much longer than what is left of a line of sixty columns";
  const items = [
    {
      id: "1",
      metadata: { name: "hub-a" },
      spec: { region: "eu-west" },
      status: { state: "HUB_STATE_UNREACHABLE", message: why },
    },
  ];
  narrow.intercept = () => Response.json({ size: 1, total: 1, items });
  const terminal = terminalAt(narrow.site, { isTerminal: true, columns: 60 });
  terminal.intercept = narrow.intercept;
  const shown = rows((await terminal.slipway("hub list")).out);
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(60);
  expect(shown.join(" ").replaceAll(/\s+/g, " ")).toContain(why);
  const piped = terminalAt(narrow.site);
  piped.intercept = narrow.intercept;
  expect(rows((await piped.slipway("hub list")).out)).toEqual([
    "NAME   STATE        REGION   WHY",
    `hub-a  UNREACHABLE  eu-west  ${why}`,
  ]);
});

it("describes a cluster on one page, with what works on it", async () => {
  const { slipway } = await withDemo();
  const ready = await slipway("cluster describe demo");
  expect(ready.exit).toBe(0);
  expect(ready.out).toMatch(/^demo {2}READY\n {2}id +\S+\n {2}tenant +tenant-a\n/);
  expect(ready.out).toContain("  nodes      workers: 2 of 2 ready (fc430)\n");
  expect(ready.out).toContain("  network    10.64.0.0/24, VLAN 100\n");
  expect(ready.out).toMatch(/\nREADY +TRUE +\S+ +Ready\n/);
  expect(ready.out).not.toContain("follow it");
  await slipway("cluster update demo --set spec.node_sets.workers.size=3", "alice");
  const scaled = await slipway("cluster describe demo", "alice");
  expect(scaled.out).toMatch(/UPDATE cluster demo {2}operation \S+\n/);
  expect(scaled.out).toMatch(/follow it with: slipway operation watch \S+\n$/);
});

it("scales and upgrades in few words, and waits for both", async () => {
  const { slipway } = await withDemo();
  expect(await slipway("cluster scale demo workers", "alice")).toMatchObject({ exit: 2 });
  const scaled = await slipway("cluster scale demo workers=3 --wait", "alice");
  expect(scaled).toMatchObject({ exit: 0, out: expect.stringContaining("workers=3") });
  const choices = JSON.parse((await slipway("cluster upgrades demo -o json", "alice")).out).items;
  expect(choices.length).toBeGreaterThan(0);
  const upgraded = await slipway("cluster upgrade demo 4-18-1 --wait", "alice");
  expect(upgraded).toMatchObject({ exit: 0, out: expect.stringContaining("4.18.1") });
});

it("words of systems outside carry no control characters to a terminal", async () => {
  const { site } = await withDemo();
  const message = "refused\u001b[2J\u0007 by\nthe hub";
  const items = [
    { id: "1", metadata: { name: "hub-a" }, status: { state: "HUB_STATE_READY", message } },
  ];
  const terminal = terminalAt(site, { isTerminal: true });
  terminal.intercept = () => Response.json({ size: 1, total: 1, items });
  expect((await terminal.slipway("hub list")).out).toContain("refused [2J by the hub\n");
  terminal.intercept = () =>
    Response.json({ title: "Refused", detail: message, status: 400, errors: [] }, { status: 400 });
  expect((await terminal.slipway("hub list")).err).toBe("Refused: refused [2J by the hub\n");
});
