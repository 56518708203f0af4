import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { AppError } from "../../../core/error.ts";
import { asOperationId } from "../../../core/id.ts";
import { backwards, stepsOf } from "../../../core/kernel/saga/saga.ts";
import { type Breakage, broken } from "../matrix/breakage.ts";
import { closeBooks, ended } from "../matrix/cases.ts";
import { type Subject, scenarioOf } from "../matrix/stage.ts";
import { seeded } from "../random.ts";
import { Meeting } from "./meeting.ts";
import { lastingTarget } from "./record.ts";
import { Sequence } from "./sequence.ts";

/** A saga with all its states, each of whose attempts meet, and what must come of it. */

/** Fails after its effect, whichever attempt makes it, so that the undos have something to take back. */
const refusing: Breakage = (act) => async (target, context) => {
  await act(target, context);
  throw new AppError("Rejected", "refused on purpose");
};

export class Plays {
  /** The states of the saga, and the undos that it may come to. */
  readonly states: readonly string[];
  /** How many tasks of each state have met. */
  readonly met: Map<string, number>;
  readonly #subject: Subject;
  readonly #name: string;
  readonly #sequences: readonly Sequence[];
  /** What the record is after attempts that came one after the other, by the step that fails. */
  readonly #sequential = new Map<string, unknown[]>();

  constructor(subject: Subject, name: string) {
    this.#subject = subject;
    this.#name = name;
    const { saga } = scenarioOf(subject, name);
    const undos = saga.irreversible ? [] : backwards(saga.nodes);
    this.#sequences = Sequence.ofAll(saga);
    this.states = [...stepsOf(saga.nodes), ...undos].map((row) => row.name);
    this.met = new Map(this.states.map((state) => [state, 0]));
  }

  /** Runs the saga once. The seed decides which step fails, and which call is made when. */
  async meet(seed: number): Promise<void> {
    const fails = this.#failing(seed);
    const meeting = new Meeting(seed);
    const record = await this.#run(fails, meeting);
    for (const [state, tasks] of meeting.met)
      this.met.set(state, (this.met.get(state) ?? 0) + tasks);
    const known = this.#sequential.get(fails) ?? [];
    this.#sequential.set(fails, known);
    const isKnown = () => known.some((other) => isDeepStrictEqual(other, record));
    for (const sequence of this.#sequences.slice(known.length)) {
      if (isKnown()) return;
      known.push(await this.#run(fails, sequence));
    }
    // The difference to the first of them says most.
    if (!isKnown()) expect(record).toEqual(known[0]);
  }

  /** The step that fails: mostly the last, so that all undos run; none, or any. Empty for none. */
  #failing(seed: number): string {
    const { saga } = scenarioOf(this.#subject, this.#name);
    const steps = saga.irreversible ? [] : stepsOf(saga.nodes).map(({ name }) => name);
    const any = Math.floor(seeded(seed)() * steps.length);
    return [steps.at(-1), steps.at(-1), steps[any], undefined][seed % 4] ?? "";
  }

  /** Runs the saga to its end, sees that the books are right, and answers what is left of its target. */
  async #run(fails: string, attempts: Meeting | Sequence): Promise<unknown> {
    const { sagas } = this.#subject;
    const { scenario, saga } = scenarioOf(this.#subject, this.#name);
    const stage = await scenario.open({
      sagas: fails === "" ? sagas : broken(sagas, saga.name, fails, refusing),
      ...("outside" in attempts && { outside: attempts.outside }),
      invoke: attempts.invoke,
    });
    attempts.begin(stage.laptop);
    const id = await stage.start();
    const operation = asOperationId((await stage.newest(id))?.id ?? "");
    if (attempts instanceof Meeting) attempts.isOf(operation);
    const { state, failure } = await ended(stage, id);
    expect({ state, step: failure?.step ?? "" }, JSON.stringify(failure)).toEqual({
      state: fails === "" ? "SUCCEEDED" : "FAILED",
      step: fails,
    });
    await closeBooks(stage, id, fails === "" ? "done" : "undone");
    return lastingTarget(stage.laptop, operation);
  }
}
