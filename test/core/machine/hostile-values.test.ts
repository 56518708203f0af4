import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quotedWord } from "../../../core/kernel/input/shell.ts";
import { metaData, phoningHome } from "../../../core/machine/cloud-init.ts";
import { bootKernel, chainTo } from "../../../core/machine/ipxe.ts";
import { urlsOf } from "../../../core/machine/urls.ts";
import { machinesSchema } from "../../../core/resources/site/machines-spec.ts";
import { callsOf, readConfig, seedUrlIn } from "../../../sim/net-boot/cloud-init.ts";
import { led } from "../../../sim/net-boot/ipxe.ts";
import { commandsOf } from "../../../sim/net-boot/shell.ts";
import { temporaryFolder } from "../../support/home.ts";

/** Whatever a value has in it, a script that runs as root has it as one word, and runs nothing of it. */

const braced = (text: string) => ["$", `{${text}}`].join("");
const values = [
  "plain",
  "a b",
  "  ",
  "a\tb",
  "it's",
  "'; touch pwn; '",
  `"; touch pwn; "`,
  "$(touch pwn)",
  "`touch pwn`",
  "$HOME",
  braced("HOME"),
  braced("IFS"),
  "a\ntouch pwn",
  "a\r\ntouch pwn\r\n",
  ";touch pwn",
  ";",
  "|touch pwn",
  "|",
  "||",
  "&&",
  "& touch pwn &",
  "> pwn",
  "\\",
  "a\\",
  "\\'",
  "\\n",
  "%s",
  "%0a",
  "!!",
  "*",
  "?[a-z]",
  "{a,b}",
  "~root",
  "#comment",
  "a#b",
  "-o pwn",
  "--autofree",
  "@/etc/passwd",
  "=ls",
  "é\u2026\u202e\u{1f600}",
  "",
];

/** The arguments of each run of `curl` that a shell makes of a script. */
function runsIn(shell: string, script: string): string[][] {
  const folder = temporaryFolder();
  const stub = "#!/bin/sh\nprintf '%s\\0' \"$@\"\nprintf '\\n\\0'\n";
  writeFileSync(join(folder, "curl"), stub, { mode: 0o755 });
  const { stdout, stderr, status } = spawnSync(shell, ["-s"], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
    input: script,
    encoding: "utf8",
  });
  expect({ stderr, status, files: readdirSync(folder) }).toEqual({
    stderr: "",
    status: 0,
    files: ["curl"],
  });
  const runs: string[][] = [[]];
  for (const argument of stdout.split("\0").slice(0, -1))
    if (argument === "\n") runs.push([]);
    else runs.at(-1)?.push(argument);
  return runs.slice(0, -1);
}

const scriptIn = (vendorData: string): string =>
  /^#!\/bin\/sh\n.*?(?=\n--==slipway==--)/ms.exec(vendorData)?.[0] ?? "";
const seedOf = (vendorData: string) => ({
  "meta-data": "instance-id: i1\n",
  "user-data": "",
  "vendor-data": vendorData,
});

describe.each(["sh", "bash"])("in %s", (shell) => {
  it("each value is one word", () => {
    const lines = values.map((value) => `curl x ${quotedWord(value)}`);
    expect(runsIn(shell, lines.join("\n"))).toEqual(values.map((value) => ["x", value]));
  });

  it("the simulated shell reads the same words, and leaves out commands of more than words", () => {
    const lines = [
      ...values.map((value) => `curl ${quotedWord(value)} x`),
      `curl "a b" "it's" a\\ b "\\$HOME \\" \\x" a'b'"c"#d # e`,
      `curl a \\\n  b; curl c\\\nd \\\n`,
      "# curl d",
    ];
    const script = lines.join("\n");
    expect(runsIn(shell, script)).toEqual(commandsOf(script).map(([, ...words]) => words));
    expect(commandsOf("curl $HOME\ncurl `id`\ncurl a > b\ncurl a | b\ncurl 'a")).toEqual([]);
  });

  it.each(values)("a machine reports its start with %j in all it is told", (value) => {
    const runs = (told: string) =>
      runsIn(shell, scriptIn(phoningHome({ instanceId: told, url: told })));
    const [plain = []] = runs("plain");
    const words = ["-d", JSON.stringify({ instance_id: value }), "--url", value];
    expect(runs(value)).toEqual([[...plain.slice(0, -words.length), ...words]]);
  });
});

it.each(values)("the simulated cloud-init reports to %j", (value) => {
  const url = `http://boot.sim/${value}`;
  expect(callsOf(seedOf(phoningHome({ instanceId: value, url })), false)).toEqual([
    { url, type: "application/json", body: JSON.stringify({ instance_id: value }) },
  ]);
});

it.each(values)("a machine and its key are named %j", (value) => {
  const seed = metaData({ instanceId: value, hostname: value, keys: [value] });
  const names = { "instance-id": value, "local-hostname": value, "public-keys": [value] };
  expect(readConfig(seed)).toEqual(names);
});

/** What iPXE has for the value: the same, with characters as `%20`. */
const isSame = (read: string | undefined, value: string): boolean =>
  read === value || (read !== undefined && decodeURIComponent(read) === value);

it.each(values.filter((value) => value !== ""))("iPXE has %j as one word", (value) => {
  const from = "http://boot.sim/boot";
  const kernel = led(bootKernel({ kernel: "/k", args: [value, "last"] }), from);
  const args = kernel.to === "kernel" ? kernel.args : [];
  expect(args.slice(1)).toEqual(["last"]);
  expect(isSame(args[0], value)).toBe(true);
  const other = led(chainTo("/next", { "seed-url": value }), from);
  expect(isSame(other.to === "script" ? other.settings["seed-url"] : undefined, value)).toBe(true);
  expect(led(chainTo(value), from)).toMatchObject({ to: "script" });
});

describe("the URL of a site's controller", () => {
  const refuses = (url: string) => machinesSchema.safeParse({ url }).error !== undefined;

  it.each([
    ...[
      "http://boot.sim/a\n",
      "http://boot.sim/a\r\nb",
      "\nhttp://boot.sim",
      "http://boot.sim/a b",
    ],
    ...["http://boot.sim/\u0000", "http://boot.sim/\u001b[2J", "http://boot.sim/\u0085", "-o"],
    ...["http://$(id)/", "http://boot.sim/?a=$(id)", "http://boot.sim/#`id`"],
    ...["http://boot.sim/\\", "http://boot.sim\t", "--url=http://boot.sim", ""],
  ])("%j is refused", (url) => {
    expect(refuses(url)).toBe(true);
  });

  it.each([
    ["http://10.0.0.2:8080", "http://10.0.0.2:8080"],
    ["https://[fd00::2]:8443/a/", "https://[fd00::2]:8443/a"],
    ["http://boot.sim/a%20b", "http://boot.sim/a%20b"],
    [
      "http://boot.sim/a;h=other;s=http://evil.sim/",
      "http://boot.sim/a%3Bh=other%3Bs=http://evil.sim",
    ],
    ["http://boot.sim/$HOME", "http://boot.sim/%24HOME"],
    ["http://boot.sim/$(id)`id`", "http://boot.sim/%24%28id%29%60id%60"],
    ["http://boot.sim/it's\"|&<>!{a,b}*", "http://boot.sim/it%27s%22%7C%26%3C%3E%21%7Ba,b%7D%2A"],
    ["http://boot.sim/é\u2026", "http://boot.sim/%C3%A9%E2%80%A6"],
  ])("%j is %j to machines, in all that reads it there", (url, root) => {
    expect(refuses(url)).toBe(false);
    const urls = urlsOf(url, "t0k3n");
    expect(urls.phoneHome).toBe(`${root}/site/v1/phone-home/t0k3n`);
    const vendorData = phoningHome({ instanceId: "i1", url: urls.phoneHome });
    expect(runsIn("sh", `curl ${urls.phoneHome}`)).toEqual([[urls.phoneHome]]);
    expect(callsOf(seedOf(vendorData), true).map((call) => call.url)).toEqual([
      urls.phoneHome,
      urls.phoneHome,
    ]);
    expect(vendorData).toMatch(/^[\n\x20-\x7e]*$/);
    const kernel = led(bootKernel({ kernel: "/k", args: [`ds=nocloud;s=${urls.seed}`] }), root);
    expect(seedUrlIn(kernel.to === "kernel" ? kernel.args : [])).toBe(urls.seed);
  });
});
