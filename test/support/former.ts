import { expect, it } from "vitest";
import { AppError } from "../../core/error.ts";
import { withPlan } from "../../core/kernel/saga/as-begun.ts";
import { toAsl, withWorkers } from "../../core/kernel/saga/asl.ts";
import { stepsIn } from "../../core/kernel/saga/plan.ts";
import { planInDefinition } from "../../core/kernel/saga/plan-in-definition.ts";
import { stepsOf, undoName } from "../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../core/kernel/saga/settle.ts";
import { executionArn, stateMachineArn } from "../../local/workflow/arn.ts";
import { type Former, readFormer } from "../../statemachines/former.ts";
import { closeBooks, ended, newCounts } from "./matrix/close.ts";
import { changeOf, type Seen, type Stage, type Subject } from "./matrix/stage.ts";
import { rewired, sagaOf } from "./matrix/states.ts";

/**
 * Definitions that state machines had before those of today, run by the workers of today, as after a
 * deployment: to their end, and with their last step failing, back by their own undos.
 */

/** Definitions of which a step has no code any more, and the step at which they halt. */
const halting: Record<string, string> = { "host-discover@48298df6": "PrepareDiscovery" };

/** Runs every former definition of the subject's sagas. */
export function runsFormer(subject: Subject): void {
  const former = readFormer().filter(({ machine }) => subject.changes[machine]);
  it.each(
    former
      .filter(({ name }) => halting[name] === undefined)
      .map((each) => [each.name, each] as const),
  )("%s runs to its end with the steps of today", async (_, each) => {
    const { stage, id, operation } = await run(subject, each);
    expect(operation).toMatchObject({ state: "SUCCEEDED" });
    expect(operation.failure).toBeUndefined();
    // The steps of the definition in their order, and no others. An old phase does not list its rows.
    expect(Object.keys(operation.steps)).toEqual(rowsOf(subject.sagas, each));
    expect(openIn(operation)).toEqual([]);
    expect(statusOf(stage, each, operation)).toBe("SUCCEEDED");
    await closeBooks(stage, id, "done", newCounts());
  });

  it.each(
    former
      .filter(({ name }) => halting[name] !== undefined)
      .map((each) => [each.name, each] as const),
  )("%s halts at the step that is gone, frees nothing, and is retried", async (_, each) => {
    const step = halting[each.name] ?? "";
    const { stage, id, operation } = await run(subject, each);
    const message = expect.stringContaining(`has no step ${step}`);
    expect(operation).toMatchObject({
      state: "FAILED",
      failure: { step, message, given_back: false },
    });
    const order = planInDefinition(each.text).nodes.flatMap(stepsIn);
    const begun = order.filter((name) => operation.steps[name] !== "PENDING");
    expect(begun).toEqual(order.slice(0, order.indexOf(step) + 1));
    expect(statusOf(stage, each, operation)).toBe("FAILED");
    await stage.laptop.pass(60_000);
    await stage.expectEnd(id, "undone");
    // As after the deployment: what starts now has the definition of today.
    deployed(stage, each.machine, JSON.stringify(toAsl(sagaOf(subject.sagas, each.machine))));
    await stage.again(id);
    expect((await ended(stage, id, newCounts())).state).toBe("SUCCEEDED");
    await closeBooks(stage, id, "done", newCounts());
  });

  const turningBack = former.flatMap((each) => {
    const { nodes, undos } = planInDefinition(each.text);
    const last = nodes.flatMap(stepsIn).at(-1);
    return undos.length > 0 && last && !(each.name in halting) ? [{ ...each, last, undos }] : [];
  });
  it.each(turningBack.map((each) => [each.name, each] as const))(
    "%s turns back by its own undos",
    async (_, each) => {
      const { stage, id, operation } = await run(subject, each, failingAt(subject.sagas, each));
      expect(operation).toMatchObject({ state: "FAILED", failure: { step: each.last } });
      const undone = each.undos.filter((step) => operation.steps[undoName(step)] === "SUCCEEDED");
      expect(undone).toEqual(
        each.undos.filter((step) => operation.steps[step] === "SUCCEEDED" || step === each.last),
      );
      expect(statusOf(stage, each, operation)).toBe("FAILED");
      await closeBooks(stage, id, "undone", newCounts());
    },
  );
}

/** Starts the saga by a former definition, and runs it until it is over. */
async function run(
  subject: Subject,
  { machine, text }: Former,
  sagas: Sagas = subject.sagas,
): Promise<{ stage: Stage; id: string; operation: Seen }> {
  const stage = await changeOf(subject, machine).open({
    sagas,
    outside: (_, send) => send(),
    invoke: (_, work) => work(),
  });
  deployed(stage, machine, text);
  const earlier = executionsOf(stage, machine);
  const id = await stage.start();
  const last = await ended(stage, id, newCounts());
  // What follows on its end may have begun another one.
  const name = executionsOf(stage, machine).find((each) => !earlier.includes(each));
  return { stage, id, operation: name === undefined ? last : await stage.operation(name) };
}

const deployed = ({ laptop }: Stage, machine: string, text: string): void => {
  laptop.engine.createStateMachine(
    machine,
    withWorkers(text, (zone) => zone),
  );
};

/** The operations that the machine has run or runs, the oldest first. */
const executionsOf = ({ laptop: { engine } }: Stage, machine: string): string[] =>
  engine
    .listExecutions(stateMachineArn(machine), { limit: 1000 })
    .map(({ name }) => name)
    .reverse();

/** The steps of a definition, with those of the phases that it has only as states. */
function rowsOf(sagas: Sagas, { machine, text }: Former): string[] {
  const saga = sagaOf(sagas, machine);
  return stepsOf(withPlan(saga, planInDefinition(text)).nodes).map(({ name }) => name);
}

const openIn = ({ steps }: Seen): string[] =>
  Object.keys(steps).filter((name) => !["SUCCEEDED", "SKIPPED"].includes(steps[name] ?? ""));

const statusOf = ({ laptop }: Stage, { machine }: Former, { id }: Seen): string =>
  laptop.engine.describe(executionArn(machine, id)).status;

/** The sagas, of which the last step fails once its effects are made. */
const failingAt = (sagas: Sagas, { machine, last }: Former & { last: string }): Sagas =>
  rewired(sagas, machine, (state, action) =>
    state === last
      ? {
          ...action,
          act: async (target, context) => {
            await action.act?.(target, context);
            throw new AppError("Rejected", "turned back on purpose");
          },
        }
      : action,
  );
