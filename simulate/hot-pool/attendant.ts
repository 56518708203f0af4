import { type Clock, minutes } from "../../core/clock.ts";
import type { Host } from "../../core/resources/host/model.ts";
import type { Answer } from "../../test/support/site.ts";
import type { Chance } from "../chance.ts";
import { type Counts, count, pattern } from "../counts.ts";
import type { FailingServers } from "./failing.ts";

/** The operator's decisions about a quarantined host: with a repair of its server, or without. */
const decisions = {
  "repaired, and retried": 6,
  "retried as it is": 2,
  "repaired, and released": 1,
  retired: 1,
};
type Decision = keyof typeof decisions;

/** The shortest and longest time until the operator acts. */
const [soonest, latest] = [minutes(15), minutes(90)];

interface Used {
  clock: Clock;
  failing: FailingServers;
  draws: Chance;
  /** Calls the private API. */
  ask(method: string, path: string): Promise<Answer>;
}

/** The operator of the servers, who acts some time after a quarantine. */
export class Attendant {
  readonly done: Counts = {};
  /** The reasons of quarantines, by the failed step. */
  readonly reasons: Counts = {};
  /** The number of quarantines of servers without a defect. */
  sound = 0;
  #isGone = false;
  readonly #used: Used;
  /** Since when each host that the operator will handle is quarantined. */
  readonly #known = new Map<string, string>();

  constructor(used: Used) {
    this.#used = used;
  }

  /** Takes the current record of a host. */
  see({ id, server }: Host): void {
    const { quarantine } = server ?? {};
    if (!quarantine || this.#known.get(id) === quarantine.since) return;
    this.#known.set(id, quarantine.since);
    const { clock, draws, failing } = this.#used;
    count(this.reasons, `${quarantine.step ?? "nobody"}: ${pattern(quarantine.reason)}`);
    if (!failing.has(id)) this.sound += 1;
    const decision = draws.weighed(decisions);
    const after = soonest + draws.below(latest - soonest);
    // Runs in the background: nobody awaits the promise.
    clock.after(after, () => void this.#decide(id, decision));
  }

  /** Stops the operator. */
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
