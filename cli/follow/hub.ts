import type { Around } from "../around.ts";
import type { Client } from "../client.ts";
import { type Exit, exits, Failure } from "../exit.ts";
import { allOf } from "../generic/list.ts";
import { nameOf } from "../output/columns.ts";
import { at, shown } from "../output/values.ts";
import { millisecondsIn } from "./follow.ts";

/** Waits until no cluster stands on a hub; each that goes, and each that is taken away, is a line. */

const pause = 5000;

interface Waited {
  client: Client;
  /** Its id. */
  hub: string;
  name: string;
  timeout?: string | undefined;
}

export async function untilEmpty(
  around: Around,
  { client, hub, name, timeout }: Waited,
): Promise<Exit> {
  const end =
    timeout === undefined ? Number.POSITIVE_INFINITY : around.now() + millisecondsIn(timeout);
  const interrupted = around.interrupted();
  const { out, err } = around;
  const known = new Map<string, string>();
  let isLost = false;
  const goesOn = (why: string): Exit => {
    err.write(`${why}; it stays cordoned. Go on with: slipway hub drain ${name} --wait\n`);
    return exits.running;
  };
  for (;;) {
    try {
      const { items } = await allOf(
        client,
        { path: "/api/private/v1/clusters" },
        {
          query: { filter: `this.status.hub == ${JSON.stringify(hub)}` },
          limit: Number.MAX_SAFE_INTEGER,
        },
      );
      if (isLost) err.write("Slipway answers again\n");
      isLost = false;
      const now = new Map(items.map((each) => [nameIn(each), shown(at(each, "status.state"))]));
      for (const [cluster, state] of now)
        if (state !== known.get(cluster)) out.write(`${cluster}  ${state}\n`);
      for (const cluster of known.keys())
        if (!now.has(cluster)) out.write(`${cluster}  gone; ${now.size} left\n`);
      known.clear();
      for (const [cluster, state] of now) known.set(cluster, state);
      if (now.size === 0) {
        out.write(`nothing stands on ${name}; it can be taken away: slipway hub delete ${name}\n`);
        return exits.done;
      }
    } catch (error) {
      if (!(error instanceof Failure && error.mayPass)) throw error;
      if (!isLost) err.write(`${error.message}; trying again\n`);
      isLost = true;
    }
    if (interrupted.aborted) return goesOn("not followed any more");
    const wait = Math.min(pause, end - around.now());
    if (wait <= 0) return goesOn(`not empty after ${timeout}`);
    await around.pause(wait, interrupted);
    if (interrupted.aborted) return goesOn("not followed any more");
  }
}

const nameIn = (cluster: unknown): string =>
  `${nameOf(cluster)} (${shown(at(cluster, "metadata.tenant"))})`;
