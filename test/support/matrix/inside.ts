import { expect, it } from "vitest";
import { stepsOf, undoName } from "../../../core/kernel/saga/saga.ts";
import type { Sagas } from "../../../core/kernel/saga/settle.ts";
import { sagas } from "../../../statemachines/index.ts";
import type { SiteOptions, Wire } from "../site.ts";
import { type Breakage, breakages, broken, Died } from "./breakage.ts";
import { closeBooks, ended, printCounts, resume } from "./cases.ts";
import { scenarios, staged } from "./clusters.ts";
import { Share } from "./share.ts";

/**
 * The matrix: every state of every saga broken in every way, through its emitted ASL, against the
 * simulated hubs, in virtual time. After each case the books must be clean, and the order must say
 * what is true. `npm test` takes a share of it.
 */

/** Sagas of which one state is broken, and a worker that can die. */
function breaking(
  from: Sagas,
  saga: string,
  state: string,
  how: (die: () => void) => Breakage,
): SiteOptions {
  let died: () => void = () => {};
  const invoke: SiteOptions["invoke"] = async (_, work) => {
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
export function matrixOf(name: string): void {
  const scenario = scenarios[name];
  const saga = sagas[scenario?.saga ?? name];
  if (!saga || !scenario) throw new Error(`the matrix has no scenario for ${name}`);
  const share = new Share();
  printCounts(name, share);
  const { nodes } = scenario;
  const steps = stepsOf(saga.nodes);
  const inEachWay = (state: string) => share.of(ways.map((way) => [state, way] as const));

  it.each(steps.flatMap(({ name }) => inEachWay(name)))("%s: %s", async (state, way) => {
    const { site, start } = await staged(
      scenario,
      breaking(sagas, saga.name, state, (die) => breakages(die)[way]),
    );
    const id = await start();
    let operation = await ended(site, id);
    const isError = way.startsWith("error");
    if (isError && saga.irreversible) {
      expect(operation.status).toMatchObject({
        state: "OPERATION_STATE_STUCK",
        failure: { step: state },
      });
      operation = await resume(site, id, operation);
    }
    const fails = isError && !saga.irreversible;
    expect(operation.status.state).toBe(
      fails ? "OPERATION_STATE_FAILED" : "OPERATION_STATE_SUCCEEDED",
    );
    if (fails)
      expect(operation.status.failure).toMatchObject({
        step: state,
        message: "broken on purpose",
      });
    await closeBooks(site, id, fails ? nodes.undone : nodes.done);
  });

  if (saga.irreversible) return;
  const last = steps.at(-1)?.name ?? "";
  const undos = steps.filter((step) => step.undo).map(({ name }) => undoName(name));

  // The last step fails, so that the whole chain is walked; and one undo in it is broken.
  const failing = () =>
    broken(sagas, saga.name, last, breakages(() => {})["error after the effect"]);
  it.each(undos.flatMap(inEachWay))("%s: %s", async (state, way) => {
    const { site, start } = await staged(
      scenario,
      breaking(failing(), saga.name, state, (die) => breakages(die)[way]),
    );
    const id = await start();
    let operation = await ended(site, id);
    if (way.startsWith("error")) {
      expect(operation.status).toMatchObject({
        state: "OPERATION_STATE_STUCK",
        failure: { step: state },
      });
      operation = await resume(site, id, operation);
    }
    expect(operation.status).toMatchObject({
      state: "OPERATION_STATE_FAILED",
      failure: { step: last },
    });
    await closeBooks(site, id, nodes.undone);
  });

  const cancels = steps
    .slice(0, -1)
    .flatMap(({ name }) =>
      share.of((["cancel", "delete"] as const).map((what) => [what, name] as const)),
    );
  it.each(cancels)("%s when %s has just succeeded", async (what, name) => {
    const { site, start } = await staged(scenario, {});
    const id = await start();
    let operation: Wire;
    await site.laptop.until(async () => {
      const { body } = await site.api("GET", "operations");
      operation = body.items.findLast((item: Wire) => item.spec.target.id === id);
      return operation.status.steps.some(
        (step: Wire) => step.name === name && step.state === "SUCCEEDED",
      );
    }, `${name} to succeed`);
    if (what === "cancel") {
      const { status } = await site.api("POST", `operations/${operation.id}/cancel`);
      // It may be over by now: then there is nothing to cancel, and it says so.
      const { state } = (await ended(site, id)).status;
      expect(state).toBe(
        status === 200 ? "OPERATION_STATE_CANCELLED" : "OPERATION_STATE_SUCCEEDED",
      );
      await closeBooks(site, id, status === 200 ? nodes.undone : nodes.done);
    } else {
      expect((await site.api("DELETE", `clusters/${id}`)).status).toBe(200);
      expect((await ended(site, id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
      expect((await site.api("GET", `clusters/${id}`)).status).toBe(404);
      await closeBooks(site, id, {});
    }
  });
}
