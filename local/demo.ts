import { setTimeout as pause } from "node:timers/promises";
import { bareMetalWalk } from "./demo/bare-metal-walk.ts";
import { clusterWalk } from "./demo/cluster-walk.ts";
import { networksWalk } from "./demo/networks-walk.ts";
import { say } from "./demo/screen.ts";
import type { Walk } from "./demo/walk.ts";
import { startWorld } from "./demo/world.ts";
import { whenParentIsGone } from "./parent.ts";
import { simSpeed } from "./settings.ts";

/**
 * `npm run demo` shows how a cluster is ordered and deleted; `npm run demo -- networks` shows the networks of two
 * tenants; `npm run demo -- bare-metal` shows their servers.
 */

const walks = new Map<string, Walk>([
  ["cluster", clusterWalk],
  ["networks", networksWalk],
  ["bare-metal", bareMetalWalk],
]);
const usage = `usage: npm run demo                (a cluster, from servers that are off to nothing left)
       npm run demo -- networks    (two tenants, their networks, and what reaches what)
       npm run demo -- bare-metal  (two tenants' own servers, from off to nothing left)`;

/** The real milliseconds after which a wait counts as failed. */
const patience = 300_000;

const [name = "cluster", ...others] = process.argv.slice(2);
const walk = others.length === 0 ? walks.get(name) : undefined;
if (!walk) {
  console.error(`there is no walk '${[name, ...others].join(" ")}'\n${usage}`);
  process.exit(2);
}

const began = Date.now();
const world = startWorld(walk.servers);
let isEnding = false;
// `end` may run more than once: the terminal signals the whole process group, and npm forwards the signal too.
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.on(signal, () => end(code, "stopped"));
// The reader of the output has closed it.
process.stdout.once("error", () => end(1));
whenParentIsGone(() => end(1));

try {
  await Promise.race([show(walk), world.died, tooLong()]);
  end(0);
} catch (error) {
  end(1, `the demo failed: ${await reasonOf(error)}`);
}

/** Ends the demo. The first call decides the message and the exit code. */
function end(code: number, why?: string): void {
  if (isEnding) return;
  isEnding = true;
  if (why !== undefined) console.error(why);
  void world.end().then(() => process.exit(code));
}

async function show({ show }: Walk): Promise<void> {
  const dev = await world.ready;
  say(`Slipway at ${dev.api}, with ${dev.hubs.length} simulated hubs.`);
  say(`Times are simulated: a second here is ${simSpeed()} of theirs.`);
  const last = await show(dev);
  say(`${last} (${Math.round((Date.now() - began) / 1000)} s)`);
}

/**
 * The reason of a failure. When the Slipway process has ended, its end is the reason, not the request that failed
 * because of it.
 */
async function reasonOf(thrown: unknown): Promise<string> {
  const error = await Promise.race([world.died, pause(500)]).then(
    () => thrown,
    (death: unknown) => death,
  );
  return error instanceof Error ? error.message : String(error);
}

function tooLong(): Promise<never> {
  return pause(patience, undefined, { ref: false }).then(() => {
    throw new Error(`it is not done after ${patience / 1000} s`);
  });
}
