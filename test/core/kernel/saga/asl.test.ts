import { readFileSync } from "node:fs";
import validator from "asl-validator";
import { describe, expect, it } from "vitest";
import { type State, toAsl, withWorkers } from "../../../../core/kernel/saga/asl.ts";
import { planOf } from "../../../../core/kernel/saga/plan.ts";
import { passingErrors } from "../../../../core/kernel/saga/platform-errors.ts";
import {
  actionsOf,
  backwards,
  type Step,
  step,
  stepsOf,
} from "../../../../core/kernel/saga/saga.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { type ToyAction, toySaga } from "../../../support/toy/laptop.ts";

const row = (name: string): Step<ToyAction> => step(name, { deadline: 1000 }, { deadline: 1000 });

/** States entered from the start to the end when nothing fails; a group enters all its branches. */
function statesEntered(definition: ReturnType<typeof toAsl>): number {
  let entered = 0;
  for (let name: unknown = definition.StartAt; typeof name === "string"; ) {
    const state = definition.States[name];
    entered += 1;
    const branches = (state?.Branches ?? []) as { States: Record<string, { Type: string }> }[];
    for (const branch of branches) {
      entered += Object.values(branch.States).filter(({ Type }) => Type === "Task").length;
    }
    const [choice] = (state?.Choices ?? []) as { Next: string }[];
    name = choice?.Next ?? state?.Next;
  }
  return entered;
}

const hour = 3_600_000;

const payloadOf = ({ Arguments }: State): object =>
  (Arguments as { Payload?: object } | undefined)?.Payload ?? {};

interface Retry {
  ErrorEquals: string[];
  MaxAttempts: number;
  MaxDelaySeconds: number;
}

/** Every task, those in branches included. */
function tasksIn(states: Record<string, State>): [string, State][] {
  return Object.entries(states).flatMap(([name, state]): [string, State][] => {
    const branches = (state.Branches ?? []) as { States: Record<string, State> }[];
    const inside = branches.flatMap((branch) => tasksIn(branch.States));
    return state.Type === "Task" ? [[name, state]] : inside;
  });
}

describe.each(Object.values(sagas))("$name", (saga) => {
  const definition = toAsl(saga);

  it("is accepted by asl-validator", () => {
    // The token is filled in where it is deployed.
    const text = withWorkers(JSON.stringify(definition), (zone) => zone);
    expect(validator(JSON.parse(text))).toMatchObject({ isValid: true });
  });

  it("is committed as it is emitted", () => {
    const file = new URL(
      `../../../../statemachines/generated/${saga.name}.asl.json`,
      import.meta.url,
    );
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(definition);
  });

  it("waits in every task for its token, tries again only what can pass, and has a net under its deadline", () => {
    const actions = actionsOf(saga);
    for (const [name, state] of tasksIn(definition.States)) {
      expect(state.Resource).toBe("arn:aws:states:::lambda:invoke.waitForTaskToken");
      const [retry, ...others] = state.Retry as Retry[];
      expect(others).toEqual([]);
      expect(retry?.ErrorEquals).toEqual(["Unavailable", ...passingErrors]);
      if (name === "Stuck") {
        // A person takes what time it takes.
        expect(state).not.toHaveProperty("TimeoutSeconds");
        continue;
      }
      // An outage may take a day.
      const seconds = Math.max(actions.get(name)?.action.deadline ?? 0, 24 * hour) / 1000;
      expect(state.TimeoutSeconds, name).toBeGreaterThan(seconds);
      // Full jitter halves the mean delay; the tries have to last to the deadline.
      const { MaxAttempts = 0, MaxDelaySeconds = 0 } = retry ?? {};
      expect((MaxAttempts * MaxDelaySeconds) / 2, name).toBeGreaterThanOrEqual(seconds);
    }
  });

  /** Whether there is anything to undo once this step has begun. */
  const hasUndoBy = (name: string): boolean => {
    const rows = stepsOf(saga.nodes);
    return rows.slice(0, rows.findIndex((row) => row.name === name) + 1).some(({ undo }) => undo);
  };

  it("catches everything: a do leads to an undo, an undo to a person or first to the top of the chain", () => {
    const [top] = backwards(saga.nodes);
    const tasks = tasksIn(definition.States).filter(
      ([name]) => name !== "Stuck" && name !== "RecordFailure",
    );
    for (const [name, state] of tasks) {
      const catchers = state.Catch as { ErrorEquals: string[]; Next: string }[];
      const caught = catchers.at(-1);
      expect(caught?.ErrorEquals).toEqual(["States.ALL"]);
      const isUndo = saga.irreversible || name.startsWith("Undo ");
      const isBelow = !saga.irreversible && isUndo && name !== top?.name;
      const toTop = { ErrorEquals: ["FromTheTop"], Next: top?.name };
      expect(catchers.slice(0, -1)).toMatchObject(isBelow ? [toTop] : []);
      if (isUndo) expect(caught?.Next).toBe("Stuck");
      else if (!hasUndoBy(name)) expect(caught?.Next).toBe("RecordFailure");
      else expect(caught?.Next).toMatch(/^Undo | failed$/);
    }
  });

  it("gives every undo that asks a system outside a day", () => {
    for (const [name, { action }] of actionsOf(saga)) {
      if (!name.startsWith("Undo ") || action.system === undefined) continue;
      expect(action.deadline, name).toBeGreaterThanOrEqual(24 * hour);
    }
  });

  it("enters at most 18 states when nothing fails", () => {
    expect(statesEntered(definition)).toBeLessThanOrEqual(18);
  });

  it("tells its first task which steps it has", () => {
    const telling = Object.entries(definition.States).filter(
      ([, state]) => "plan" in payloadOf(state),
    );
    expect(telling.map(([name]) => name)).toEqual([definition.StartAt]);
    expect(telling.map(([, state]) => payloadOf(state))).toMatchObject([
      { plan: planOf(saga.nodes) },
    ]);
  });

  it("puts nothing but ids into its payloads beside", () => {
    const names = Object.values(definition.States).flatMap((state) =>
      Object.keys(payloadOf(state)).filter((name) => name !== "plan"),
    );
    expect([...new Set(names)].sort()).toEqual(
      saga.irreversible || names.includes("failure")
        ? ["failure", "operation", "step", "token"]
        : ["operation", "step", "token"],
    );
  });
});

it("a saga of the whole design's shape stays within 18 states and is valid", () => {
  const rows = (names: string) => names.split(" ").map(row);
  const [reserve, ...rest] = rows(
    "ReserveCapacity DeployControlPlane JoinNodes ConfigureCluster ValidateCluster PublishCluster",
  );
  if (!reserve) throw new Error("no rows");
  const site = {
    name: "PrepareSite",
    branches: [
      {
        name: "Network",
        steps: rows(
          "CreateLayer2Network CreateLayer3Network AttachHosts AllocateFloatingIps CreateDnsRecords",
        ),
      },
      { name: "Storage", steps: rows("AllocateStorage") },
    ],
  };
  const definition = toAsl(toySaga([reserve, site, ...rest]));
  const text = withWorkers(JSON.stringify(definition), (zone) => zone);
  expect(validator(JSON.parse(text))).toMatchObject({ isValid: true });
  expect(statesEntered(definition)).toBeLessThanOrEqual(18);
});

it("a failed step goes to its own undo, and a step without one to the nearest before it", () => {
  const catchOf = (name: string) => {
    const catchers = (definition.States[name]?.Catch ?? []) as { Next: string }[];
    return catchers.at(-1)?.Next;
  };
  const definition = toAsl(
    toySaga([row("One"), step("Two", { deadline: 1 }, { none: "test" }), row("Three")]),
  );
  expect(catchOf("One")).toBe("Undo One");
  expect(catchOf("Two")).toBe("Undo One");
  expect(catchOf("Three")).toBe("Undo Three");
  expect(catchOf("Undo One")).toBe("Stuck");
});
