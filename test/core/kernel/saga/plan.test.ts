import { describe, expect, it } from "vitest";
import type { Saga } from "../../../../core/kernel/saga/action.ts";
import { sagaAsBegun, withPlanKept } from "../../../../core/kernel/saga/as-begun.ts";
import { toAsl, withWorkers } from "../../../../core/kernel/saga/asl.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { planOf } from "../../../../core/kernel/saga/plan.ts";
import { planInDefinition } from "../../../../core/kernel/saga/plan-in-definition.ts";
import { type Node, phase, type Step, step, stepsOf } from "../../../../core/kernel/saga/saga.ts";
import { edit, settle } from "../../../../core/kernel/saga/settle.ts";
import { executionArn } from "../../../../local/workflow/arn.ts";
import {
  accept,
  finish,
  openToyLaptop,
  operationOf,
  type ToyAction,
} from "../../../support/toy/laptop.ts";
import { refuse } from "../../../support/toy/steps.ts";

/** A step that notes what it does: `A` with an undo, `A-` without one, `A!` with a do that is refused. */
function row(log: string[], text: string, irreversible: boolean): Step<ToyAction> {
  const [, name = "", mark] = /^(\w+)([-!]?)$/.exec(text) ?? [];
  const noting = (what: string): ToyAction => ({
    deadline: 3_600_000,
    act: async () => {
      if (mark === "!" && what === name) refuse();
      log.push(what);
    },
  });
  const hasUndo = mark !== "-" && !irreversible;
  return step(name, noting(name), hasUndo ? noting(`Undo ${name}`) : { none: "a test" });
}

/** Steps as in `A B- C!`; `(B C | D)` are branches that run side by side, `P[A B]` is a phase. */
function table(log: string[], text: string): Saga {
  const irreversible = text.includes("[");
  const rows = (names: string) =>
    names
      .trim()
      .split(" ")
      .map((name) => row(log, name, irreversible));
  const nodes = [...text.matchAll(/\(([^)]*)\)|(\w+)\[([^\]]*)\]|[\w!-]+/g)].flatMap(
    ([all, branches, name = "", steps]): Node<ToyAction>[] => {
      if (steps !== undefined) return [phase(name, ...rows(steps))];
      if (branches === undefined) return rows(all);
      const each = branches.split("|").map((names, at) => ({ name: `b${at}`, steps: rows(names) }));
      return [{ name: "Side", branches: each }];
    },
  );
  return { name: "toy", comment: "a saga of a test", nodes, ...(irreversible && { irreversible }) };
}

/** The definition of a table, as it is or as it was before definitions told their plan. */
const definitionOf = (saga: Saga, isSilent: boolean): string =>
  withWorkers(
    JSON.stringify(toAsl(saga), (key, value) => (isSilent && key === "plan" ? undefined : value)),
    (zone) => zone,
  );

interface Ran {
  log: string[];
  operation: Operation;
  steps: string[];
  execution: string;
}

/** Runs a definition that was made of one table with workers that have another one. */
async function run(
  began: string,
  now: string,
  { isSilent = false, more = {} }: { isSilent?: boolean; more?: Partial<Operation> } = {},
): Promise<Ran> {
  const log: string[] = [];
  const laptop = openToyLaptop({ sagas: now === "" ? {} : { toy: table(log, now) } });
  laptop.engine.createStateMachine("toy", definitionOf(table([], began), isSilent));
  const id = await accept(laptop, "toy", more);
  const operation = await finish(laptop, id);
  const execution = laptop.engine.describe(executionArn("toy", id)).status;
  const steps = Object.entries(operation.steps).map(([name, { state }]) => `${name} ${state}`);
  return { log, operation, steps, execution };
}

const definitions = [
  ["that tells its plan", false],
  ["from before plans were told", true],
] as const;

describe.each(definitions)("an execution by a definition %s", (_, isSilent) => {
  it.each([
    ["a step put in the middle", "A B", "A X B"],
    ["a step appended", "A B", "A B X"],
    ["a step put before all", "A B", "X A B"],
    ["another order", "A B C", "C B A"],
    ["another last step", "A B C", "A C B"],
    ["branches where steps followed each other", "A B C D", "A (C | B) D"],
    ["steps where branches were", "A (B C | D) E", "E D C B A X"],
    ["a phase where steps were", "A- B- Q[C]", "P[A X B] Q[C]"],
    ["a row put into another phase", "P[A] Q[B C]", "P[A] Q[B C] R[X]"],
  ])("lives through %s", async (_, began, now) => {
    const ran = await run(began, now, { isSilent });
    const names = began.match(/[A-Z](?![[\w])/g) ?? [];
    expect(ran.operation.status).toMatchObject({ state: "SUCCEEDED" });
    expect(ran.execution).toBe("SUCCEEDED");
    expect(ran.log.toSorted()).toEqual(names);
    // No step is listed that the definition does not have, and none is left pending.
    expect(ran.steps).toEqual(names.map((name) => `${name} SUCCEEDED`));
  });

  it.each([
    ["an undo was added", "A B- C", "A B C!", "A B, Undo C, Undo A"],
    ["a step with an undo was put between", "A C", "A X C!", "A, Undo C, Undo A"],
    ["the order has changed", "A B C", "B A C!", "A B, Undo C, Undo B, Undo A"],
    ["it fails first", "A B- C", "A! B C", ", Undo A"],
  ])("turns back by its own undos where %s", async (_, began, now, log) => {
    const ran = await run(began, now, { isSilent });
    expect(ran.log.join(" ").replaceAll(" Undo", ", Undo").replace(/^Undo/, ", Undo")).toBe(log);
    expect(ran.operation.status).toMatchObject({ state: "FAILED" });
    expect(ran.execution).toBe("FAILED");
  });

  it("walks its own chain from the top for what an operation before has left", async () => {
    const ran = await run("A B- C", "A! B C", { isSilent, more: { adopts: true } });
    expect(ran.log).toEqual(["Undo C", "Undo A"]);
    expect(ran.operation.status.state).toBe("FAILED");
  });

  it.each([
    ["a step was removed", "A B C", "A C", ["A"], "B", "A SUCCEEDED,B FAILED,C PENDING"],
    ["the first step was removed", "A B", "B", [], "A", "A FAILED,B PENDING"],
    ["a step in branches was removed", "A (B | C) D", "A C D", ["A", "C"], "B", undefined],
    ["the whole saga was dropped", "A B", "", [], "A", "A FAILED,B PENDING"],
  ])("halts where %s, says so, and takes nothing back", async (_, began, now, log, gone, steps) => {
    const { operation, ...ran } = await run(began, now, { isSilent });
    expect(operation.status).toMatchObject({
      state: "FAILED",
      failure: {
        step: gone,
        given_back: false,
        message: expect.stringContaining(`no step ${gone}`),
      },
    });
    expect(ran.log.filter((name) => !log.includes(name))).toEqual([]);
    if (steps !== undefined) expect(ran.steps.join()).toBe(steps);
    expect(ran.execution).toBe("FAILED");
  });

  it("halts where an undo was removed, and takes nothing more back", async () => {
    const { operation, ...ran } = await run("A B C", "A B- C!", { isSilent });
    expect(ran.log).toEqual(["A", "B", "Undo C"]);
    expect(operation.status).toMatchObject({
      state: "FAILED",
      failure: { step: "C", given_back: false, message: expect.stringContaining("no step Undo B") },
    });
    expect(ran.execution).toBe("FAILED");
  });

  it("passes by an undo that is gone where its step never began", async () => {
    const { operation, log } = await run("A B C", "A! B- C", { isSilent });
    expect(log).toEqual(["Undo A"]);
    expect(operation.status).toMatchObject({ state: "FAILED", failure: { step: "A" } });
  });
});

it("halts at a row of a phase that is gone, after those before it", async () => {
  const { operation, ...ran } = await run("P[A B C] Q[D]", "P[A C] Q[D]");
  expect(ran.log).toEqual(["A"]);
  expect(operation.status).toMatchObject({ state: "FAILED", failure: { step: "B" } });
  expect(ran.execution).toBe("FAILED");
});

it("keeps the rows of a phase that now are in another one", async () => {
  const ran = await run("P[A B] Q[C D]", "Q[D] P[C B A X]");
  expect(ran.log).toEqual(["A", "B", "C", "D"]);
  expect(ran.operation.status.state).toBe("SUCCEEDED");
});

it("does not succeed while a step is pending that it began with", async () => {
  const laptop = openToyLaptop({ sagas: { toy: table([], "A B") } });
  const { deps } = laptop;
  // Somebody has changed the state machine by hand: it has no B.
  laptop.engine.createStateMachine("toy", definitionOf(table([], "A"), true));
  const id = await accept(laptop, "toy");
  await edit(deps, id, (operation) => withPlanKept(operation, planOf(table([], "B A").nodes)));
  const { status, steps } = await finish(laptop, id);
  expect(steps).toMatchObject({ A: { state: "SUCCEEDED" }, B: { state: "PENDING" } });
  expect(status).toMatchObject({ state: "FAILED", failure: { step: "B", given_back: false } });
});

describe("an operation that began before plans were kept", () => {
  it("has the steps that it lists", async () => {
    const laptop = openToyLaptop({ sagas: { toy: table([], "A X B C") } });
    const id = await accept(laptop, "toy");
    const listed = { position: 0, state: "SUCCEEDED", attempts: 1 } as const;
    const { deps } = laptop;
    await edit(deps, id, (operation) => ({
      ...operation,
      steps: { B: { ...listed, position: 1, state: "RUNNING" }, A: listed },
    }));
    const saga = sagaAsBegun(table([], "A X B C"), await operationOf(laptop, id));
    expect(stepsOf(saga.nodes).map(({ name }) => name)).toEqual(["A", "B"]);
    // An observer ends the last step that it lists.
    await settle(deps, saga, id, "B");
    expect((await operationOf(laptop, id)).status.state).toBe("SUCCEEDED");
  });

  it("is held to its definition by the next worker, whatever an earlier one has listed", async () => {
    const log: string[] = [];
    const laptop = openToyLaptop({ sagas: { toy: table(log, "A X B C") } });
    laptop.engine.createStateMachine("toy", definitionOf(table([], "A B"), true));
    const id = await accept(laptop, "toy");
    const pending = { state: "PENDING", attempts: 0 } as const;
    const names = ["A", "X", "B", "C"];
    await edit(laptop.deps, id, (operation) => ({
      ...operation,
      steps: Object.fromEntries(names.map((name, position) => [name, { ...pending, position }])),
    }));
    const { status, steps } = await finish(laptop, id);
    expect(log).toEqual(["A", "B"]);
    expect(Object.keys(steps)).toEqual(["A", "B"]);
    expect(status.state).toBe("SUCCEEDED");
  });
});

it.each(["A B- C", "A (B C- | D) E-", "P[A B] Q[C]", "(A | B-) C-"])(
  "the plan of %s is the same in its definition, and in what the operation keeps",
  async (text) => {
    const laptop = openToyLaptop({ sagas: {} });
    const operation = await operationOf(laptop, await accept(laptop, "toy"));
    const { nodes } = table([], text);
    const kept = withPlanKept(operation, planOf(nodes));
    const begun = planOf(sagaAsBegun(table([], ""), kept).nodes);
    const anyName = (plan: ReturnType<typeof planOf>) =>
      JSON.parse(JSON.stringify(plan).replaceAll(/"name":"(Side|b?\d|)"/g, '"name":""'));
    expect(anyName(begun)).toEqual(anyName(planOf(nodes)));
    expect(anyName(planInDefinition(definitionOf(table([], text), false)))).toEqual(
      anyName(planOf(nodes)),
    );
  },
);
