import { expect, it } from "vitest";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** Following an operation: to each of its ends, through lost connections, and no further than wanted. */

const create = "cluster create demo --template ocp_4_17_small";
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const control = /[\u0000-\u0009\u000b-\u001f]/;

it("--wait tells each turn in a line, and prints the object when it is READY", {
  tags: "smoke",
}, async () => {
  const { slipway } = terminalAt(await openSite());
  const { exit, out, err } = await slipway(`${create} --wait`, "alice");
  expect(exit).toBe(0);
  expect(out).toBe("NAME  STATE  VERSION  NODES\ndemo  READY  4.17.3   workers=2\n");
  expect(err).toMatch(
    /^CREATE cluster demo {2}operation [0-9a-f-]{36}\n✔ ReserveCapacity .*least loaded of 2 suitable hubs/,
  );
  expect(err).toMatch(
    /◷ DeployControlPlane +waiting {2}the control plane: Available: .*\n✔ DeployControlPlane/,
  );
  expect(err).toMatch(/✔ PublishCluster.*\n✔ SUCCEEDED\n$/);
  expect(out + err).not.toMatch(control);
});

it("without --wait it says how to follow, and operation watch does, on a terminal in place", async () => {
  const site = await openSite();
  const begun = await terminalAt(site).slipway(create, "alice");
  const [, command = ""] = /follow it with: slipway (operation watch \S+)\n$/.exec(begun.err) ?? [];
  const { exit, out } = await terminalAt(site, { isTerminal: true, columns: 60 }).slipway(
    command,
    "alice",
  );
  expect(exit).toBe(0);
  // What is under way is drawn again; what has ended stays, once.
  expect(out).toContain("\u001b[0J");
  expect(out.match(/✔ DeployControlPlane/g)).toHaveLength(1);
  expect(out).toMatch(/RUNNING \d+ %/);
});

it("a lost connection is waited out and told once, and nothing is ordered twice", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  let asked = 0;
  terminal.intercept = (_, { method }) => {
    asked += 1;
    // The answer to the order itself is lost once; the key tells that it is the same order.
    if (method === "POST" && asked === 1) throw new TypeError("fetch failed");
    if (method === "GET" && asked > 5 && asked < 9) throw new TypeError("fetch failed");
    return undefined;
  };
  const { exit, err } = await terminal.slipway(`${create} --wait`, "alice");
  expect(exit).toBe(0);
  expect(err.match(/is unreachable: fetch failed; trying again/g)).toHaveLength(1);
  expect(err).toContain("Slipway answers again\n");
  expect((await site.api("GET", "clusters")).body.total).toBe(1);
});

it("Ctrl-C and --timeout leave the order running and say how to follow it", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  const late = await terminal.slipway(`${create} --wait --timeout 5s`, "alice");
  expect(late).toMatchObject({ exit: 5, out: "" });
  const [, command = ""] =
    /not done after 5s; the operation continues\. Follow it with: slipway (operation watch \S+)\n$/.exec(
      late.err,
    ) ?? [];
  let asked = 0;
  terminal.intercept = () => {
    asked += 1;
    if (asked === 3) terminal.interrupt();
    return undefined;
  };
  const stopped = await terminal.slipway(command, "alice");
  expect(stopped).toMatchObject({ exit: 5, err: "" });
  expect(stopped.out).toContain(`Follow it with: slipway ${command}\n`);
  expect(asked).toBeLessThan(6);
  terminal.intercept = () => undefined;
  expect(await terminal.slipway(command, "alice")).toMatchObject({ exit: 0 });
});

it("Ctrl-C and a connection that stays lost while an order is on its way say that it may have been accepted", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  let asked = 0;
  terminal.intercept = (_, { method }) => {
    if (method !== "POST") return undefined;
    asked += 1;
    throw new TypeError("fetch failed");
  };
  const look = "  it may have been accepted; check first: slipway cluster list\n";
  const lost = await terminal.slipway(create, "alice");
  expect(lost).toMatchObject({ exit: 7, err: expect.stringMatching(`${look}$`) });
  // It was tried for as long as a restart takes, and said so.
  expect(asked).toBe(6);
  expect(lost.err).toMatch(/^https:\/\/slipway is unreachable: fetch failed; trying again\n/);
  terminal.intercept = (_, { method }) => {
    if (method !== "POST") return undefined;
    terminal.interrupt();
    throw new TypeError("aborted");
  };
  const left = await terminal.slipway(create, "alice");
  expect(left).toMatchObject({ exit: 5, err: `the wait was interrupted\n${look}` });
  const dry = await terminal.slipway(`${create} --dry-run`, "alice");
  expect(dry.err).not.toContain("accepted");
});

it.each([
  ["cluster list --watch", 0],
  ["hub drain hub-a --wait", 5],
  ["event watch", 0],
])("Ctrl-C is heard by %s while nobody answers", async (line, code) => {
  const terminal = terminalAt(await openSite());
  const where = "--set spec.placement.region=eu-west --wait";
  if (code !== 0) await terminal.slipway(`${create} ${where}`, "alice");
  let plans = 0;
  terminal.intercept = (url, { signal }) => {
    if (url.includes("drain_plan")) plans += 1;
    // What is read before it waits is not waited for.
    if (code !== 0 && plans < 2) return undefined;
    expect(signal).toBeInstanceOf(AbortSignal);
    terminal.interrupt();
    expect(signal?.aborted).toBe(true);
    throw new TypeError("aborted");
  };
  const { exit, err } = await terminal.slipway(line);
  expect(exit, err).toBe(code);
  expect(err).not.toContain("trying again");
});

it("a token that runs out on the way leaves the order running, and says how to follow it", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  let asked = 0;
  terminal.intercept = () => {
    asked += 1;
    if (asked < 4) return undefined;
    return Response.json({ title: "Not logged in" }, { status: 401 });
  };
  const { exit, err } = await terminal.slipway(`${create} --wait`, "alice");
  expect(exit).toBe(6);
  const [, command = ""] =
    /\nNot logged in\n {2}log in: .*\n {2}the operation continues\. Follow it with: slipway (operation watch \S+)\n$/.exec(
      err,
    ) ?? [];
  terminal.intercept = () => undefined;
  expect(await terminal.slipway(command, "alice")).toMatchObject({ exit: 0 });
});

it("an order that is cancelled ends otherwise than one that is done, and says why", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const { slipway } = terminalAt(site);
  const begun = await slipway(create, "alice");
  const [, id = ""] = /operation watch (\S+)\n$/.exec(begun.err) ?? [];
  await slipway(`operation watch ${id} --timeout 30s`, "alice");
  expect(await slipway(`operation cancel ${id}`, "alice")).toMatchObject({ exit: 0 });
  const { exit, out } = await slipway(`operation watch ${id}`, "alice");
  expect(exit).toBe(3);
  expect(out).toMatch(/✔ Undo ReserveCapacity.*\n○ CANCELLED/);
});

it("fits on the narrowest terminal that there is", async () => {
  const site = await openSite();
  const narrowest = terminalAt(site, { isTerminal: true, columns: 8 });
  const { exit, err } = await narrowest.slipway(`${create} --wait`, "alice");
  expect(exit).toBe(0);
  expect(err).toMatch(/✔ SUCCEEDED\n$/);
});
