import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { sharedDev, until } from "../support/dev-process.ts";
import { temporaryFolder } from "../support/home.ts";

/** Commands that are shown for a hub and for a cluster's own API, where kubectl is there to try them. */

const dev = sharedDev();
const repository = fileURLToPath(new URL("../..", import.meta.url));
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const hasShell = has("bash", "-c", "true");
const hasKubectl = has("kubectl", "version", "--client");
if (!hasKubectl) console.log("kubectl is not installed: what needs it is skipped");

/** The lines of a document's shell blocks in which `text` stands. */
function shown(document: string, text: string): string[] {
  const guide = readFileSync(join(repository, "docs", document), "utf8");
  const blocks = Array.from(guide.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = ""]) => block);
  return blocks
    .flatMap((block) => block.replaceAll("\\\n", "").split("\n"))
    .filter((line) => line.includes(text));
}

/** A folder in which `npm run` works, and what is written does not stay. */
function workplace(): string {
  const folder = temporaryFolder();
  for (const name of ["package.json", "cli", "core", "node_modules"])
    symlinkSync(join(repository, name), join(folder, name));
  return folder;
}

function shell(script: string, cwd: string, env: Record<string, string> = {}) {
  return spawnSync("bash", ["-euo", "pipefail", "-c", script], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
}

describe.skipIf(!hasShell || !hasKubectl)("docs/hub-agent.md (needs bash and kubectl)", () => {
  it("gives rights to a hub's API as kubectl reads them", () => {
    const [tried, ...rest] = shown("hub-agent.md", "hubs -- rights");
    expect(tried).toContain("--dry-run=client");
    const [hub] = dev().dev.hubs;
    const folder = workplace();
    const env = { KUBECONFIG: hub?.kubeconfig ?? "", HOME: folder };
    const { status, stdout, stderr } = shell(tried ?? "", folder, env);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain("clusterrole.rbac.authorization.k8s.io/slipway");
    for (const command of rest) {
      const applied = shell(command, folder, env);
      expect(applied.status, applied.stderr).toBe(0);
    }
  });
});

const needs = [
  ["openssl", "version"],
  ["jq", "--version"],
  ["curl", "--version"],
] as const;
const missing = needs.filter(([program, ...args]) => !has(program, ...args));
const hasTools = hasShell && hasKubectl && missing.length === 0;
if (missing.length > 0) console.log(`${missing.join()} is not installed: what needs it is skipped`);

describe.skipIf(!hasTools)("docs/cluster-changes.md (needs openssl, jq, curl and kubectl)", () => {
  it("gets a credential that opens the cluster until it is revoked", async () => {
    const { order, succeeded, api } = dev();
    const { id, operation } = await order("broken-glass");
    await succeeded(operation);
    const guide = readFileSync(join(repository, "docs", "cluster-changes.md"), "utf8");
    const [block = ""] = Array.from(
      guide.matchAll(/^```sh\n(.*?)^```$/gms),
      ([, text = ""]) => text,
    ).filter((text) => text.includes("/credentials"));
    const folder = temporaryFolder();
    symlinkSync(dev().data, join(folder, ".local"));
    const env = { HOME: folder, id };
    const open = "kubectl --kubeconfig admin.kubeconfig get nodes";
    expect(block).toContain(open);
    const opened = shell(block, folder, env);
    expect(opened.status, opened.stdout + opened.stderr).toBe(0);
    expect(opened.stdout.match(/ Ready /g)).toHaveLength(2);

    const path = `clusters/${id}/credentials`;
    expect((await api("POST", `${path}/revoke`, {})).status).toBe(200);
    const isRevoked = async () =>
      (await api("GET", path)).body.revocation.state === "REVOCATION_STATE_REVOKED";
    await until(isRevoked, "the revocation");
    expect(shell(open, folder, env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("Unauthorized"),
    });
  });
});

it("prints the rights for another account in another namespace", () => {
  const script = join(repository, "cli", "slipway.js");
  const args = [script, "hub", "rights", "--name", "control", "--namespace", "platform"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status).toBe(0);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  const bindings = objects.filter(({ kind }) => kind.endsWith("RoleBinding"));
  const subjects = [{ kind: "ServiceAccount", name: "control", namespace: "platform" }];
  expect(bindings).toHaveLength(3);
  for (const binding of bindings) expect(binding.subjects).toEqual(subjects);
  expect(objects.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["Namespace", "ServiceAccount", "Secret", "ClusterRole", "Role"]),
  );
});

it.each([
  ["audit", "verify"],
  ["hubs", "register"],
  ["inventory", "import"],
  ["sites", "check"],
  ["templates", "publish"],
])("npm run %s has %s, and says how it is called", (name, verb) => {
  const args = ["run", "--silent", name, "--", verb, "--help"];
  const { status, stdout, stderr } = spawnSync("npm", args, { cwd: repository, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^Usage: slipway .* ${verb} `));
});
