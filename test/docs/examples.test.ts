import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { operations } from "../../functions/api/docs/document.ts";
import { curl } from "../../functions/api/docs/operation.ts";
import { sharedDev } from "../support/dev-process.ts";

/** The commands that the documentation shows, in the world that it speaks of. */

const dev = sharedDev();
const hasShell = spawnSync("bash", ["-c", "curl --version"]).status === 0;

/** Ends with the first command that is refused. */
function shell(script: string, env: Record<string, string> = {}, cwd = ".") {
  const refusing = 'curl() { command curl -s --fail-with-body "$@"; }; uuidgen() { echo a-key; }';
  return spawnSync("bash", ["-euo", "pipefail", "-c", `${refusing}\n${script}`], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: 50_000,
  });
}

describe.skipIf(!hasShell)("the reference (needs bash and curl)", () => {
  // What examples speak of that nobody has seeded.
  beforeAll(async () => {
    await dev().api("POST", "projects", { metadata: { name: "web" } });
    await dev().admin("POST", "roles", {
      metadata: { name: "support" },
      spec: { grants: "tenant-user" },
    });
  });

  // What is listed of one object asks for its id.
  const shown = operations.filter(
    ({ id, path }) => /\.(list|create)$|^\//.test(id) && !path.includes("{"),
  );

  it.each(shown.map((operation) => [operation.id, operation] as const))(
    "has a command for %s that is accepted",
    (id, operation) => {
      const { api, tokens } = dev().dev;
      // The audit is asked for by tenant; nothing is left behind.
      const query = id.includes("audit") ? "?tenant=tenant-a" : "?dry_run=true";
      const path = operation.path;
      const { status, stdout, stderr } = shell(curl(operation).replace(path, path + query), {
        api,
        token: id.startsWith("private.") ? tokens.admin : tokens["tenant-a"],
      });
      expect(status, stdout + stderr).toBe(0);
    },
  );
});

describe.skipIf(!hasShell)("docs/api.md (needs bash and curl)", () => {
  it("has commands that do what it says", () => {
    const guide = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
    const blocks = Array.from(guide.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block);
    expect(blocks.length).toBeGreaterThan(8);
    const home = mkdtempSync(join(tmpdir(), "slipway-guide-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    symlinkSync(dev().data, join(home, ".local"));

    const { status, stdout, stderr } = shell(blocks.join("\n"), {}, home);
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).not.toMatch(/^undefined$/m);
    const said = stdout.trim().split("\n");
    expect(said).toEqual(expect.arrayContaining(["The shop", "blue", "3", "shop"]));
    expect(said.at(-1)).toContain("<title>Invalid request</title>");
  });
});
