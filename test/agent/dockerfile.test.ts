import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { agentPlace } from "../support/agent-process.ts";
import { until } from "../support/dev-process.ts";
import { openHome, temporaryFolder } from "../support/home.ts";
import { serveHub, TestHub } from "../support/hub-api.ts";

/** The image, as far as it can be proved without a container engine. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const dockerfile = readFileSync(join(root, "agent/Dockerfile"), "utf8");

/** Runs the image's own command, with the file elsewhere. */
function bundle(): string {
  const file = join(temporaryFolder(), "hub-agent.mjs");
  const [, command = ""] =
    /^RUN (node_modules\/.bin\/esbuild(?:.*\\\n)*.*)$/m.exec(dockerfile) ?? [];
  expect(command).toContain("--outfile=hub-agent.mjs");
  const here = command.replace("--outfile=hub-agent.mjs", `--outfile=${file}`);
  execFileSync("sh", ["-c", here], { cwd: root, stdio: "pipe" });
  return file;
}

it("has one file, which reports home all by itself", async () => {
  const file = bundle();
  expect(statSync(file).size).toBeLessThan(3 * 1024 * 1024);
  const hub = new TestHub();
  hub.createAgent("host-1");
  const server = await serveHub(hub.fetch);
  onTestFinished(() => server.close());
  const home = await openHome("hub-a");
  const token = await home.token("hub-a");
  const place = { hub: "hub-a", home: home.url, token, kubeconfig: server.kubeconfig };
  const agent = await agentPlace(place).start(file);
  await until(() => home.news().length > 0, "the agent's news");
  await until(async () => (await agent.health("/readyz")).status === 200, "the agent to be ready");
  agent.child.kill("SIGTERM");
  expect(await agent.exit).toMatchObject({ code: 0, stderr: "" });
});

it("runs as somebody who is not root, without a shell in between", () => {
  expect(dockerfile).toMatch(/^USER [1-9]\d*$/m);
  expect(dockerfile).toMatch(/^CMD \["node", "\/app\/hub-agent\.mjs"\]$/m);
});
