import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { WorldServers } from "../../sim/seed.ts";

const devSchema = z.object({
  api: z.string(),
  sim: z.string(),
  tokens: z.object({ admin: z.string(), "tenant-a": z.string(), "tenant-b": z.string() }),
  hubs: z.array(z.object({ id: z.string() })),
});
export type Dev = z.infer<typeof devSchema> & {
  /** Its data folder. */
  data: string;
};

/** A Slipway in a process and a folder of its own; `end` removes both. */
export interface World {
  /** The addresses of everything, once Slipway answers. Rejects when the process ends before that. */
  ready: Promise<Dev>;
  /** Rejects when the process ends without a request. */
  died: Promise<never>;
  end(): Promise<void>;
}

/** `servers`: the state of the world's hosts. */
export function startWorld(servers: WorldServers): World {
  const data = mkdtempSync(join(tmpdir(), "slipway-demo-"));
  const child = spawn(process.execPath, [fileURLToPath(new URL("../dev.ts", import.meta.url))], {
    env: { ...process.env, SLIPWAY_DATA: data, PORT: "0", SLIPWAY_SERVERS: servers },
    stdio: ["ignore", "pipe", "inherit"],
    // In a process group of its own: Ctrl-C ends only the demo, which then ends this process.
    detached: true,
  });
  const exit = once(child, "exit");
  let isEnding = false;
  const died = exit.then(([code, signal]): never | Promise<never> => {
    if (isEnding) return new Promise<never>(() => {});
    throw new Error(`Slipway ended by itself (${signal ?? `exit ${code}`})`);
  });
  const ready = lineOf(child, /^slipway ready /m).then(() => ({
    ...devSchema.parse(JSON.parse(readFileSync(join(data, "dev.json"), "utf8"))),
    data,
  }));
  return {
    ready: Promise.race([ready, died]),
    died,
    async end() {
      isEnding = true;
      child.kill("SIGTERM");
      await exit;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function lineOf(child: ChildProcess, line: RegExp): Promise<void> {
  return new Promise((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (line.test(text)) resolve();
    });
  });
}
