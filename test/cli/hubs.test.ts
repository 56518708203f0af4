import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { agentPlace } from "../support/agent-process.ts";
import { type DevProcess, sharedDev, until } from "../support/dev-process.ts";
import { temporaryFolder } from "../support/home.ts";

/** `slipway hub` against a laptop's Slipway, up to a hub agent that is heard. */

const script = fileURLToPath(new URL("../../cli/slipway.js", import.meta.url));
const shared = sharedDev();

async function hubs({ dev }: DevProcess, token: string, ...args: string[]) {
  const child = spawn(process.execPath, [script, "hub", ...args], {
    env: { ...process.env, SLIPWAY_URL: dev.api, SLIPWAY_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  const [code] = await once(child, "close");
  return { code, stdout: stdout?.() ?? "", stderr: stderr?.() ?? "" };
}

/** A hub of the simulated world that nobody has registered, as a file. */
async function newHub({ sim }: DevProcess, id: string) {
  const { body } = await sim("POST", "hubs", { id, region: "west" });
  const file = join(temporaryFolder(), "kubeconfig");
  writeFileSync(file, body.kubeconfig);
  return { file, kubeconfig: String(body.kubeconfig) };
}

it("registers a hub and prints values with which an agent is heard for that hub only", async () => {
  const dev = shared();
  const { file, kubeconfig } = await newHub(dev, "hub-west");
  const call = ["register", "--name", "hub-west", "--kubeconfig", file, "--region", "west"];
  const rest = ["--capacity", "5", "--base-domain", "west.example.com"];
  const { code, stdout, stderr } = await hubs(dev, dev.dev.tokens.admin, ...call, ...rest);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("ok       has hostedclusters.hypershift.openshift.io/v1beta1");
  expect(stderr).toContain("helm upgrade --install");
  expect(stderr).not.toContain(parse(stdout).token);

  const values = parse(stdout);
  expect(values).toEqual({ hub: expect.any(String), api: dev.dev.api, token: expect.any(String) });
  const place = agentPlace({ ...values, home: values.api, kubeconfig });
  const agent = await place.start();
  await until(async () => (await agent.health("/readyz")).status === 200, "the agent to be ready");
  const other = agentPlace({ ...values, hub: "hub-a", home: values.api, kubeconfig });
  const impostor = await other.start();
  await until(async () => impostor.output().includes("another hub's"), "the refusal");

  const again = await hubs(dev, dev.dev.tokens.admin, ...call);
  expect(again).toMatchObject({ code: 0, stdout });
});

it("a cluster that is a hub is not registered as another one", async () => {
  const dev = shared();
  const [hub] = dev.dev.hubs;
  const again = ["--kubeconfig", hub?.kubeconfig ?? "", "--region", "west", "--capacity", "5"];
  const call = ["register", "--name", "hub-twice", "--base-domain", "w.example.com", ...again];
  const answer = await hubs(dev, dev.dev.tokens.admin, ...call);
  expect(answer).toMatchObject({ code: 1, stdout: "" });
  expect(answer.stderr).toContain(`this cluster is already registered as hub '${hub?.id}'`);
});

it("a tenant registers nothing, and gets no token", async () => {
  const dev = shared();
  const { file } = await newHub(dev, "hub-north");
  const call = ["register", "--name", "hub-north", "--kubeconfig", file, "--region", "north"];
  const answer = await hubs(dev, dev.dev.tokens["tenant-a"], ...call);
  expect(answer).toMatchObject({ code: 1, stdout: "" });
  expect(answer.stderr).toContain("permission denied");
  const minted = await fetch(`${dev.dev.issuer}/hub-tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${dev.dev.tokens["tenant-a"]}` },
    body: JSON.stringify({ hub: "hub-a" }),
  });
  expect(minted.status).toBe(403);
});

it("a call that makes no sense is told how it is done", async () => {
  const answer = await hubs(shared(), "any", "register", "--name", "hub-west");
  expect(answer).toMatchObject({ code: 2, stdout: "" });
  expect(answer.stderr).toContain("--kubeconfig <file>");
});
