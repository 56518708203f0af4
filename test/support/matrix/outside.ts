import { expect, it } from "vitest";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Target } from "../../../core/kernel/saga/operated.ts";
import {
  type ActionShape,
  backwards,
  type Node,
  type Step,
  stepsOf,
  zoneOfAction,
} from "../../../core/kernel/saga/saga.ts";
import { breakages, broken } from "./breakage.ts";
import { closeBooks, ended, printCounts, resume } from "./cases.ts";
import { Share } from "./share.ts";
import { type Subject, scenarioOf } from "./stage.ts";
import { troubles, Weather } from "./weather.ts";

/**
 * The matrix once more, with the trouble outside of the steps: on the network, in the systems they
 * ask, and between Step Functions and the worker.
 */

/** A step with all that may be open when it is. */
const besides = (nodes: Node<ActionShape>[], state: string): string[] =>
  nodes
    .map((node) => stepsOf([node]).map(({ name }) => name))
    .find((names) => names.includes(state)) ?? [];

type Row = Step<Action<Target>>;

const ways = Object.keys(troubles) as (keyof typeof troubles)[];

/** The cases of one saga. */
export function outsideOf(subject: Subject, name: string): void {
  const { sagas } = subject;
  const { scenario, saga, stateOf } = scenarioOf(subject, name);
  const share = new Share();
  const steps = stepsOf(saga.nodes);
  const undos = saga.irreversible ? [] : backwards(saga.nodes);
  const last = steps.at(-1)?.name ?? "";
  const isUndo = ({ name }: Row) => undos.some((row) => row.name === name);
  /** Its task changes nothing outside: it writes the store, where `core` ends, or it looks. */
  const isQuiet = ({ name, do: action }: Row) =>
    zoneOfAction(action) === "core" ||
    action.effects === "none" ||
    scenario.quiet?.includes(name) === true;
  /** It changes something when it has waited for others: in its task or in a later look. */
  const waitsFirst = (row: Row) => !isQuiet(row) && row.do.act === undefined;
  printCounts(`${name}, outside`, share);

  const cases = [...steps, ...undos].flatMap((row) => {
    const possible = ways.filter((way) => {
      if (way.startsWith("delivered")) return true;
      const isCancelled = way.endsWith("cancelled");
      const isLoud = !isQuiet(row) && !waitsFirst(row);
      return isLoud && !(isCancelled && (saga.irreversible || isUndo(row)));
    });
    return share.of(
      stateOf(row.name),
      "outside",
      possible.map((way) => [row.name, way, row] as const),
    );
  });

  it.each(cases)("%s: %s", async (state, way, row) => {
    const weather = new Weather(state, troubles[way]);
    // The last step fails, so that the whole chain of undos is walked.
    const failing = () =>
      broken(sagas, saga.name, last, breakages(() => {})["error after the effect"]);
    const stage = await scenario.open({
      sagas: isUndo(row) ? failing() : sagas,
      outside: weather.outside,
      invoke: weather.invoke,
    });
    weather.over(stage);
    const id = await stage.start();
    let operation = await ended(stage, id);
    if (isUndo(row) && way === "a conflict" && operation.state === "STUCK") {
      // A refusal, as below; who undoes has nowhere else to go.
      expect(operation.failure).toMatchObject({ step: state, kind: "Rejected" });
      expect(operation.failure?.message).toContain("409");
      operation = await resume(stage, id, operation);
    }
    const { state: result, failure } = operation;
    expect(weather.deliveries).toBeGreaterThan(way.startsWith("delivered") ? 1 : 0);
    if (!waitsFirst(row)) expect(weather.changes > 0).toBe(!isQuiet(row));

    if (isUndo(row)) {
      expect(operation).toMatchObject({ state: "FAILED", failure: { step: last } });
    } else if (way.endsWith("cancelled")) {
      expect(result).toBe("CANCELLED");
      // Whichever was open of those that run side by side is told first.
      expect(besides(saga.nodes, state)).toContain(failure?.step);
    } else if (way === "a conflict" && result === "FAILED") {
      // Some conflicts are refusals: whose, is said.
      expect(failure).toMatchObject({ step: state, kind: "Rejected" });
      expect(failure?.message).toContain("409");
    } else {
      expect(result).toBe("SUCCEEDED");
    }
    await closeBooks(stage, id, result === "SUCCEEDED" ? "done" : "undone");
  });
}
