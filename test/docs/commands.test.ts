import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { sharedDev } from "../support/dev-process.ts";
import { patience } from "../support/patience.ts";

/** Every command that a document shows, run as it stands in the world of `npm run dev`. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const documents = [
  "README.md",
  "templates/README.md",
  "stages/README.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** What a test cannot have, by what a block of commands says. */
const elsewhere: [RegExp, string][] = [
  [/^npm ci/m, "it is what runs this test"],
  [/\baws |sst deploy/, "AWS"],
  [/docker build|helm |kubectl apply -f -/, "a registry and a hub"],
  [/device_authorization/, "somebody who chooses who they are"],
  [/site\.json/, "systems of a provider"],
  [/\/credentials"/, "a cluster that is READY: hub-commands.test.ts has one"],
  [/ann\.csr/, "a caller of that name: see hub-commands.test.ts"],
];

/** Lines that the commands of a document print, among others, on either output. */
const printed: Record<string, (string | RegExp)[]> = {
  "docs/local.md": ["[ 'ocp_4_17_ai', 'ocp_4_17_single_node', 'ocp_4_17_small' ]", /^hub-a|Ready/],
  "docs/api.md": ["The shop", "blue", "3", "shop", /<title>Invalid request/],
  "docs/events.md": [/0 faults/],
};

const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
const missing = ["bash", "curl", "kubectl", "openssl", "jq"].filter((program) => !has(program));

function blocksOf(document: string): string[] {
  const text = readFileSync(join(root, document), "utf8");
  return Array.from(text.matchAll(/^( *)```sh\n(.*?)^\1```$/gms), ([, , block = ""]) => block);
}

/** Those that can be run here. */
const runnable = (document: string): string[] =>
  blocksOf(document).filter(
    (block) =>
      !elsewhere.some(([words]) => words.test(block)) &&
      !missing.some((program) => new RegExp(`\\b${program} `).test(block)),
  );

/** The world is there already; a command that is refused ends the script. */
const stage = `
npm() { [ "$*" = "run dev" ] || command npm "$@"; }
curl() { command curl --fail-with-body "$@"; }
uuidgen() { echo a-key; }
`;

const dev = sharedDev();

/** A folder that looks like the repository, with the world's data in it. */
function checkout(): string {
  const home = mkdtempSync(join(tmpdir(), "slipway-docs-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const name of readdirSync(root).filter((name) => !/^(\.git|\.local)$/.test(name)))
    symlinkSync(join(root, name), join(home, name));
  mkdirSync(join(home, ".local"));
  for (const name of readdirSync(dev().data))
    symlinkSync(join(dev().data, name), join(home, ".local", name));
  return home;
}

describe.skipIf(missing.includes("bash") || missing.includes("curl"))("the commands of", () => {
  if (missing.length > 0) console.log(`skipped, as these are not there: ${missing.join(", ")}`);

  it.each(documents.filter((document) => runnable(document).length > 0))(
    "%s do what they show",
    (document) => {
      const script = [stage, ...runnable(document)].join("\n");
      const { status, stdout, stderr } = spawnSync("bash", ["-euo", "pipefail", "-c", script], {
        cwd: checkout(),
        encoding: "utf8",
        timeout: patience,
      });
      expect(status, `${stdout}\n${stderr}`).toBe(0);
      // What `get` prints of a member that is not there.
      expect(stdout).not.toMatch(/^undefined$/m);
      const lines = `${stdout}\n${stderr}`.split("\n");
      for (const line of printed[document] ?? [])
        expect(lines).toContainEqual(typeof line === "string" ? line : expect.stringMatching(line));
    },
  );
});

it("mean the same by the same variable in every document", () => {
  const names = /^\s*(api|private|events|auth|admin|sim|stepfunctions|issuer)=/m;
  const own = documents.filter((document) => blocksOf(document).some((block) => names.test(block)));
  expect(own).toEqual([]);
});
