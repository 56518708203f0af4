import { commandFor, type Settings, settingsOf, usage } from "./arguments.ts";
import { isFailing, type Outcome } from "./outcome.ts";
import { shortestFailing } from "./prefix.ts";
import { progress, reportOf } from "./report.ts";
import { simulate } from "./simulation.ts";

/**
 * `npm run simulate -- --seed N --orders N --faults RATE [--hours H]`; an interrupt ends the simulation early, with its
 * report.
 */

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function told(): Settings | undefined {
  try {
    return settingsOf(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}\n`);
    return undefined;
  }
}

/** Runs the first orders of a simulation, and prints its progress. */
function run(settings: Settings, orders = settings.orders): Promise<Outcome> {
  const hours = (settings.hours * orders) / settings.orders;
  const tell = (outcome: Outcome, passed: number) => say(progress(outcome, orders, passed));
  return simulate({ ...settings, orders, hours }, { tell, signal: interrupted.signal });
}

/** Prints how many of the first orders suffice for the failure. */
async function shorten(settings: Settings, known: number): Promise<void> {
  say(`seed ${settings.seed} fails; searching for the fewest first orders that fail`);
  const fewest = await shortestFailing(async (orders) => {
    say(`trying ${orders} orders`);
    return isFailing(await run(settings, orders));
  }, known);
  say(`the fewest first orders that fail: ${commandFor(settings, fewest)}`);
}

const interrupted = new AbortController();
// A second interrupt ends the process.
process.once("SIGINT", () => interrupted.abort());

const settings = told();
if (settings) {
  say(commandFor(settings));
  const outcome = await run(settings);
  if (outcome.orders < settings.orders) say(commandFor(settings, outcome.orders));
  say(reportOf(outcome));
  if (isFailing(outcome)) {
    process.exitCode = 1;
    if (outcome.orders > 1 && !interrupted.signal.aborted) await shorten(settings, outcome.orders);
  }
} else {
  process.exitCode = 2;
}
