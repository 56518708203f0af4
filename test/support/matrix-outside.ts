import { expect, it } from "vitest";
import { type ActionShape, backwards, type Node, stepsOf } from "../../core/kernel/saga/saga.ts";
import { sagas } from "../../statemachines/index.ts";
import { breakages, broken } from "./breakage.ts";
import { closeBooks, ended, printCounts, resume } from "./matrix-cases.ts";
import { scenarios, staged } from "./matrix-scenarios.ts";
import { Share } from "./matrix-share.ts";
import { troubles, Weather } from "./weather.ts";

/**
 * The matrix once more, with the trouble outside of the steps: on the network, in the systems they
 * ask, and between Step Functions and the worker.
 */

/** States whose tasks change nothing outside in these scenarios: they write the store, or wait and look. */
const quiet = new Set([
  "ReserveCapacity",
  "JoinNodes",
  "ValidateCluster",
  "PublishCluster",
  "ArchiveCluster",
  "ReserveHosts",
  "CheckUpgrade",
  "Undo UpgradeControlPlane",
  "Undo UpgradeNodeSets",
  "Undo ReserveCapacity",
  "Undo PublishCluster",
  "Undo ReleaseHosts",
]);

/** They change something once hosts have left their pool: in the task or in a later look. */
const waitsFirst = new Set(["cluster-scale: DetachHosts", "cluster-scale: Undo AttachHosts"]);

/** A step with all that may be open when it is. */
const besides = (nodes: Node<ActionShape>[], state: string): string[] =>
  nodes
    .map((node) => stepsOf([node]).map(({ name }) => name))
    .find((names) => names.includes(state)) ?? [];

const ways = Object.keys(troubles) as (keyof typeof troubles)[];

/** The cases of one saga. */
export function outsideOf(name: string): void {
  const scenario = scenarios[name];
  const saga = sagas[scenario?.saga ?? name];
  if (!saga || !scenario) throw new Error(`the matrix has no scenario for ${name}`);
  const { nodes } = scenario;
  const share = new Share();
  const steps = stepsOf(saga.nodes);
  const undos = saga.irreversible ? [] : backwards(saga.nodes);
  const last = steps.at(-1)?.name ?? "";
  const mayWait = (state: string) => waitsFirst.has(`${saga.name}: ${state}`);
  const isQuiet = (state: string) =>
    quiet.has(state) || scenario.quiet?.includes(state) === true || mayWait(state);
  const isUndo = (state: string) => undos.some((row) => row.name === state);
  printCounts(`${name}, outside`, share);

  const cases = [...steps, ...undos].flatMap(({ name: state }) => {
    const possible = ways.filter((way) => {
      if (way.startsWith("delivered")) return true;
      const isCancelled = way.endsWith("cancelled");
      return !isQuiet(state) && !(isCancelled && (saga.irreversible || isUndo(state)));
    });
    return share.of(possible.map((way) => [state, way] as const));
  });

  it.each(cases)("%s: %s", async (state, way) => {
    const weather = new Weather(state, troubles[way]);
    // The last step fails, so that the whole chain of undos is walked.
    const failing = () =>
      broken(sagas, saga.name, last, breakages(() => {})["error after the effect"]);
    const { site, start } = await staged(scenario, {
      sagas: isUndo(state) ? failing() : sagas,
      outside: weather.outside,
      invoke: weather.invoke,
    });
    weather.over(site);
    const id = await start();
    let operation = await ended(site, id);
    if (isUndo(state) && way === "a conflict" && operation.status.state.endsWith("STUCK")) {
      // A refusal, as below; who undoes has nowhere else to go.
      expect(operation.status.failure).toMatchObject({ step: state, kind: "Rejected" });
      expect(operation.status.failure.message).toContain("409");
      operation = await resume(site, id, operation);
    }
    const { status } = operation;
    expect(weather.deliveries).toBeGreaterThan(way.startsWith("delivered") ? 1 : 0);
    if (!mayWait(state)) expect(weather.changes > 0).toBe(!isQuiet(state));

    if (isUndo(state)) {
      expect(status).toMatchObject({ state: "OPERATION_STATE_FAILED", failure: { step: last } });
    } else if (way.endsWith("cancelled")) {
      expect(status.state).toBe("OPERATION_STATE_CANCELLED");
      // Whichever was open of those that run side by side is told first.
      expect(besides(saga.nodes, state)).toContain(status.failure.step);
    } else if (way === "a conflict" && status.state === "OPERATION_STATE_FAILED") {
      // Some conflicts are refusals: whose, is said.
      expect(status.failure).toMatchObject({ step: state, kind: "Rejected" });
      expect(status.failure.message).toContain("409");
    } else {
      expect(status.state).toBe("OPERATION_STATE_SUCCEEDED");
    }
    await closeBooks(
      site,
      id,
      status.state === "OPERATION_STATE_SUCCEEDED" ? nodes.done : nodes.undone,
    );
  });
}
