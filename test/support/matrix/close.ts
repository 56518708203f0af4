import { expect } from "vitest";
import { targetPartition } from "../../../core/kernel/object/keys.ts";
import { objectIn } from "../../../core/kernel/object/records.ts";
import { isEnded } from "../../../core/kernel/saga/operation.ts";
import type { Laptop } from "../laptop.ts";
import type { End, Seen, Stage } from "./stage.ts";

/** The end of a case: its last operation is over, and the books balance. */

/** What is counted over the cases of a file. */
export interface Counts {
  run: number;
  /** The way came to nothing that it is about: the state makes no such call in this change. */
  idle: number;
  lost: number;
  leaked: number;
  stuck: number;
}

export const newCounts = (): Counts => ({ run: 0, idle: 0, lost: 0, leaked: 0, stuck: 0 });

/** How long sweeps take to make up for what was missed; they read a hub whose agent reports each hour. */
const rest = { usual: 10 * 60_000, withoutNews: 70 * 60_000 };

/** Once the case has ended: finds everything in order. `hasNews`: reports still come. */
export async function closeBooks(
  stage: Stage,
  id: string,
  end: End,
  counts: Counts,
  hasNews = true,
): Promise<void> {
  await stage.laptop.pass(hasNews ? rest.usual : rest.withoutNews);
  const wrong = await stage.wrong(id, end);
  if (wrong.length > 0) counts.leaked += 1;
  expect(wrong).toEqual([]);
  await stage.expectEnd(id, end);
}

/** Runs until the last operation on the target has ended, or is stuck, and answers that. */
export async function ended(stage: Stage, id: string, counts: Counts): Promise<Seen> {
  try {
    await stage.laptop.until(() => isOver(stage.laptop, id), `the end of the operation on ${id}`);
  } catch (error) {
    counts.lost += 1;
    throw error;
  }
  await stage.laptop.pass(2000);
  const operation = await stage.newest(id);
  if (!operation) throw new Error(`there is no operation on ${id}`);
  return operation;
}

/** A target that was archived has its operations still. */
async function isOver({ deps: { store, kinds } }: Laptop, id: string): Promise<boolean> {
  const query = { index: "g3", pk: targetPartition(id), reverse: true, limit: 1 } as const;
  const [last] = (await store.query(query)).items;
  const operation = last && objectIn<"operation">(kinds, last);
  return operation !== undefined && (isEnded(operation) || operation.status.state === "STUCK");
}
