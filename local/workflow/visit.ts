import type * as z from "zod";
import { sleep, timestamp } from "../../core/clock.ts";
import type { Json } from "../../core/kernel/store/store.ts";
import type { Branch, Run } from "./branch.ts";
import { StateError } from "./errors.ts";
import { evaluate } from "./expression.ts";
import { evaluationFailed, type NewEvent } from "./history.ts";
import type { Trail } from "./journal.ts";
import { checkDataLimit } from "./limits.ts";

/** The outcome of a state; without `next` its scope ends. */
export interface Outcome {
  output: Json;
  assign?: Record<string, Json> | undefined;
  next?: string | undefined;
}

/** The fields of a state, choice or catcher that determine its outcome. */
interface Shaping {
  Output?: Json | undefined;
  Assign?: Record<string, Json> | undefined;
}

/** Members of `$states` that only some fields can read. */
interface Seen {
  /** Replaces the visit's own context. */
  context?: Json;
  result?: Json;
  errorOutput?: Json;
}

export interface VisitPlace {
  /** Unique in the execution; the prefix of the state's journal keys. */
  key: string;
  name: string;
  attempt: number;
  /** When the state was entered, in milliseconds since the epoch. */
  entered: number;
}

/** One attempt at one state. */
export class Visit {
  readonly branch: Branch;
  readonly key: string;
  readonly name: string;
  readonly input: Json;
  /** `$states.context`; a task adds its token. */
  readonly context: { [member: string]: Json };

  constructor(branch: Branch, place: VisitPlace, input: Json) {
    this.branch = branch;
    this.key = place.key;
    this.name = place.name;
    this.input = input;
    this.context = {
      ...branch.context,
      State: {
        Name: place.name,
        EnteredTime: timestamp(place.entered),
        RetryCount: place.attempt,
      },
    };
  }

  get run(): Run {
    return this.branch.run;
  }

  get signal(): AbortSignal {
    return this.branch.signal;
  }

  /**
   * Evaluates a template for this state. When an expression fails, throws a `StateError` with its event for the
   * history; `field` is the template's place.
   */
  async evaluate(template: Json, field: string, seen: Seen = {}): Promise<Json> {
    const { context = this.context, ...rest } = seen;
    try {
      return await evaluate(
        template,
        {
          variables: this.branch.variables,
          states: { input: this.input, context, ...rest },
          surroundings: { time: this.run.clock.now(), random: this.run.random },
        },
        field,
      );
    } catch (thrown) {
      if (!(thrown instanceof StateError)) throw thrown;
      throw this.#evaluationError(field, thrown.error, thrown.cause);
    }
  }

  /** The error for an invalid value of a field; it fails the state like a failed expression. */
  wrongValue(field: string, must: string): StateError {
    return this.#evaluationError(
      field,
      "States.QueryEvaluationError",
      `The field '${field}' must be ${must}.`,
    );
  }

  /** The outcome by `Output` and `Assign`; `fallback` is the output of a state without `Output`. */
  async shape(
    shaping: Shaping,
    next: string | undefined,
    fallback: Json,
    seen: Seen = {},
  ): Promise<Outcome> {
    const { Output, Assign } = shaping;
    const output = Output === undefined ? fallback : await this.evaluate(Output, "Output", seen);
    checkDataLimit(output, `output of the state '${this.name}'`);
    if (Assign === undefined) return { output, next };
    const assign: Record<string, Json> = {};
    for (const [variable, template] of Object.entries(Assign)) {
      assign[variable] = await this.evaluate(template, `Assign/${variable}`, seen);
    }
    checkDataLimit(assign, `variables assigned by the state '${this.name}'`);
    return { output, assign, next };
  }

  /** The value that an earlier run of the engine, or an earlier step of this one, wrote under `step`. */
  read<T>(schema: z.ZodType<T>, step: string, trail: Trail = this.branch.trail): T | undefined {
    const value = this.run.journal.read(trail, `${this.key}/${step}`);
    return value === undefined ? undefined : schema.parse(value);
  }

  /** Writes a value with its events, like `Journal.write`; throws the `Interrupt` of an ended branch. */
  write(
    step: string,
    value: Json,
    events: readonly NewEvent[],
    options: { trail?: Trail; also?: () => void } = {},
  ): void {
    this.signal.throwIfAborted();
    const { trail = this.branch.trail, also } = options;
    this.run.journal.write(trail, `${this.key}/${step}`, value, events, also);
  }

  /** Writes an event once, even while the branch ends. */
  tell(step: string, event: NewEvent, trail: Trail = this.branch.trail): void {
    const key = `${this.key}/${step}`;
    if (this.run.journal.read(trail, key) === undefined) {
      this.run.journal.write(trail, key, null, [event]);
    }
  }

  /** Resolves when the clock shows `time`; rejects with the `Interrupt` of an ended branch. */
  async until(time: number, signal: AbortSignal = this.signal): Promise<void> {
    signal.throwIfAborted();
    const left = time - this.run.clock.now();
    if (left > 0) await sleep(this.run.clock, left, signal);
  }

  #evaluationError(
    field: string,
    error: string | undefined,
    cause: string | undefined,
  ): StateError {
    return new StateError(error, cause, evaluationFailed(this.name, field, error, cause));
  }
}
