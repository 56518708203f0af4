import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { bundledFile } from "./bundled-cli.ts";
import { patience } from "./patience.ts";

/** The commands that documents show, and a place to run them in. */

export const root = fileURLToPath(new URL("../..", import.meta.url));

const has = (program: string): boolean => spawnSync("which", [program]).status === 0;

/** Programs that documents use and that are not on this machine. */
export const missing = ["bash", "curl", "kubectl", "openssl", "jq"].filter(
  (program) => !has(program),
);

/** Without these no command can be run. */
export const lacksShell = missing.includes("bash") || missing.includes("curl");

/** The blocks of commands in a document, which is a path from the root. */
export function blocksOf(document: string): string[] {
  const whole = readFileSync(join(root, document), "utf8");
  return Array.from(whole.matchAll(/^( *)```sh\n(.*?)^\1```$/gms), ([, , block = ""]) => block);
}

/** Those blocks for which this machine has every program. */
export const runnableOf = (document: string): string[] =>
  blocksOf(document).filter(
    (block) => !missing.some((program) => new RegExp(`\\b${program} `).test(block)),
  );

/** The world is there already, `slipway` is what people install, and a command that is refused ends the script. */
const stage = (slipway: string) => `
slipway() { "${process.execPath}" "${slipway}" "$@"; }
npm() {
  case "$*" in
    "run dev") ;;
    "run -s slipway -- "*) slipway "\${@:5}" ;;
    *) command npm "$@" ;;
  esac
}
curl() { command curl --fail-with-body "$@"; }
uuidgen() { echo a-key; }
`;

/** How many of the commands that ran are told of a script that fails. */
const lastCommands = 12;

/**
 * Runs blocks one after another, as they stand, in a checkout whose world is the one with this data. `all` tells of a
 * failure: both outputs, the last commands, and what the world's log warns of.
 */
export async function runBlocks(blocks: string[], data: string) {
  const script = [
    stage(await bundledFile()),
    "exec 3> .trace; BASH_XTRACEFD=3; set -x",
    ...blocks,
  ].join("\n");
  const cwd = checkout(data);
  const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    timeout: patience,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, "close"),
  ]);
  const last = readFileSync(join(cwd, ".trace"), "utf8").trimEnd().split("\n").slice(-lastCommands);
  const all = [stdout, stderr, "The last commands:", ...last, "Warnings:", ...warningsIn(data)];
  return { status, stdout, stderr, all: all.join("\n") };
}

function warningsIn(data: string): string[] {
  const lines = readFileSync(join(data, "slipway.log"), "utf8").split("\n");
  return lines.filter((line) => /"level":[456]0/.test(line)).slice(-20);
}

/** A folder that looks like the repository, with the world's data in it. */
function checkout(data: string): string {
  const home = mkdtempSync(join(tmpdir(), "slipway-docs-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const name of readdirSync(root).filter((name) => !/^\.(git|local|build)$/.test(name)))
    symlinkSync(join(root, name), join(home, name));
  mkdirSync(join(home, ".local"));
  for (const name of readdirSync(data)) symlinkSync(join(data, name), join(home, ".local", name));
  return home;
}
