import { expect, it } from "vitest";
import { type Made, openSite, saveSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** What is done with a cluster in few words: its console, and what was told of it. */

let made: Promise<Made<string>> | undefined;

async function withDemo(options = {}) {
  made ??= saveSite(async (site) => {
    const id = await site.order("demo");
    await site.settled(id);
    return id;
  });
  const { saved, brought } = await made;
  const site = await openSite({ from: saved });
  return Object.assign(terminalAt(site, options), { site, id: brought });
}

it("prints the address of a cluster's console, and shows it where people look alone", async () => {
  const piped = await withDemo();
  const { exit, out, err } = await piped.slipway("cluster open demo", "alice");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatch(/^https:\/\/console\S+\n$/);
  expect(piped.browsed).toEqual([]);
  const seen = await withDemo({ isTerminal: true });
  expect((await seen.slipway("cluster open demo", "alice")).out).toBe(out);
  const page = await seen.slipway("cluster open demo --order", "alice");
  expect(page.out).toBe(`https://slipway/orders/clusters/${seen.id}\n`);
  expect(seen.browsed).toEqual([out.trimEnd(), page.out.trimEnd()]);
});

it("has no console to open before there is one, and says what there is", async () => {
  const { slipway, site, browsed } = await withDemo({ isTerminal: true });
  await site.order("two");
  const { exit, out, err } = await slipway("cluster open two", "alice");
  expect({ exit, out, browsed }).toEqual({ exit: 1, out: "", browsed: [] });
  expect(err).toMatch(
    /^two has no console yet\n {2}PROGRESSING.*\n {2}its order .*\/orders\/clusters\//,
  );
});

it("tells what was told of a cluster, each turn with what it was before", async () => {
  const { slipway } = await withDemo();
  const { exit, out, err } = await slipway("cluster events demo", "alice");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  const lines = out.trimEnd().split("\n");
  expect(lines[0]).toMatch(/^TIME +EVENT +BY +CHANGED$/);
  expect(lines[1]).toMatch(/^\S+Z {2}created +alice$/);
  expect(lines.join("\n")).toMatch(/Z {2}ready .*status\.state: PROGRESSING → READY/);
  const { total } = JSON.parse((await slipway("cluster history demo -o json", "alice")).out);
  expect(lines).toHaveLength(1 + total);
  const json = (await slipway("cluster events demo -o json", "alice")).out.trimEnd().split("\n");
  expect(json.map((line) => JSON.parse(line).sequence)).toEqual(
    lines.slice(1).map((_, n) => n + 1),
  );
  expect(await slipway("cluster events demo", "bob")).toMatchObject({ exit: 1, out: "" });
});

it("goes on with what comes, each once, through a lost connection", async () => {
  const terminal = await withDemo();
  const { slipway, site, id } = terminal;
  const before = (await slipway("cluster events demo -o json", "alice")).out.split("\n").length - 1;
  let asked = 0;
  terminal.intercept = () => {
    asked += 1;
    // A read is tried three times.
    if (asked >= 4 && asked <= 6) throw new TypeError("fetch failed");
    return undefined;
  };
  const watching = slipway("cluster events demo --watch -o json", "alice");
  await site.api("PATCH", `clusters/${id}`, { metadata: { labels: { team: "blue" } } });
  await site.api("PATCH", `clusters/${id}`, { spec: { node_sets: { workers: { size: 3 } } } });
  await site.settled(id);
  await site.laptop.pass(10_000);
  terminal.interrupt();
  const { exit, out, err } = await watching;
  expect(exit).toBe(0);
  const sequences = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).sequence);
  expect(sequences.length).toBeGreaterThan(before + 3);
  expect(sequences).toEqual(sequences.map((_, n) => n + 1));
  expect(err).toMatch(
    /^https:\/\/slipway is unreachable: fetch failed; trying again\nSlipway answers again\n$/,
  );
});

it("orders so many nodes in few words", async () => {
  const { slipway } = await withDemo();
  const order = "cluster create three --template ocp_4_17_small --dry-run -o json --nodes";
  const { out } = await slipway(`${order} workers=3`, "alice");
  expect(JSON.parse(out).spec.node_sets.workers.size).toBe(3);
  expect(await slipway(`${order} three`, "alice")).toMatchObject({ exit: 2 });
  // The program says its own version only when nothing else is asked of it.
  const other = await slipway(`${order} workers=3 --version 4-18-1`, "alice");
  expect(JSON.parse(other.out).spec.version).toMatchObject({ name: "4-18-1" });
});

it("says how many nodes would be right where there are not so many hosts", async () => {
  const { slipway } = await withDemo();
  const order = "cluster create forty --template ocp_4_17_small --nodes workers=40";
  const most = /spec\.node_sets\.workers\.size: .*hosts of type fc430.*; order at most 6/;
  for (const command of [order, `${order} --dry-run`, "cluster scale demo workers=50 --dry-run"]) {
    const { exit, err } = await slipway(command, "alice");
    expect(exit, command).not.toBe(0);
    expect(err).toMatch(most);
  }
  expect((await slipway("cluster list", "alice")).out).not.toContain("forty");
});
