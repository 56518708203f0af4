import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { bundledFile } from "../support/bundled-cli.ts";
import { type DevProcess, startDev, until } from "../support/dev-process.ts";
import { ownPorts } from "../support/own-ports.ts";

/** `slipway` as a process of its own: signals, a server that is killed. */

const slipway = await bundledFile();

const start = (dev: DevProcess, ...args: string[]) =>
  started(dev, [process.execPath, slipway, ...args]);

function started(
  { dev, data }: DevProcess,
  [program = "", ...args]: string[],
  env: Record<string, string> = {},
) {
  // Of the environment only what finds programs: `CI` and others like it turn Node's colours off.
  const { PATH = "" } = process.env;
  const child = spawn(program, args, {
    env: {
      ...{ PATH, TERM: "xterm", ...env },
      SLIPWAY_DATA: data,
      SLIPWAY_CONFIG: `${data}/contexts.json`,
      SLIPWAY_URL: dev.api,
      SLIPWAY_TOKEN: dev.tokens["tenant-a"],
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const exit = once(child, "close").then(([code]) => code);
  return { child, exit, output: () => output };
}

/** As `start`, on a pseudo-terminal. */
function startOnTerminal(dev: DevProcess, ...args: string[]) {
  return startedOnTerminal(dev, args);
}

function startedOnTerminal(dev: DevProcess, args: string[], env?: Record<string, string>) {
  // Without `exec`, Ctrl-C also ends the shell, and its 130 is what is heard (seen with dash).
  const line = ["exec", process.execPath, slipway, ...args].join(" ");
  return started(dev, ["script", "-qec", line, "/dev/null"], env);
}

/** Other systems call their `script` otherwise. */
const hasTerminal = process.platform === "linux" && spawnSync("which", ["script"]).status === 0;
if (!hasTerminal) console.log("no pseudo-terminal: script of util-linux is not there");

/** Slow enough to be met on the way, and the same all the time: a world's clock follows it. */
const speed = 100;
const create = (name: string) => [
  "cluster",
  "create",
  name,
  "--template",
  "ocp_4_17_small",
  "--wait",
];

/** How an order is followed, and how Ctrl-C is pressed there. */
const places = [
  {
    name: "in-a-pipe",
    start,
    isBegun: (output: string) => /[✔◷] CreateLayer3Network/.test(output),
    // npm passes on what the terminal has told the process already.
    interrupt: ({ child }: ReturnType<typeof start>) => {
      child.kill("SIGINT");
      setTimeout(() => child.kill("SIGINT"), 5);
    },
  },
  {
    name: "on-a-terminal",
    start: startOnTerminal,
    // On a busy machine an order may be drawn some times before it begins.
    isBegun: (output: string) =>
      // biome-ignore lint/suspicious/noControlCharactersInRegex: how a terminal is told to take lines back
      /\u001b\[\d+A\u001b\[0J/.test(output) && /RUNNING \d+ %/.test(output),
    interrupt: ({ child }: ReturnType<typeof start>) => child.stdin.write("\u0003"),
  },
].filter(({ name }) => hasTerminal || name !== "on-a-terminal");

it("in a pipe and on a terminal goes on through a server that is killed and started again, and Ctrl-C leaves the order running", async () => {
  const env = { PORT: String(await ownPorts()) };
  const first = await startDev({ speed, env });
  const orders = places.map((place) => ({
    place,
    order: place.start(first, ...create(place.name)),
  }));
  const each = (holds: (output: string, place: (typeof places)[number]) => boolean, what: string) =>
    until(() => orders.every(({ order, place }) => holds(order.output(), place)), what);
  await each((output, { isBegun }) => isBegun(output), "the first steps");
  await first.kill9();
  await each((output) => output.includes("trying again"), "the loss to be told");
  const second = await startDev({ speed, env, data: first.data });
  await each((output) => output.includes("Slipway answers again"), "the answer to be told");

  for (const { place, order } of orders) place.interrupt(order);
  for (const { order } of orders) {
    expect(await order.exit, order.output()).toBe(5);
    const [, id = ""] =
      /the operation continues\. Follow it with: slipway operation watch (\S+)\r?\n/.exec(
        order.output(),
      ) ?? [];
    const watch = start(second, "operation", "watch", id);
    expect(await watch.exit, watch.output()).toBe(0);
    expect(watch.output()).toMatch(/✔ SUCCEEDED\n$/);
  }

  const describe = ["cluster", "describe", "in-a-pipe"];
  const piped = start(second, ...describe);
  expect(await piped.exit, piped.output()).toBe(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
  expect(piped.output() + orders[0]?.order.output()).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  if (!hasTerminal) return;
  const bold = "\u001b[1m";
  const shown = startedOnTerminal(second, describe);
  expect(await shown.exit, shown.output()).toBe(0);
  expect(shown.output()).toContain(bold);
  const plain = startedOnTerminal(second, describe, { NO_COLOR: "1" });
  expect(await plain.exit, plain.output()).toBe(0);
  expect(plain.output()).not.toContain(bold);
});

it.skipIf(!hasTerminal)(
  "on a terminal asks before it deletes, and takes what is typed",
  async () => {
    const dev = await startDev({ speed });
    const order = start(dev, ...create("demo"));
    expect(await order.exit, order.output()).toBe(0);
    const answered = async (answer: string) => {
      const deletion = startOnTerminal(dev, "cluster", "delete", "demo");
      await until(
        () => deletion.output().includes("Type demo to delete the cluster: "),
        "a question",
      );
      deletion.child.stdin.write(answer);
      return { exit: await deletion.exit, output: deletion.output() };
    };
    for (const answer of ["y\n", "\n", "\u0004", "\u0003"]) {
      const { exit, output } = await answered(answer);
      expect(exit, output).not.toBe(0);
      expect(output, JSON.stringify(answer)).not.toContain("follow it with");
    }
    const kept = start(dev, "cluster", "get", "demo", "-o", "json");
    expect(await kept.exit).toBe(0);
    expect(kept.output()).toContain("CLUSTER_STATE_READY");
    const gone = await answered("demo\n");
    expect(gone, gone.output).toMatchObject({ exit: 0 });
    expect(gone.output).toContain("follow it with: slipway operation watch");
  },
);

it("breaks the laptop's world and mends it", async () => {
  const dev = await startDev();
  const of = async (...args: string[]) => {
    const { exit, output } = start(dev, ...args);
    return { exit: await exit, output: output() };
  };
  expect(await of("fault", "add", "dns", "error", "--status", "503", "--count", "0")).toMatchObject(
    { exit: 0 },
  );
  expect((await of("fault", "list")).output).toMatch(/dns +error +503/);
  expect(await of("fault", "add", "nix", "error")).toMatchObject({
    exit: 1,
    output: expect.stringContaining("target: "),
  });
  expect(await of("fault", "clear")).toMatchObject({ exit: 0, output: "" });
  expect(await of("fault", "list")).toMatchObject({ exit: 0, output: "nothing is broken\n" });
});

it("completes in bash, by the script that it prints", async () => {
  const typed = [
    `slipway() { ${process.execPath} ${slipway} "$@"; }`,
    "source <(slipway completion bash)",
    "COMP_WORDS=(slipway cluster-t); COMP_CWORD=1; _slipway",
    'echo "$COMPREPLY"',
  ].join("\n");
  const { status, stdout } = spawnSync("bash", ["-c", typed], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, "cluster-template\n"]);
});

it("reads a body, and a token, from standard input", async () => {
  const dev = await startDev();
  const body = JSON.stringify({ metadata: { name: "piped" } });
  const piped = start(dev, "project", "create", "--from", "-");
  piped.child.stdin.end(body);
  expect(await piped.exit, piped.output()).toBe(0);
  expect(piped.output()).toContain("piped");
  const set = start(dev, "context", "set", "here", "--url", dev.dev.api, "--token-file", "-");
  set.child.stdin.end(`${dev.dev.tokens["tenant-a"]}\n`);
  expect(await set.exit, set.output()).toBe(0);
  expect(set.output()).not.toContain(dev.dev.tokens["tenant-a"]);
  const asking = ["--url", dev.dev.api, "--token-file", "-"];
  const who = start(dev, "whoami", ...asking);
  who.child.stdin.end(`${dev.dev.tokens["tenant-b"]}\n`);
  expect(await who.exit, who.output()).toBe(0);
  expect(who.output()).toContain("tenant-b");
});
