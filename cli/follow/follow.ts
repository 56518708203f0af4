import type { CommandArea } from "../api/operations.ts";
import type { Around, Screen } from "../around.ts";
import type { Client } from "../client.ts";
import { CliFailure, type Exit, exits, wrongCall } from "../exit.ts";
import { shellWord } from "../output/shell-word.ts";
import { type FollowedOperation, hasEnded, operationIn } from "./operation.ts";
import { Tree } from "./tree.ts";

/** Follows an operation to its end, through lost connections, until Ctrl-C or a timeout. */

const pause = 1000;
const longestPause = 15_000;

interface Followed {
  client: Client;
  area: CommandArea;
  id: string;
  /** Where the steps are shown. */
  screen: Screen;
  /** Such as `30m`; no limit by default. */
  timeout?: string | undefined;
  /** The command to follow the operation again, if other than the general one. */
  again?: string;
}

export async function follow(
  around: Around,
  {
    client,
    area,
    id,
    screen,
    timeout,
    again = `slipway operation watch ${shellWord(id)}`,
  }: Followed,
): Promise<{ exit: Exit; last: FollowedOperation | undefined }> {
  const end =
    timeout === undefined ? Number.POSITIVE_INFINITY : around.now() + millisecondsIn(timeout);
  const interrupted = around.interrupted();
  const base = area === "private" ? "/api/private/v1" : "/api/fulfillment/v1";
  const tree = new Tree(screen);
  let last: FollowedOperation | undefined;
  let lost = 0;
  const goesOn = (why: string) => {
    tree.say(`${why}; the operation continues. Follow it with: ${again}`);
    return { exit: exits.running, last };
  };
  for (;;) {
    try {
      const path = `${base}/operations/${encodeURIComponent(id)}`;
      const { body } = await client.get(path, {}, interrupted);
      if (lost > 0) tree.say("Slipway answers again");
      lost = 0;
      last = operationIn(body);
      tree.show(last);
      if (hasEnded(last)) return { exit: exitOf(last), last };
    } catch (error) {
      if (interrupted.aborted) return goesOn("no longer followed");
      if (!(error instanceof CliFailure)) throw error;
      if (!error.mayPass) {
        if (!last) throw error;
        // A lost login or permission does not end the operation.
        const details = [...error.details, `the operation continues. Follow it with: ${again}`];
        throw new CliFailure(error.exit, error.message, { details });
      }
      if (lost === 0) tree.say(`${error.message}; trying again`);
      lost += 1;
    }
    if (interrupted.aborted) return goesOn("no longer followed");
    const wait = Math.min(pause * 2 ** Math.min(lost, 4), longestPause, end - around.now());
    if (wait <= 0) return goesOn(`not done after ${timeout}`);
    await around.pause(wait, interrupted);
    if (interrupted.aborted) return goesOn("no longer followed");
  }
}

const ends: Record<string, Exit> = {
  SUCCEEDED: exits.done,
  FAILED: exits.failed,
  CANCELLED: exits.failed,
  STUCK: exits.stuck,
};

const exitOf = ({ state }: FollowedOperation): Exit => ends[state] ?? exits.running;

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `30m`, in milliseconds. Throws for an invalid one. */
export function millisecondsIn(time: string): number {
  const [, count, unit = "s"] = /^(\d{1,6})([smhd])?$/.exec(time) ?? [];
  if (count === undefined)
    throw wrongCall(`'${time}' is not a duration; use for example 90s, 30m, 2h or 1d`);
  return Number(count) * (units[unit] ?? 1000);
}
