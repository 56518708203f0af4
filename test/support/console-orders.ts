import { expect } from "vitest";
import type { DevProcess } from "./dev-process.ts";
import { eventually } from "./eventually.ts";

/** Orders as the console shows them: stuck, failed and waiting ones, on a laptop's Slipway. */

/** An order whose undo a system refuses, until its faults are taken away. Answers the cluster's id. */
export async function stuck({ sim, order, ended }: DevProcess, name: string): Promise<string> {
  await sim("POST", "faults", { target: "dns", fault: "error", status: 400, count: 0 });
  const { id, operation } = await order(name);
  const { status } = await ended(operation);
  expect(status.state).toBe("OPERATION_STATE_STUCK");
  return id;
}

/** An order that has failed. Answers the cluster's id. */
export async function failed(process: DevProcess, name: string): Promise<string> {
  const id = await stuck(process, name);
  const { operation } = (await process.admin("GET", `clusters/${id}`)).body.status;
  await process.sim("DELETE", "faults");
  await process.admin("POST", `operations/${operation}/resume`, {});
  await eventually(async () => {
    const { body } = await process.admin("GET", `clusters/${id}`);
    expect(body.status.failure).toBeDefined();
  });
  return id;
}

/** An order that waits for the fabric, until the faults are taken away. Answers the cluster's id. */
export async function waiting(process: DevProcess, name: string): Promise<string> {
  await fabricAway(process);
  const { id } = await process.order(name);
  await eventually(async () => {
    const { body } = await process.api("GET", `clusters/${id}`);
    expect(body.status.waiting?.[0]?.system).toBeDefined();
  });
  return id;
}

/** The fabric answers 503 from now on. */
export const fabricAway = ({ sim }: DevProcess) =>
  sim("POST", "faults", { target: "fabric", fault: "error", status: 503, count: 0 });
