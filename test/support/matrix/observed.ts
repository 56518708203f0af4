import { join } from "node:path";
import { expect, it } from "vitest";
import { minutes } from "../../../core/clock.ts";
import { toAppError } from "../../../core/error.ts";
import type { Outcome } from "../../../core/kernel/saga/saga.ts";
import type { Outside } from "../outside.ts";
import { closeBooks, ended, newCounts } from "./close.ts";
import { withObserved } from "./observed-ports.ts";
import { type Asked, opposites } from "./opposites.ts";
import { changeOf, type Stage, type Subject } from "./stage.ts";
import { type AnyAction, rewired } from "./states.ts";

/**
 * What a saga does while the other side says no: it runs once, and every answer of a port that has an opposite is given
 * wrongly once in each state. The state must not end by an attempt that was answered so, and afterwards the saga must
 * come to its end as if nothing had been.
 */

interface Options {
  /** For how long (ms) after the start of a state no machine reports, where the state has twice as long. */
  silence: number;
  /**
   * How those answers begin that no state is to wait for, and why: they are not given. After `machines silent, `, or a
   * change and a comma, stand those of that case alone.
   */
  passing: Readonly<Record<string, string>>;
  /** What may stand before them. */
  cases: readonly string[];
}

/** The changes that are called so, as `saga, change`. */
const changesIn = (subject: Subject, called: RegExp) =>
  Object.entries(subject.changes).flatMap(([saga, changes]) =>
    Object.keys(changes).flatMap((change) =>
      called.test(`${saga}, ${change}`) ? [{ saga, change }] : [],
    ),
  );

/** Whose packets machines carry, and so whose steps wait for what these report. */
const byMachines = /DPU|overlay/;

/** The cases of these changes. What they wait for is in files: a step that asks no more is missed there. */
export function refusalsOf(
  subject: Subject,
  called: RegExp,
  passing: Options["passing"],
  silence = longestSilence,
): void {
  const met = new Set<string>();
  const cases = changesIn(subject, called).flatMap((each) => [
    { ...each, silent: false },
    ...(byMachines.test(each.change) ? [{ ...each, silent: true }] : []),
  ]);
  it.each(cases)("$saga, $change (machines silent: $silent)", async (each) => {
    const { saga, change, silent } = each;
    const { lines, passed } = await refusedAt(subject, saga, change, {
      silence: silent ? silence : 0,
      passing,
      cases: [change, ...(silent ? ["machines silent"] : [])],
    });
    for (const said of passed) met.add(said);
    for (const line of lines) expect(line).not.toMatch(/: $/);
    expect(lines.filter((line) => line.endsWith(`: ${goesOn}`))).toEqual([]);
    const name = `${saga}, ${change}${silent ? ", machines silent" : ""}`;
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(
      join(
        import.meta.dirname,
        "../../statemachines/observed/answers",
        `${name.replaceAll(/[^a-zA-Z]+/g, "-")}.txt`,
      ),
    );
  });
  it("what no state waits for is said somewhere", () => {
    expect([...met].sort()).toEqual(Object.keys(passing).sort());
  });
}

/** What each state did when it was answered so: `state: call says what: what it waited for`. */
async function refusedAt(
  subject: Subject,
  saga: string,
  change: string,
  options: Options,
): Promise<{ lines: string[]; passed: ReadonlySet<string> }> {
  const refusals = new Refusals(options);
  const sagas = rewired(subject.sagas, saga, (state, action) => refusals.around(state, action));
  const stage = await changeOf(subject, saga, change).open({
    sagas,
    outside: (_, send) => send(),
    invoke: (_, work) => work(),
    machines: refusals.machines,
    hasNews: () => !refusals.isOpen(),
  });
  refusals.stage = stage;
  const id = await stage.start();
  const counts = newCounts();
  const { state, failure } = await ended(stage, id, counts);
  expect({ state, failure }).toEqual({ state: "SUCCEEDED" });
  await closeBooks(stage, id, "done", counts);
  return { lines: refusals.lines(), passed: refusals.passed };
}

/** A state that is open, and what was said there. */
interface Open {
  silentUntil: number;
  /** How long a wrong answer lasts. */
  lasts: number;
  /** The answer that is wrong now, and until when at least. */
  wrong?: { said: string; until: number };
  /** What each call has answered last. */
  answers: Map<string, unknown>;
}

/** By then every step that gives up machines has done so. */
const longestSilence = minutes(40);
/** By then a system has done whatever else it was asked for. */
const longest = minutes(2);
const ids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

class Refusals {
  stage: Stage | undefined;
  /** The answers that no state was to wait for, and that came. */
  readonly passed = new Set<string>();
  readonly #silence: number;
  readonly #passing: Options["passing"];
  readonly #cases: Options["cases"];
  readonly #open = new Map<string, Open>();
  /** By what was said: what the state waited for then. */
  readonly #said = new Map<string, string>();

  constructor({ silence, passing, cases }: Options) {
    this.#silence = silence;
    this.#passing = passing;
    this.#cases = cases;
  }

  lines(): string[] {
    return [...this.#said].map(([said, answer]) => `${said}: ${answer}`.replace(ids, "*"));
  }

  /** Whether a state is open: then no report from a hub says otherwise than its answers. */
  isOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Stands between machines and the site controller. */
  readonly machines: Outside = async (_, send) => {
    const now = this.#now();
    const isSilent = [...this.#open.values()].some(({ silentUntil }) => now < silentUntil);
    return isSilent ? new Response(null, { status: 503 }) : send();
  };

  around(state: string, action: AnyAction): AnyAction {
    const { act, look, until } = action;
    const attempt =
      (work: NonNullable<AnyAction["act"]>): NonNullable<AnyAction["act"]> =>
      async (target, context) => {
        const open = this.#opened(state, action);
        const deps = withObserved(context.deps, (asked) => this.#answer(state, open, asked));
        try {
          await work(target, { ...context, deps });
        } catch (error) {
          this.#judged(open, toAppError(error).message);
          throw error;
        }
        if (!until) this.#ended(state, open, { done: true });
      };
    return {
      ...action,
      ...(act && { act: attempt(act) }),
      ...(look && { look: attempt(look) }),
      ...(until && {
        until: async (target, context) => {
          const outcome = await until(target, context);
          this.#ended(state, this.#opened(state, action), outcome);
          return outcome;
        },
      }),
    };
  }

  #now(): number {
    return this.stage?.laptop.clock.now() ?? 0;
  }

  #opened(state: string, { deadline }: AnyAction): Open {
    const open = this.#open.get(state) ?? {
      silentUntil: this.#now() + Math.min(deadline / 2, this.#silence),
      lasts: Math.min(deadline / 10, longest),
      answers: new Map(),
    };
    this.#open.set(state, open);
    return open;
  }

  /** The answer that a call gets; one alone is wrong at a time, so that nothing else keeps the state open for long. */
  #answer(state: string, open: Open, asked: Omit<Asked, "before">): unknown {
    const before = open.answers.get(asked.call);
    open.answers.set(asked.call, asked.answer);
    for (const { says, of } of opposites) {
      const said = `${state}: ${asked.call} says ${says}`;
      const isItsTurn = open.wrong === undefined ? !this.#said.has(said) : open.wrong.said === said;
      const wrong = isItsTurn ? of({ ...asked, before }) : undefined;
      if (wrong === undefined) continue;
      const why = this.#passes(said);
      if (why !== undefined) {
        this.#said.set(said, `passes: ${why}`);
        continue;
      }
      // While machines are silent another proof may be asked for late.
      const until = Math.max(this.#now() + open.lasts, open.silentUntil);
      open.wrong ??= { said, until };
      open.answers.set(asked.call, before);
      return wrong;
    }
    return asked.answer;
  }

  /** Why no state is to wait for this; undefined where one is. */
  #passes(said: string): string | undefined {
    const names = [said, ...this.#cases.map((each) => `${each}, ${said}`)];
    const begin = Object.keys(this.#passing).find((each) =>
      names.some((name) => name.startsWith(each)),
    );
    if (begin === undefined) return undefined;
    this.passed.add(begin);
    return this.#passing[begin];
  }

  #ended(state: string, open: Open, outcome: Outcome): void {
    const silence = `${state}: machines say nothing`;
    if (this.#now() < open.silentUntil) {
      if (outcome.done) this.#said.delete(silence);
      else this.#said.set(silence, outcome.waitingFor);
    }
    this.#judged(open, outcome.done ? goesOn : outcome.waitingFor);
    if (outcome.done) this.#open.delete(state);
  }

  #judged(open: Open, answer: string): void {
    const { wrong } = open;
    if (wrong === undefined) return;
    this.#said.set(wrong.said, answer);
    if (answer === goesOn || this.#now() >= wrong.until) delete open.wrong;
  }
}

/** The state has ended by what it was told. */
const goesOn = "goes on";
