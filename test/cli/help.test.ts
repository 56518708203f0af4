import { expect, it } from "vitest";
import { forms } from "../../cli/output/print.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** What helps those who do not know a command by heart. */

it("help says the exit codes, and of each command what it takes", async () => {
  const { slipway } = terminalAt(await openSite());
  const { exit, out, err } = await slipway("--help");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatch(/Exit codes:\n {2}0 {2}done\n/);
  expect((await slipway("cluster create --help")).out).toMatch(
    /--template <reference>[\s\S]*--wait/,
  );
});

it("explains a kind, a member and what a map has, and names what there is otherwise", async () => {
  const { slipway } = terminalAt(await openSite());
  const sets = await slipway("explain cluster.spec.node_sets");
  expect(sets.out).toMatch(
    /^cluster\.spec\.node_sets {2}map of object\n.+\n\n {2}<name>\.host_type/,
  );
  expect((await slipway("explain cluster.spec.node_sets.workers.size")).out).toMatch(
    /size {2}integer\n/,
  );
  expect((await slipway("explain host-type")).out).toContain("\n  title  string\n");
  expect(await slipway("explain clutser")).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/kinds are: .*\bcluster,/),
  });
  expect(await slipway("explain cluster.spec.nodes")).toMatchObject({
    exit: 2,
    err: expect.stringContaining("node_sets"),
  });
});

it("completes commands, options, forms and names", async () => {
  const site = await openSite();
  await site.order("demo");
  await site.order("other");
  const { slipway } = terminalAt(site);
  const completed = async (...words: string[]) => {
    const { exit, out } = await slipway(["complete", "--", ...words], "alice");
    expect(exit).toBe(0);
    return out.trimEnd().split("\n");
  };
  expect(await completed("stat")).toEqual(["status"]);
  expect(await completed("cluster", "kube")).toEqual(["kubeconfig"]);
  expect(await completed("clusters", "list", "--wat")).toEqual(["--watch"]);
  expect(await completed("cluster", "list", "-o", "")).toEqual([...forms]);
  expect(await completed("cluster", "get", "de")).toEqual(["demo"]);
  expect((await completed("cluster", "get", "")).toSorted()).toEqual(["demo", "other"]);
  // What comes before is understood: options, their values, and the Slipway that they name.
  expect(await completed("--as", "tenant", "cluster", "get", "--output", "json", "de")).toEqual([
    "demo",
  ]);
  expect(await completed("--as", "ten")).toEqual(["tenant"]);
  expect(await completed("cluster", "list", "--tok")).toEqual(["--token-file"]);
  expect(await completed("cluster", "create", "--template", "ocp-4-17-sm")).toEqual([
    "ocp-4-17-small",
  ]);
  expect(await completed("who", "v")).toEqual(["vlan"]);
  expect(await completed("explain", "cluster-c")).toEqual(["cluster-catalog-item"]);
  expect(await completed("completion", "b")).toEqual(["bash"]);
  expect(await completed("--context", "")).toEqual([""]);
  expect(await slipway("completion tcsh")).toMatchObject({ exit: 2 });
  expect((await slipway("completion bash")).out).toContain("complete -F _slipway slipway\n");
});

it("the doctor says what is well, and ends with the first thing that is not", async () => {
  const site = await openSite();
  const terminal = terminalAt(site);
  await site.laptop.pass(120_000);
  const well = await terminal.slipway("doctor");
  expect(well.out).toMatch(
    /^ok {3}https:\/\/slipway answers.*\nok {3}this command is of the same release: .*\nok {3}it accepts the token: as the provider\n/,
  );
  expect(well.out).toContain("ok   every system of every site answers: 1 sites\n");
  expect(well).toMatchObject({ exit: 0, out: expect.stringContaining("2 of 2 ready\n") });
  site.world.faults.add({ target: "dns", operation: "GET", fault: "error", status: 503, count: 0 });
  await site.laptop.pass(20 * 60_000);
  expect(await terminal.slipway("doctor")).toMatchObject({
    exit: 1,
    out: expect.stringMatching(
      /\nbad {2}every system of every site answers: 1 do not; dns of site-1, since /,
    ),
  });
  expect(await terminal.slipway("doctor", "nobody")).toMatchObject({
    exit: 6,
    out: expect.stringContaining("bad  it accepts the token"),
  });
  terminal.intercept = () => {
    throw new TypeError("fetch failed");
  };
  expect(await terminal.slipway("doctor")).toMatchObject({ exit: 7 });
});
