import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, onTestFinished } from "vitest";
import { z } from "zod";
import type { LedgerItem } from "../../sim/ledger.ts";
import { ownPorts } from "./own-ports.ts";
import { patience } from "./patience.ts";
import type { Answer, Wire } from "./site.ts";

/** What dev.json holds (docs/local.md#the-data-folder). */
export interface DevJson {
  api: string;
  console: string | null;
  sim: string;
  stepfunctions: string;
  issuer: string;
  tokens: Record<"admin" | "tenant-a" | "tenant-b", string>;
  hubs: { id: string; kubeconfig: string }[];
}

/** Takes what is to be done when the process is no longer needed. */
type OnEnd = (end: () => Promise<void> | void) => void;

export interface DevOptions {
  /** A folder to go on with; a new one unless told. */
  data?: string;
  /** Simulated seconds per second. */
  speed?: number;
  env?: Record<string, string>;
  /** With the test unless told. */
  onEnd?: OnEnd;
  /** Started by npm, as its users do. Most tests do without: npm alone takes half a second. */
  byNpm?: boolean;
}

export interface Exit {
  code: number | null;
  output: string;
}

/** A Slipway on this machine, as its people use it. */
export interface DevClient {
  /** Asks the public API as tenant-a, unless told otherwise. */
  api(method: string, path: string, body?: unknown, as?: keyof DevJson["tokens"]): Promise<Answer>;
  /** Asks the private API as the administrator. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  sim(method: string, path: string, body?: unknown): Promise<Answer>;
  ledger(): Promise<LedgerItem[]>;
  /** Orders a cluster of tenant-a. */
  order(name: string, spec?: object): Promise<{ id: string; operation: string }>;
  operation(id: string): Promise<Wire>;
  /** The operation, once it has ended. */
  ended(id: string): Promise<Wire>;
  /** As `ended`. Throws what it failed for when it did not succeed. */
  succeeded(id: string): Promise<Wire>;
  /** Deletes a cluster; resolves when nothing is left of it. */
  remove(cluster: string): Promise<void>;
}

/** A real process of `npm run dev` in a folder of its own; ended with the test. */
export interface DevProcess extends DevClient {
  data: string;
  dev: DevJson;
  /** What was started: npm, or node itself. */
  child: ChildProcess;
  /** Of node. */
  pid: number;
  /** Kills node as `kill -9` does, and npm if it started node. */
  kill9(): Promise<void>;
  /** SIGTERM to node; answers how what was started ended. */
  terminate(): Promise<Exit>;
}

/** A folder that is gone when the test has finished. */
export function dataFolder(onEnd: OnEnd = onTestFinished): string {
  const data = mkdtempSync(join(tmpdir(), "slipway-test-"));
  onEnd(() => rmSync(data, { recursive: true, force: true }));
  return data;
}

/** Starts `npm run <script>`; answers the process and what it has printed so far. */
export const npmRun = (
  script: string,
  env: Record<string, string>,
  { onEnd, args = [] }: { onEnd?: OnEnd; args?: string[] } = {},
) => run(["npm", "run", "--silent", script, "--", ...args], env, onEnd);

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

/** As `npmRun`, by the shell alone. */
const shellRun = (script: string, env: Record<string, string>, { onEnd }: { onEnd?: OnEnd } = {}) =>
  run(["sh", "-c", String(scripts[script])], env, onEnd);

function run(
  [command = "", ...args]: string[],
  env: Record<string, string>,
  onEnd: OnEnd = onTestFinished,
) {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, so that a test can end all of it.
    detached: true,
  });
  let output = "";
  const add = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  const exit: Promise<Exit> = once(child, "close").then(([code]) => ({ code, output }));
  onEnd(async () => {
    killGroup(child);
    await exit;
  });
  return { child, exit, output: () => output };
}

export async function startDev(options: DevOptions = {}): Promise<DevProcess> {
  const { onEnd = onTestFinished, speed = 300 } = options;
  const data = options.data ?? dataFolder(onEnd);
  const env = {
    SLIPWAY_DATA: data,
    PORT: "0",
    SLIPWAY_FIRST_PORT: String(await ownPorts()),
    SLIPWAY_SIM_SPEED: String(speed),
    ...options.env,
  };
  const { child, exit, output } = (options.byNpm ? npmRun : shellRun)("dev", env, { onEnd });
  let hasEnded = false;
  void exit.then(() => {
    hasEnded = true;
  });
  await until(() => {
    if (hasEnded) throw new Error(`npm run dev ended: ${output()}`);
    return /^slipway ready \S+$/m.test(output());
  }, "the line 'slipway ready'");
  const dev = devJsonIn(data);
  const pid = Number(readFileSync(join(data, "pid"), "utf8"));
  return {
    data,
    dev,
    child,
    pid,
    ...devClient(dev),
    async kill9() {
      process.kill(pid, "SIGKILL");
      child.kill("SIGKILL");
      await exit;
      await until(() => !isAlive(pid), "the end of the process");
    },
    async terminate() {
      process.kill(pid, "SIGTERM");
      return exit;
    },
  };
}

export const devJsonIn = (data: string): DevJson =>
  JSON.parse(readFileSync(join(data, "dev.json"), "utf8"));

export function devClient(dev: DevJson): DevClient {
  const ask = async (url: string, method: string, body?: unknown, token?: string) => {
    const response = await fetch(url, {
      method,
      headers: {
        // A test that runs a command stands still, and would find a kept connection closed.
        connection: "close",
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  };
  const api: DevClient["api"] = (method, path, body, as = "tenant-a") =>
    ask(`${dev.api}/api/fulfillment/v1/${path}`, method, body, dev.tokens[as]);
  const sim: DevClient["sim"] = (method, path, body) => ask(`${dev.sim}/${path}`, method, body);
  const operation = async (id: string) => (await api("GET", `operations/${id}`)).body;
  const ended = async (id: string) => {
    let last: Wire;
    await until(async () => {
      last = await operation(id);
      return /SUCCEEDED|FAILED|CANCELLED|STUCK/.test(last.status.state);
    }, `the end of operation ${id}`);
    return last;
  };
  const succeeded = async (id: string) => {
    const { status, ...rest } = await ended(id);
    if (status.state === "OPERATION_STATE_SUCCEEDED") return { status, ...rest };
    throw new Error(`operation ${id} ended ${status.state}: ${JSON.stringify(status.failure)}`);
  };

  return {
    api,
    sim,
    operation,
    admin: (method, path, body) =>
      ask(`${dev.api}/api/private/v1/${path}`, method, body, dev.tokens.admin),
    ledger: async () => (await sim("GET", "ledger")).body.items,
    async order(name, spec = {}) {
      const { status, headers, body } = await api("POST", "clusters", {
        metadata: { name },
        spec: { template: { id: "ocp_4_17_small" }, ...spec },
      });
      if (status !== 200) throw new Error(`the order was refused: ${JSON.stringify(body)}`);
      return { id: body.id, operation: operationIn(headers) };
    },
    ended,
    succeeded,
    async remove(cluster) {
      const { status, headers, body } = await api("DELETE", `clusters/${cluster}`);
      if (status !== 200) throw new Error(`the deletion was refused: ${JSON.stringify(body)}`);
      await succeeded(operationIn(headers));
    },
  };
}

/** One for all tests of a file, started before them. Call it where tests are declared. */
export function sharedDev(options: DevOptions = {}): () => DevProcess {
  let shared: DevProcess | undefined;
  beforeAll(async () => {
    const ends: (() => Promise<void> | void)[] = [];
    const endAll = async () => {
      for (const end of ends.toReversed()) await end();
    };
    try {
      shared = await startDev({ ...options, onEnd: (end) => ends.push(end) });
    } catch (error) {
      await endAll();
      throw error;
    }
    return endAll;
  });
  return () => {
    if (!shared) throw new Error("it is started before the tests, not before they are declared");
    return shared;
  };
}

/** The id of the operation that a write has started. */
export function operationIn(headers: Headers): string {
  return headers.get("operation-location")?.split("/").at(-1) ?? "";
}

/** Asks again and again, at once when the answer took long. Throws when it does not come to hold. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  seen?: () => unknown,
): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) {
      const instead = seen ? `; there is ${JSON.stringify(seen())}` : "";
      throw new Error(`waited in vain for ${what}${instead}`);
    }
    await pause(20);
  }
}

/** A process that has ended and that nobody has asked for yet is dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return process.platform !== "linux";
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended.
  }
}

function parsed(text: string): Wire {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
