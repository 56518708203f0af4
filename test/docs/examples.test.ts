import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../functions/api/docs/document.ts";
import { curl } from "../../functions/api/docs/operation.ts";
import { sharedDev } from "../support/dev-process.ts";

/** The commands that the reference shows. */

const dev = sharedDev();
const hasShell = spawnSync("bash", ["-c", "curl --version"]).status === 0;

/** Ends with the first command that is refused. */
function shell(script: string, env: Record<string, string>) {
  const refusing = 'curl() { command curl -s --fail-with-body "$@"; }';
  return spawnSync("bash", ["-euo", "pipefail", "-c", `${refusing}\n${script}`], {
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
