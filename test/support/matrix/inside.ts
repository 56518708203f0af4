import { expect, it } from "vitest";
import { stepsOf, undoName } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import { type Breakage, breakages, broken, Died } from "./breakage.ts";
import { closeBooks, ended, printCounts, resume } from "./cases.ts";
import { Share } from "./share.ts";
import { type Seen, type StageOptions, type Subject, scenarioOf } from "./stage.ts";

/**
 * The matrix: every state of every saga broken in every way, through its emitted ASL, against
 * simulated systems, in virtual time. After each case the books must be clean, and the order must say
 * what is true. `npm test` takes a share of it.
 */

/** Sagas of which one state is broken, and a worker that can die. */
function breaking(
  from: Sagas,
  saga: string,
  state: string,
  how: (die: () => void) => Breakage,
): StageOptions {
  let died: () => void = () => {};
  const invoke: StageOptions["invoke"] = async (_, work) => {
    const death = new Promise<never>((_, reject) => {
      died = () => reject(new Died("the worker died on purpose"));
    });
    // A dead worker's code runs on in this process; its result and its errors no longer matter.
    const working = work();
    working.catch(() => {});
    return Promise.race([working, death]);
  };
  const broke = broken(
    from,
    saga,
    state,
    how(() => died()),
  );
  return { sagas: broke, invoke };
}

const ways = Object.keys(breakages(() => {})) as (keyof ReturnType<typeof breakages>)[];

/** The matrix of one saga; each has a file of its own, so that they run side by side. */
export function matrixOf(subject: Subject, name: string): void {
  const { sagas } = subject;
  const { scenario, saga, stateOf } = scenarioOf(subject, name);
  const share = new Share();
  printCounts(name, share);
  const steps = stepsOf(saga.nodes);
  const inEachWay = (state: string) =>
    share.of(
      stateOf(state),
      "inside",
      ways.map((way) => [state, way] as const),
    );

  it.each(steps.flatMap(({ name }) => inEachWay(name)))("%s: %s", async (state, way) => {
    const stage = await scenario.open(
      breaking(sagas, saga.name, state, (die) => breakages(die)[way]),
    );
    const id = await stage.start();
    let operation = await ended(stage, id);
    const isError = way.startsWith("error");
    if (isError && saga.irreversible) {
      expect(operation).toMatchObject({
        state: "STUCK",
        failure: { step: state },
      });
      operation = await resume(stage, id, operation);
    }
    const fails = isError && !saga.irreversible;
    expect(operation.state).toBe(fails ? "FAILED" : "SUCCEEDED");
    if (fails)
      expect(operation.failure).toMatchObject({
        step: state,
        message: "broken on purpose",
      });
    await closeBooks(stage, id, fails ? "undone" : "done");
  });

  if (saga.irreversible) return;
  const last = steps.at(-1)?.name ?? "";
  const undos = steps.filter((step) => step.undo).map(({ name }) => undoName(name));

  // The last step fails, so that the whole chain is walked; and one undo in it is broken.
  const failing = () =>
    broken(sagas, saga.name, last, breakages(() => {})["error after the effect"]);
  it.each(undos.flatMap(inEachWay))("%s: %s", async (state, way) => {
    const stage = await scenario.open(
      breaking(failing(), saga.name, state, (die) => breakages(die)[way]),
    );
    const id = await stage.start();
    let operation = await ended(stage, id);
    if (way.startsWith("error")) {
      expect(operation).toMatchObject({
        state: "STUCK",
        failure: { step: state },
      });
      operation = await resume(stage, id, operation);
    }
    expect(operation).toMatchObject({
      state: "FAILED",
      failure: { step: last },
    });
    await closeBooks(stage, id, "undone");
  });

  const cancels = steps.slice(0, -1).flatMap(({ name }) =>
    share.of(
      stateOf(name),
      "stop",
      (["cancel", "delete"] as const).map((what) => [what, name] as const),
    ),
  );
  it.each(cancels)("%s when %s has just succeeded", async (what, name) => {
    const stage = await scenario.open({ sagas });
    const id = await stage.start();
    let operation: Seen | undefined;
    await stage.laptop.until(async () => {
      operation = await stage.newest(id);
      return operation?.steps[name] === "SUCCEEDED";
    }, `${name} to succeed`);
    if (what === "cancel") {
      const accepted = await stage.cancel(operation?.id ?? "");
      // An operation that has ended by now has nothing to cancel, and says so.
      expect((await ended(stage, id)).state).toBe(accepted ? "CANCELLED" : "SUCCEEDED");
      await closeBooks(stage, id, accepted ? "undone" : "done");
    } else {
      await stage.remove(id);
      expect((await ended(stage, id)).state).toBe("SUCCEEDED");
      await closeBooks(stage, id, "gone");
    }
  });
}
