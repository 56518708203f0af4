import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { AppError } from "../../../core/error.ts";
import { asOperationId } from "../../../core/id.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import { closeBooks, ended, newCounts } from "../matrix/close.ts";
import { changeOf, type Subject } from "../matrix/stage.ts";
import { rewired, sagaOf, statesOf } from "../matrix/states.ts";
import { seeded } from "../random.ts";
import { Meeting } from "./meeting.ts";
import { lastingTarget } from "./record.ts";
import { Sequence } from "./sequence.ts";

/** A saga, at each state of which attempts meet, and what must come of it. */

/** Changes that begin while another operation on their target is under way: its attempts would meet too. */
const notAlone = /stuck|is made|is changed|is upgraded/;

/** What one run of the saga is about. */
interface Played {
  change: string;
  /** The step that fails; empty for none. */
  fails: string;
}

export class Plays {
  /** The states of the saga, undos included. */
  readonly states: readonly string[];
  /** How many tasks of each state have met. */
  readonly met: Map<string, number>;
  readonly counts = newCounts();
  readonly #subject: Subject;
  readonly #name: string;
  readonly #steps: readonly string[];
  readonly #changes: readonly string[];
  readonly #sequences: readonly Sequence[];
  /** What the record is after attempts that came one after the other, by what was played. */
  readonly #sequential = new Map<string, unknown[]>();

  constructor(subject: Subject, name: string) {
    this.#subject = subject;
    this.#name = name;
    const saga = sagaOf(subject.sagas, name);
    const states = statesOf(saga);
    this.states = states.map((state) => state.name);
    this.#steps = states.filter(({ isUndo }) => !isUndo).map((state) => state.name);
    this.met = new Map(this.states.map((state) => [state, 0]));
    this.#sequences = Sequence.ofAll(saga);
    this.#changes = Object.entries(subject.changes[name] ?? {}).flatMap(([change, { holds }]) =>
      holds || notAlone.test(change) ? [] : [change],
    );
  }

  /** Runs the saga once. The seed decides what it changes, what fails, and which call is made when. */
  async meet(seed: number): Promise<void> {
    const played = this.#played(seed);
    const meeting = new Meeting(sagaOf(this.#subject.sagas, this.#name), seed);
    const record = await this.#run(played, meeting);
    for (const [state, tasks] of meeting.met)
      this.met.set(state, (this.met.get(state) ?? 0) + tasks);
    const key = JSON.stringify(played);
    const known = this.#sequential.get(key) ?? [];
    this.#sequential.set(key, known);
    const isKnown = () => known.some((other) => isDeepStrictEqual(other, record));
    for (const sequence of this.#sequences.slice(known.length)) {
      if (isKnown()) return;
      known.push(await this.#run(played, sequence));
    }
    // The difference to the first of them says most.
    if (!isKnown()) expect(record, key).toEqual(known[0]);
  }

  /** Mostly the last step fails, so that all undos run; else any, or none. */
  #played(seed: number): Played {
    const random = seeded(seed);
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
    const change = pick(this.#changes);
    const isFinal = sagaOf(this.#subject.sagas, this.#name).irreversible;
    const last = this.#steps.at(-1) ?? "";
    const fails = isFinal ? "" : ([last, last, pick(this.#steps), ""][seed % 4] ?? "");
    return { change, fails };
  }

  /** Runs the saga to its end, sees that the books are right, and answers what is left of its target. */
  async #run({ change, fails }: Played, attempts: Meeting | Sequence): Promise<unknown> {
    const stage = await changeOf(this.#subject, this.#name, change).open({
      sagas: this.#failing(fails),
      outside: attempts.outside,
      invoke: attempts.invoke,
    });
    attempts.begin(stage.laptop);
    const id = await stage.start();
    const operation = asOperationId((await stage.newest(id))?.id ?? "");
    if (attempts instanceof Meeting) attempts.isOf(operation);
    const { state, failure } = await ended(stage, id, this.counts);
    const said = `${change}: ${JSON.stringify(failure)}`;
    expect({ state, step: failure?.step ?? "" }, said).toEqual({
      state: fails === "" ? "SUCCEEDED" : "FAILED",
      step: fails,
    });
    await closeBooks(stage, id, fails === "" ? "done" : "undone", this.counts);
    return lastingTarget(stage.laptop, operation);
  }

  /** One step fails after its effect, whichever attempt makes it: the undos have something to take back. */
  #failing(step: string): Sagas {
    return rewired(this.#subject.sagas, this.#name, (state, action) =>
      state === step
        ? {
            ...action,
            act: async (target, context) => {
              await action.act?.(target, context);
              throw new AppError("Rejected", "refused on purpose");
            },
          }
        : action,
    );
  }
}
