import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { until } from "./dev-process.ts";
import { temporaryFolder } from "./home.ts";

const main = fileURLToPath(new URL("../../agent/main.ts", import.meta.url));

interface Exit {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What Node has compiled before: of no concern to the agent. */
const { NODE_COMPILE_CACHE = "" } = process.env;

/** A real `node agent/main.ts` with these variables and no others; ended with the test. */
export function runAgent(environment: Record<string, string>, file = main) {
  const child = spawn(process.execPath, [file], {
    env: { NODE_COMPILE_CACHE, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exit: Promise<Exit> = once(child, "close").then(([code]) => ({ code, stdout, stderr }));
  const kill9 = async () => {
    child.kill("SIGKILL");
    await exit;
  };
  onTestFinished(kill9);
  return { child, exit, kill9, output: () => stdout + stderr };
}

export interface Place {
  hub: string;
  /** Of the API. */
  home: string;
  token: string;
  kubeconfig: string;
}

/** Where an agent lives: its files outlive its processes. */
export function agentPlace({ hub, home, token, kubeconfig }: Place) {
  const folder = temporaryFolder();
  const tokenFile = join(folder, "token");
  const setToken = (text: string) => writeFileSync(tokenFile, `${text}\n`, { mode: 0o600 });
  setToken(token);
  writeFileSync(join(folder, "kubeconfig"), kubeconfig, { mode: 0o600 });
  const environment = {
    SLIPWAY_HUB: hub,
    SLIPWAY_URL: home,
    SLIPWAY_TOKEN_FILE: tokenFile,
    KUBECONFIG: join(folder, "kubeconfig"),
    SLIPWAY_QUEUE: join(folder, "queue"),
    SLIPWAY_HEALTH_PORT: "0",
    SLIPWAY_HEALTH_HOST: "127.0.0.1",
  };
  return {
    setToken,
    environment,
    queue: join(folder, "queue", "queue.jsonl"),
    /** Resolves once it says that it runs. */
    async start(file?: string) {
      const agent = runAgent(environment, file);
      const told = () => /"health_port":(\d+)/.exec(agent.output())?.[1];
      await until(() => told() !== undefined, "the agent's first line");
      const health = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${told()}${path}`);
        return { status: response.status, body: await response.json() };
      };
      return { ...agent, health };
    },
  };
}
