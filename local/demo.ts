import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parse } from "yaml";
import { getJson } from "./kubeconfig-client.ts";

/**
 * The main job, told as it happens: a world of its own, one order from POST to READY, its
 * kubeconfig, a scale, a deletion, and a look at what is left.
 */

interface Operation {
  status: {
    state: string;
    steps?: Step[];
    failure?: { step: string; message: string };
    placement?: { reason?: string };
  };
}

interface Step {
  name: string;
  state: string;
  message?: string;
}

interface Cluster {
  id: string;
  status: {
    state: string;
    api_url?: string;
    console_url?: string;
    node_sets?: Record<string, { size: number }>;
  };
}

const began = Date.now();

const data = mkdtempSync(join(tmpdir(), "slipway-demo-"));
const world = spawn(process.execPath, [new URL("dev.ts", import.meta.url).pathname], {
  env: { ...process.env, SLIPWAY_DATA: data, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
process.once("SIGINT", () => process.exit(130));
process.once("exit", () => {
  world.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

try {
  await main();
  await ended(world);
} catch (error) {
  console.error(`the demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
process.exit();

async function main(): Promise<void> {
  const api = await ready(world);
  const dev = JSON.parse(readFileSync(join(data, "dev.json"), "utf8"));
  const token: string = dev.tokens["tenant-a"];
  const hubs: { id: string }[] = dev.hubs;
  say(
    `Slipway runs at ${api}, with ${hubs.length} simulated hubs; one second is a simulated minute`,
  );

  say();
  say("POST /api/fulfillment/v1/clusters  {template: ocp_4_17_small, workers: 2}");
  const order = await call<Cluster>(api, token, "POST", "clusters", {
    metadata: { name: "demo" },
    spec: { template: { id: "ocp_4_17_small" }, node_sets: { workers: { size: 2 } } },
  });
  await follow(api, token, order.operation);
  const cluster = await call<Cluster>(api, token, "GET", `clusters/${order.body.id}`);
  say(`READY. API      ${cluster.body.status.api_url}`);
  say(`       console  ${cluster.body.status.console_url}`);

  say();
  const kubeconfig = await callText(api, token, `clusters/${order.body.id}/kubeconfig`);
  const { clusters } = parse(kubeconfig) as { clusters: { cluster: { server: string } }[] };
  say(`GET /clusters/${order.body.id}/kubeconfig → ${clusters[0]?.cluster.server}`);
  for (const node of await nodes(kubeconfig)) say(`       node ${node}`);

  say();
  say("PATCH /clusters/demo  {workers: 3}");
  const scale = await call<Cluster>(api, token, "PATCH", `clusters/${order.body.id}`, {
    spec: { node_sets: { workers: { size: 3 } } },
  });
  await follow(api, token, scale.operation);
  for (const node of await nodes(kubeconfig)) say(`       node ${node}`);

  say();
  say("DELETE /clusters/demo");
  const deletion = await call<unknown>(api, token, "DELETE", `clusters/${order.body.id}`);
  await follow(api, token, deletion.operation);

  say();
  const left = await owned(dev.sim);
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
  say("nothing left: every host is free again, and no object on any hub belongs to the order");
}

function say(text = ""): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(1).padStart(5);
  console.log(text === "" ? "" : `${seconds}s  ${text.split("\n")[0]}`);
}

/** The world's first line tells where its API is. */
function ready(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const [, url] = /^slipway ready (\S+)/m.exec(text) ?? [];
      if (url) resolve(url);
    });
    child.once("exit", (code) =>
      reject(new Error(`the world ended with ${code} before it was ready`)),
    );
  });
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await exit;
}

async function request(
  api: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await fetch(`${api}/api/fulfillment/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

async function call<T>(api: string, token: string, method: string, path: string, body?: unknown) {
  const response = await request(api, token, method, path, body);
  const operation = response.headers.get("operation-location")?.split("/").at(-1) ?? "";
  return { body: (await response.json()) as T, operation };
}

async function callText(api: string, token: string, path: string): Promise<string> {
  return (await request(api, token, "GET", path)).text();
}

/** Tells each step as it happens, until the operation has ended. */
async function follow(api: string, token: string, id: string): Promise<void> {
  const told = new Map<string, string>();
  for (;;) {
    const { body } = await call<Operation>(api, token, "GET", `operations/${id}`);
    const { state, steps = [], failure, placement } = body.status;
    for (const step of steps) {
      const line = describe(step);
      if (line === undefined || told.get(step.name) === line) continue;
      told.set(step.name, line);
      say(line);
      if (step.name === "ReserveCapacity" && step.state === "SUCCEEDED" && placement?.reason) {
        say(`    ${placement.reason}`);
      }
    }
    if (state.endsWith("SUCCEEDED")) return;
    if (/FAILED|CANCELLED|STUCK/.test(state))
      throw new Error(`${state} at ${failure?.step}: ${failure?.message}`);
    await pause(250);
  }
}

function describe({ name, state, message }: Step): string | undefined {
  if (state === "SUCCEEDED") return `  ✔ ${name}`;
  if (state === "WAITING" && message) return `  … ${name} waits for ${message}`;
  if (state === "FAILED") return `  ✘ ${name}: ${message}`;
  return undefined;
}

async function nodes(kubeconfig: string): Promise<string[]> {
  const list = (await getJson(kubeconfig, "/api/v1/nodes")) as {
    items: {
      metadata: { name: string };
      status?: { conditions?: { type: string; status: string }[] };
    }[];
  };
  return list.items.map(({ metadata, status }) => {
    const ready = status?.conditions?.some(
      ({ type, status: is }) => type === "Ready" && is === "True",
    );
    return `${metadata.name} ${ready ? "Ready" : "NotReady"}`;
  });
}

/** Everything outside that still belongs to an order. */
async function owned(sim: string): Promise<string[]> {
  const response = await fetch(`${sim}/ledger`);
  const { items } = (await response.json()) as {
    items: { kind: string; id: string; owner: unknown }[];
  };
  return items.filter((item) => item.owner !== null).map((item) => `${item.kind} ${item.id}`);
}
