import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type State, toAsl } from "../../../../core/kernel/saga/asl.ts";
import { outageLimit } from "../../../../core/kernel/saga/saga.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { world } from "../../../local/workflow/fixture.ts";
import { invokeAndWait } from "../../../local/workflow/machine.ts";

/** What an outage costs, computed from the emitted state machines. */

interface Retry {
  ErrorEquals: string[];
  IntervalSeconds: number;
  BackoffRate: number;
  MaxDelaySeconds: number;
  MaxAttempts: number;
}

const day = outageLimit / 1000;
/** An execution ends in failure when its history has so many events: Step Functions' quota. */
const historyLimit = 25_000;
/** Of one try that fails: scheduled, started, submitted, failed. */
const eventsOfTry = 4;

/** The longest pauses before each try, in seconds; with full jitter each is half as long on average. */
const pausesOf = (retry: Retry): number[] =>
  Array.from({ length: retry.MaxAttempts }, (_, tried) =>
    Math.min(retry.IntervalSeconds * retry.BackoffRate ** tried, retry.MaxDelaySeconds),
  );

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** How many tries of a state come within these seconds, on average. */
function triesWithin(retry: Retry, seconds: number): number {
  let passed = 0;
  return pausesOf(retry).filter((pause) => {
    passed += pause / 2;
    return passed < seconds;
  }).length;
}

/** The retriers of a state: of each of its branches the one that tries most, since they run at once. */
function retriersOf(state: State): Retry[] {
  if (state.Type === "Task") return state.Retry as Retry[];
  const branches = (state.Branches ?? []) as { States: Record<string, State> }[];
  return branches.flatMap((branch) =>
    Object.values(branch.States)
      .flatMap(retriersOf)
      .toSorted((a, b) => b.MaxAttempts - a.MaxAttempts)
      .slice(0, 1),
  );
}

/** How many days the tries of a state last: a phase has one for each of its steps. */
const daysOf = ({ TimeoutSeconds }: State): number =>
  typeof TimeoutSeconds === "number" ? Math.floor(TimeoutSeconds / day) : 1;

/** The most events that a day of outage adds while an execution stands in this state. */
const eventsOfDay = (state: State): number =>
  eventsOfTry * sum(retriersOf(state).map((retry) => (retry.MaxAttempts + 1) / daysOf(state)));

describe.each(Object.values(sagas))("an outage during $name", (saga) => {
  const states = Object.entries(toAsl(saga).States).filter(([name]) => name !== "Stuck");
  const retriers = states.flatMap(([, state]) => retriersOf(state));

  it("is asked after ten times within two minutes, then ever less: 600 times in a day", () => {
    for (const retry of retriers) {
      expect(sum(pausesOf(retry).slice(0, 10)) / 2).toBeLessThan(120);
      expect(retry.MaxDelaySeconds).toBe(300);
      expect(triesWithin(retry, day)).toBeLessThan(600);
    }
  });

  it("is outlasted: tries remain when a day is over, however short chance makes the pauses", () => {
    for (const retry of retriers) {
      const pauses = pausesOf(retry);
      // The variance of a pause that is drawn evenly from 0 to p is p² / 12.
      const deviation = Math.sqrt(sum(pauses.map((pause) => pause ** 2 / 12)));
      expect(sum(pauses) / 2 - 5 * deviation).toBeGreaterThan(day);
    }
  });

  it("that lasts a day in each direction, in a group with all branches away, leaves half of the history", () => {
    const [forward, backward] = [false, true].map((undo) =>
      states
        .filter(([name]) => name.startsWith("Undo ") === undo)
        .reduce((most, [, state]) => Math.max(most, eventsOfDay(state)), 0),
    );
    expect((forward ?? 0) + (backward ?? 0)).toBeLessThan(historyLimit / 2);
  });
});

it("a try that a worker fails is four events of an execution's history", async () => {
  const history = async (attempts: number): Promise<number> => {
    const { clock, engine, run } = world({
      integrations: {
        "lambda:invoke": async (given) => {
          const { token } = z.object({ token: z.string() }).parse(given);
          clock.after(1000, () => engine.sendTaskFailure(token, "Unavailable", "no answer"));
        },
      },
    });
    const { arn } = await run({
      One: {
        Type: "Task",
        Resource: invokeAndWait,
        Arguments: { token: "{% $states.context.Task.Token %}" },
        Retry: [{ ErrorEquals: ["Unavailable"], MaxAttempts: attempts }],
        End: true,
      },
    });
    return engine.history(arn).length;
  };
  expect((await history(5)) - (await history(4))).toBe(eventsOfTry);
});
