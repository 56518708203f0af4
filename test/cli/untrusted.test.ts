import { spawn, spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { shellWord } from "../../cli/output/shell-word.ts";
import { serve } from "../../local/serve.ts";
import { bundledFile } from "../support/bundled-cli.ts";
import { temporaryFolder } from "../support/home.ts";
import { openSite } from "../support/site.ts";
import { terminalAt } from "../support/terminal.ts";

/** What a server answers is words: no shell runs them, no terminal obeys them, no redirect is followed. */

const has = (shell: string) => spawnSync("which", [shell]).status === 0;

/** Names that a shell or `slipway` would take for something else; `{pwn}` is a file that appears if one runs. */
const noNames = [
  "x$(touch {pwn})",
  "x`touch {pwn}`",
  "(touch {pwn})",
  "x;touch {pwn}",
  "x|touch {pwn}",
  "x\ntouch {pwn}",
  "x\ttouch {pwn}",
  "x touch {pwn}",
  "$" + "{IFS}",
  "$HOME",
  "~root",
  "=ls",
  "*",
  "[a-z]?",
  "{a,b}",
  "'",
  '"',
  "\\",
  "!!",
  "#x",
  "--yes",
  "-o",
  "a\u001b[2J",
  "a\u009b2J",
  "a\u202eb",
  "",
];
const names = ["shop", "a.b-c_9", "web:1", "01a22290-1657-7636-9c24-7532a918046c"];

/** How each shell completes the words `slipway cluster get <TAB>`, and prints what it offers. */
const completions: Record<string, string> = {
  bash: `source <(slipway completion bash)
COMP_WORDS=(slipway cluster get ''); COMP_CWORD=3; _slipway
printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }
compadd() { [[ $1 = -a ]] && print -rl -- "\${(@P)2}"; }
source <(slipway completion zsh)
words=(slipway cluster get ''); CURRENT=4; _slipway`,
  fish: `slipway completion fish | source
complete -C 'slipway cluster get '`,
};

/** What a shell offers where `slipway` is this script, and what it says beside. */
async function completedBy(shell: string, folder: string, slipway: string, env: object) {
  writeFileSync(join(folder, "slipway"), `#!/bin/sh\n${slipway}\n`, { mode: 0o755 });
  const child = spawn(shell, ["-c", completions[shell] ?? ""], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder, ...env },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  return { offered: out.split("\n").filter((line) => line !== ""), err };
}

it.each(Object.keys(completions))(
  "completion in %s offers names, and runs nothing of what a server answers",
  async (shell) => {
    if (!has(shell)) return console.log(`${shell} is not there: its completion is not tried`);
    const folder = temporaryFolder();
    const pwn = join(folder, "pwn");
    const items = [...noNames, ...names].map((name) => ({
      metadata: { name: name.replaceAll("{pwn}", pwn) },
    }));
    const listener = await serve(async () => Response.json({ size: items.length, items }), 0);
    onTestFinished(() => listener.close());
    const program = `exec "${process.execPath}" "${await bundledFile()}" "$@"`;
    const env = { SLIPWAY_URL: listener.url, SLIPWAY_TOKEN: "t" };
    const { offered, err } = await completedBy(shell, folder, program, env);
    expect({ offered: offered.toSorted(), err }).toEqual({ offered: names.toSorted(), err: "" });
    expect(existsSync(pwn)).toBe(false);
  },
);

it.each(Object.keys(completions))(
  "the script of %s runs nothing, even of what no name is",
  async (shell) => {
    if (!has(shell)) return console.log(`${shell} is not there: its completion is not tried`);
    const folder = temporaryFolder();
    const pwn = join(folder, "pwn");
    const lines = noNames
      .map((name) => name.replaceAll("{pwn}", pwn))
      .filter((name) => name !== "" && !name.includes("\n"));
    writeFileSync(join(folder, "offered"), `${lines.join("\n")}\n`);
    const program = `[ "$1" = complete ] && exec cat "${folder}/offered"
exec "${process.execPath}" "${await bundledFile()}" "$@"`;
    const { offered } = await completedBy(shell, folder, program, {});
    expect(existsSync(pwn)).toBe(false);
    // fish tells a description from a word by the tab, and offers what begins with a dash to options alone.
    if (shell !== "fish") expect(offered).toEqual(lines);
  },
);

it.each(["bash", "zsh", "fish"])("%s reads a word of a printed command as it is", (shell) => {
  if (!has(shell)) return console.log(`${shell} is not there`);
  for (const word of ["a$(id)", "it's", "a b", "`id`", "*", '"', "!!", "(id)", "{a,b}", "~", ""]) {
    const { stdout } = spawnSync(shell, ["-c", `printf %s ${shellWord(word)}`], {
      encoding: "utf8",
    });
    expect(stdout, word).toBe(word);
  }
});

const evil = "a\u001b[2Jb\u009b31mc\u202ed\u2066e\u2028f\u0007";
/** Whether a terminal would take something of the text for more than words. */
const isObeyed = (text: string): boolean =>
  /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(text.replaceAll(/[\n\t]/g, ""));

it.each(["table", "wide", "json", "yaml", "name"])(
  "no terminal obeys what is in answers: -o %s",
  async (form) => {
    const terminal = terminalAt(await openSite());
    const object = {
      id: "p",
      metadata: { name: evil, annotations: { [evil]: evil } },
      status: { state: "PROJECT_STATE_FAILED", message: evil },
    };
    const list = { size: 1, total: 1, items: [object] };
    terminal.intercept = () => Response.json(list);
    const { exit, out, err } = await terminal.slipway(`project list -o ${form}`);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(isObeyed(out)).toBe(false);
    if (form === "json") expect(JSON.parse(out)).toEqual(list);
    if (form === "yaml") expect(parse(out)).toEqual(list);
  },
);

it("no terminal obeys what is in refusals and in status", async () => {
  const terminal = terminalAt(await openSite());
  terminal.intercept = () =>
    Response.json(
      { title: evil, detail: evil, errors: [{ field: evil, message: evil }], request_id: evil },
      { status: 400 },
    );
  for (const line of [
    "project list",
    "project create x",
    "operation watch x",
    "doctor",
    "status",
  ]) {
    const { out, err } = await terminal.slipway(line);
    expect(isObeyed(out + err), line).toBe(false);
  }
});

it("follows no redirect: neither body nor token reaches another origin", async () => {
  const asked: string[] = [];
  const other = await serve(async ({ url }) => {
    asked.push(url);
    return Response.json({});
  }, 0);
  onTestFinished(() => other.close());
  const files = { "body.json": '{"spec":{"secret":"s"}}', token: "t" };
  for (const status of [301, 302, 303, 307, 308]) {
    const listener = await serve(
      async () => new Response(null, { status, headers: { location: `${other.url}/x` } }),
      0,
    );
    onTestFinished(() => listener.close());
    const { slipway } = terminalAt(
      { ...(await openSite()), fetch: (_, init) => fetch(listener.url, init) },
      { files },
    );
    for (const line of [
      "cluster list",
      "cluster create x --from body.json",
      "cluster delete x --yes",
      "api POST /api/fulfillment/v1/clusters --from body.json",
      "event watch",
      "operation watch x",
      "login --url https://slipway",
      "login --url https://slipway --issuer https://issuer",
      "audit verify --tenant tenant-a",
    ]) {
      const { exit, out, err } = await slipway(line);
      expect({ exit, out }, `${status} ${line}: ${err}`).toEqual({ exit: 7, out: "" });
      expect(err, line).toContain("no redirect is followed");
      expect(err, line).not.toContain("may have been accepted");
    }
  }
  expect(asked).toEqual([]);
});

it("says that a change may have been accepted only where nobody has refused it", async () => {
  const terminal = terminalAt(await openSite());
  const told = async (status: number, problem?: object) => {
    terminal.intercept = () =>
      problem ? Response.json(problem, { status }) : new Response("", { status });
    return (await terminal.slipway("cluster create x")).err.includes("it may have been accepted");
  };
  const paused = { title: "Unavailable", detail: "orders and changes are paused", status: 503 };
  expect(await told(503, paused)).toBe(false);
  for (const status of [400, 401, 403, 404, 409, 412, 413, 422, 429])
    expect(await told(status, { title: "No" }), `${status}`).toBe(false);
  for (const status of [500, 502, 503, 504]) expect(await told(status), `${status}`).toBe(true);
  terminal.intercept = () => {
    throw new TypeError("fetch failed");
  };
  expect(await terminal.slipway("cluster create x")).toMatchObject({
    exit: 7,
    err: expect.stringContaining("it may have been accepted"),
  });
});

it.each([
  ["a: &a [*a]", "an anchor cannot contain itself"],
  ["&a {b: {c: *a}}", "an anchor cannot contain itself"],
  [`a: ${"[".repeat(200)}${"]".repeat(200)}`, "nested too deep"],
  [`a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`, "nested too deep"],
  [
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, n) => `${name}: &${name} [${`*${"abcdefg"[n]},`.repeat(9)}]`).join("\n")}`,
    "alias",
  ],
  ["a: [", "bad.yaml: "],
])("a body that has no end is a wrong call: %#", async (text, why) => {
  const { slipway } = terminalAt(await openSite(), { files: { "bad.yaml": text } });
  for (const line of ["cluster create x --from bad.yaml", "api POST /api/x --from bad.yaml"]) {
    const { exit, err } = await slipway(line);
    expect(exit, err).toBe(2);
    expect(err).toContain(why);
  }
});

it.each([
  ["http://slipway.example.com", false],
  ["http://10.0.0.7:8080", false],
  ["http://localhost.example.com", false],
  ["http://127.example.com", false],
  ["http://[2001:db8::1]", false],
  ["https://slipway.example.com", true],
  ["http://localhost:8080", true],
  ["http://slipway.localhost", true],
  ["http://127.0.0.1:1", true],
  ["http://0x7f.1", true],
  ["http://[::1]:8080", true],
])("a token goes to %s in the clear only on this machine", async (url, isAsked) => {
  const site = await openSite();
  const asked: string[] = [];
  const terminal = terminalAt(site);
  terminal.intercept = (to) => {
    asked.push(new URL(to).origin);
    return Response.json({ items: [], size: 0, total: 0 });
  };
  for (const line of ["cluster list", "api /healthz", "host list"]) {
    const { exit, err } = await terminal.slipway(`--url ${url} ${line}`);
    if (!isAsked)
      expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining("use https") });
    else expect(err).not.toContain("use https");
  }
  expect(asked.length > 0).toBe(isAsked);
});

it("whoever allows it asks in the clear", async () => {
  const terminal = terminalAt(await openSite(), { env: { SLIPWAY_ALLOW_HTTP: "1" } });
  expect(await terminal.slipway("--url http://slipway.example.com cluster list")).toMatchObject({
    exit: 0,
  });
});
