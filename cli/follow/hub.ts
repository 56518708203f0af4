import type { DrainPlan } from "../../core/reconcile/drain-plan.ts";
import type { Around } from "../around.ts";
import type { Client } from "../client.ts";
import { CliFailure, type Exit, exits } from "../exit.ts";
import { shellWord } from "../output/shell-word.ts";
import { counted, shown } from "../output/values.ts";
import { millisecondsIn } from "./follow.ts";

/** Waits until nothing runs on a hub; prints a line for each object that is being removed or is gone. */

const pause = 5000;

interface Waited {
  client: Client;
  /** The hub's path in the API. */
  path: string;
  name: string;
  timeout?: string | undefined;
}

export async function untilEmpty(
  around: Around,
  { client, path, name, timeout }: Waited,
): Promise<Exit> {
  const end =
    timeout === undefined ? Number.POSITIVE_INFINITY : around.now() + millisecondsIn(timeout);
  const interrupted = around.interrupted();
  const { out, err } = around;
  const known = new Map<string, string>();
  let isLost = false;
  const goesOn = (why: string): Exit => {
    err.write(
      `${why}; it stays cordoned. Continue with: slipway hub drain ${shellWord(name)} --wait\n`,
    );
    return exits.running;
  };
  for (;;) {
    try {
      // The type is that of the API's schema.
      const { clusters, servers, hosts } = (await client.get(`${path}/drain_plan`, {}, interrupted))
        .body as DrainPlan;
      if (isLost) err.write("Slipway answers again\n");
      isLost = false;
      const now = new Map(
        [...clusters, ...servers].map((each) => [
          `${each.name} (${each.tenant})`,
          shown(each.state),
        ]),
      );
      for (const [name, state] of now)
        if (state !== known.get(name)) out.write(`${name}  ${state}\n`);
      for (const name of known.keys())
        if (!now.has(name)) out.write(`${name}  gone; ${now.size} left\n`);
      known.clear();
      for (const [name, state] of now) known.set(name, state);
      if (now.size === 0 && hosts.used === 0) {
        out.write(`${leftOf(name, hosts)}\n`);
        return exits.done;
      }
    } catch (error) {
      if (interrupted.aborted) return goesOn("no longer followed");
      if (!(error instanceof CliFailure && error.mayPass)) throw error;
      if (!isLost) err.write(`${error.message}; trying again\n`);
      isLost = true;
    }
    if (interrupted.aborted) return goesOn("no longer followed");
    const wait = Math.min(pause, end - around.now());
    if (wait <= 0) return goesOn(`not empty after ${timeout}`);
    await around.pause(wait, interrupted);
    if (interrupted.aborted) return goesOn("no longer followed");
  }
}

/** What remains on a hub without clusters: its hosts are deleted before it. */
export function leftOf(name: string, { total, used }: DrainPlan["hosts"]): string {
  if (used > 0)
    return `no cluster runs on ${name}; ${counted(used, "host")} of it ${used === 1 ? "is" : "are"} in use by tenants' servers, or not released yet`;
  if (total > 0)
    return `nothing runs on ${name}; ${counted(total, "host")} of it must be deleted first: slipway host delete`;
  return `nothing runs on ${name}; delete it with: slipway hub delete ${shellWord(name)}`;
}
