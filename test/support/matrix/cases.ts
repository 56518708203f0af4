import { afterAll, beforeAll, expect, it } from "vitest";
import { targetPartition } from "../../../core/kernel/object/keys.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import { isEnded } from "../../../core/kernel/saga/operation.ts";
import type { Laptop } from "../laptop.ts";
import type { Share } from "./share.ts";
import type { End, Seen, Stage } from "./stage.ts";

/** How a case of the matrix is judged. */

const counts = { cases: 0, lost: 0, leaked: 0, stuck: 0 };

/** Once all cases of a file have ended. A share may have none of them. */
export function printCounts(name: string, share: Share): void {
  it("there are cases to choose from", () => expect(share.all).toBeGreaterThan(0));
  beforeAll(() => {
    Object.assign(counts, { cases: 0, lost: 0, leaked: 0, stuck: 0 });
  });
  afterAll(() => {
    const { cases, lost, leaked, stuck } = counts;
    console.log(
      `${name}: ${share}; cases ${cases}, lost ${lost}, leaked ${leaked}, stuck ${stuck} (each expected)`,
    );
  });
}

/** Ends the case: counts it, and finds everything in order. */
export async function closeBooks(stage: Stage, id: string, end: End): Promise<void> {
  counts.cases += 1;
  await stage.laptop.pass(10 * 60_000);
  const wrong = await stage.wrong(id, end);
  if (wrong.length > 0) counts.leaked += 1;
  expect(wrong).toEqual([]);
  await stage.expectEnd(id, end);
}

/** Runs until the last operation on the target has ended, or is stuck, and answers that. */
export async function ended(stage: Stage, id: string): Promise<Seen> {
  await stage.laptop.until(() => isOver(stage.laptop, id), `the end of the operation on ${id}`);
  await stage.laptop.pass(2000);
  const operation = await stage.newest(id);
  if (!operation) throw new Error(`there is no operation on ${id}`);
  if (!/SUCCEEDED|FAILED|CANCELLED|STUCK/.test(operation.state)) counts.lost += 1;
  return operation;
}

/** A target that was archived has its operations still. */
async function isOver({ deps: { store, kinds } }: Laptop, id: string): Promise<boolean> {
  const query = { index: "g3", pk: targetPartition(id), reverse: true, limit: 1 } as const;
  const [last] = (await store.query(query)).items;
  const operation = last && objectIn<"operation">(kinds, last);
  return operation !== undefined && (isEnded(operation) || operation.status.state === "STUCK");
}

export async function resume(stage: Stage, id: string, stuck: Seen): Promise<Seen> {
  counts.stuck += 1;
  await stage.resume(stuck.id);
  await stage.laptop.pass(60_000);
  return ended(stage, id);
}
