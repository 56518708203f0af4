import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";

/**
 * Runs a command in a process group of its own. Answers its exit code; undefined where `until` ended it. Then the whole
 * group is terminated, and killed where something of it is still there after `grace` ms.
 */
export async function runInGroup(
  file: string,
  command: string[],
  { env, until, grace = 10_000 }: { env: NodeJS.ProcessEnv; until: AbortSignal; grace?: number },
): Promise<number | undefined> {
  if (until.aborted) return undefined;
  const child = spawn(file, command, { env, stdio: "inherit", detached: true });
  const { pid } = child;
  const exited = once(child, "exit");
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  until.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([exited, aborted.promise]);
    if (!until.aborted || pid === undefined) return child.exitCode ?? 1;
    send(pid, "SIGTERM");
    const end = performance.now() + grace;
    while (send(pid, 0)) {
      if (performance.now() > end) {
        send(pid, "SIGKILL");
        break;
      }
      await after(50);
    }
    await exited;
    return undefined;
  } finally {
    until.removeEventListener("abort", abort);
  }
}

/** Whether the group was there to take the signal. */
function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
