import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sharedDev } from "../support/dev-process.ts";
import {
  blocksOf,
  lacksShell,
  missing,
  root,
  runBlocks,
  runnableOf,
} from "../support/document-commands.ts";

/** Every command that a document shows, run as it stands in the world of `npm run dev`. */

const documents = [
  "README.md",
  "CONTRIBUTING.md",
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
  [/site\.json/, "systems of a provider: first-cluster.test.ts has them"],
  [/\/credentials"/, "a cluster that is READY: hub-commands.test.ts has one"],
  [
    /SLIPWAY_SERVERS=dpus/,
    "a world of its own, and minutes: test/local/demo.test.ts goes this way",
  ],
];

/** Lines that the commands of a document print, among others, on either output. */
const printed: Record<string, (string | RegExp)[]> = {
  "docs/local.md": ["[ 'ocp_4_17_ai', 'ocp_4_17_single_node', 'ocp_4_17_small' ]", /^hub-a|Ready/],
  "docs/api.md": ["The shop", "blue", "3", "shop", /<title>Invalid request/],
  "docs/events.md": [/0 faults/],
};

/** Those that can be run here. */
const runnable = (document: string): string[] =>
  runnableOf(document).filter((block) => !elsewhere.some(([words]) => words.test(block)));

const dev = sharedDev();

describe.skipIf(lacksShell)("the commands of", () => {
  if (missing.length > 0) console.log(`skipped, as these are not there: ${missing.join(", ")}`);

  it.each(documents.filter((document) => runnable(document).length > 0))(
    "%s do what they show",
    async (document) => {
      const { status, stdout, stderr, all } = await runBlocks(runnable(document), dev().data);
      expect(status, all).toBe(0);
      // What `get` prints of a member that is not there.
      expect(stdout).not.toMatch(/^undefined$/m);
      const lines = `${stdout}\n${stderr}`.split("\n");
      for (const line of printed[document] ?? [])
        expect(lines).toContainEqual(typeof line === "string" ? line : expect.stringMatching(line));
    },
  );
});

it("are in blocks of sh, and what is not run of them is there", () => {
  const texts = documents.map((document) => readFileSync(join(root, document), "utf8"));
  const others = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/^ *```(?!sh$)\w*\n((?:npm|npx|node|slipway|curl|kubectl|aws) .*)$/gm),
      ([, line]) => line,
    ),
  );
  expect(others).toEqual([]);
  const blocks = documents.flatMap(blocksOf);
  const unmet = elsewhere.filter(([words]) => !blocks.some((block) => words.test(block)));
  expect(unmet).toEqual([]);
});

it("mean the same by the same variable in every document", () => {
  const names = /^\s*(api|private|events|auth|admin|sim|stepfunctions|issuer)=/m;
  const own = documents.filter((document) => blocksOf(document).some((block) => names.test(block)));
  expect(own).toEqual([]);
});
