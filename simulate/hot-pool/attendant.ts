import { type Clock, minutes } from "../../core/clock.ts";
import type { Host } from "../../core/resources/host/model.ts";
import type { Answer } from "../../test/support/site.ts";
import type { Chance } from "../chance.ts";
import { type Counts, count, pattern } from "../counts.ts";
import type { FailingServers } from "./failing.ts";

/** What a person does with a host that is quarantined: repairs its server first, or not. */
const decisions = {
  "repaired, and retried": 6,
  "retried as it is": 2,
  "repaired, and released": 1,
  retired: 1,
};
type Decision = keyof typeof decisions;

/** How long until somebody comes, at least and at most. */
const [soonest, latest] = [minutes(15), minutes(90)];

interface Used {
  clock: Clock;
  failing: FailingServers;
  draws: Chance;
  /** Asks the private API. */
  ask(method: string, path: string): Promise<Answer>;
}

/** The person who looks after the servers: comes some time after one was quarantined, and decides. */
export class Attendant {
  readonly done: Counts = {};
  /** Why hosts were quarantined, by the step that failed. */
  readonly reasons: Counts = {};
  /** How many times hosts were quarantined although nothing was wrong. */
  sound = 0;
  #isGone = false;
  readonly #used: Used;
  /** Since when each host is quarantined that somebody comes for. */
  readonly #known = new Map<string, string>();

  constructor(used: Used) {
    this.#used = used;
  }

  /** A host as it is now. */
  see({ id, server }: Host): void {
    const { quarantine } = server ?? {};
    if (!quarantine || this.#known.get(id) === quarantine.since) return;
    this.#known.set(id, quarantine.since);
    const { clock, draws, failing } = this.#used;
    count(this.reasons, `${quarantine.step ?? "nobody"}: ${pattern(quarantine.reason)}`);
    if (!failing.has(id)) this.sound += 1;
    const decision = draws.weighed(decisions);
    const after = soonest + draws.below(latest - soonest);
    // Nobody waits for the answer.
    clock.after(after, () => void this.#decide(id, decision));
  }

  /** Nobody comes any more. */
  end(): void {
    this.#isGone = true;
  }

  async #decide(id: string, decision: Decision): Promise<void> {
    if (this.#isGone) return;
    const { failing, ask } = this.#used;
    if (decision.startsWith("mended")) failing.mend(id);
    const what = decision.endsWith("released") ? "release" : "retry";
    const { status, body } = await ask(
      "POST",
      `hosts/${id}/${decision === "retired" ? "retire" : what}`,
    );
    count(this.done, status === 200 ? decision : `refused: ${pattern(String(body.message))}`);
  }
}
