import { AppError, type ErrorKind } from "../../../core/error.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { ProcessDeps } from "../../../local/process-deps.ts";
import { type Waiting, waitingDeps } from "../waiting.ts";
import { type Seen, StagedStore } from "./staged-store.ts";
import { heldIn, watched, wrongIn } from "./wrong.ts";

/**
 * Races of conditional writes. Each has an action, the store as it begins, and what others may do meanwhile; it is
 * played once for each of them and each call of the store, as if they were faster just then.
 */
export interface Race<Known = unknown> {
  /** Brings the store to where the action begins. */
  begin(deps: Waiting): Promise<Known>;
  /** What the action follows from, which the relay has not seen yet. */
  since?(deps: ProcessDeps, known: Known): Promise<unknown>;
  act(deps: ProcessDeps, known: Known): Promise<unknown>;
  others: Record<string, (deps: ProcessDeps, known: Known) => Promise<unknown>>;
  /** The relay has followed what the others did: afterwards nobody makes up for what is written over that. */
  isFollowed?: true;
}

/** Says what `Known` is of each. */
export const race = <Known>(of: Race<Known>): Race => of as Race;

/** Who loses a race is told one of these, or has what it asked for. */
const answers: readonly ErrorKind[] = [
  ...(["AlreadyExists", "Cancelled", "Conflict", "FailedPrecondition", "Invalid"] as const),
  ...(["NotFound", "PreconditionFailed", "QuotaExceeded", "Unavailable"] as const),
];

/** Where a race was played. */
export interface Meeting {
  /** Who was faster, and before which call. */
  other?: string;
  at?: number;
  /** The conditions that failed, for each transaction that was refused. */
  refused: string[][];
  wrong: string[];
}

/** What became of a condition; `missed`: something goes wrong where it is not asked. */
interface Condition extends Seen {
  missed: boolean;
}

export interface Played {
  /** The conditions of the action's writes, by their shapes. */
  conditions: Map<string, Condition>;
  meetings: Meeting[];
}

/** A store as an action begins with it, which is opened as often as it is played. */
interface Saved {
  items: Item[];
  at: number;
  known: unknown;
}

async function saved(race: Race): Promise<Saved> {
  const deps = waitingDeps();
  const known = await race.begin(deps);
  await deps.relayed();
  const wrong = wrongIn(deps);
  if (wrong.length > 0) throw new Error(`it begins with what is wrong: ${wrong.join("; ")}`);
  const items = deps.store.items();
  deps.store.close();
  return { items, at: deps.clock.now(), known };
}

async function opened({ items, at }: Saved): Promise<Waiting> {
  let made = 0;
  // Ids other than those that there are.
  const deps = waitingDeps({ newId: () => `new-${made++}` });
  await deps.clock.advance(at - deps.clock.now());
  for (let n = 0; n < items.length; n += 100)
    await deps.store.transact(items.slice(n, n + 100).map((put) => ({ put })));
  deps.store.trimStream(String(items.length + 1));
  return deps;
}

async function meet(
  race: Race,
  begin: Saved,
  { other, at, without }: Pick<Meeting, "other" | "at"> & { without?: string },
): Promise<Meeting & Pick<StagedStore, "calls" | "seen">> {
  const deps = await opened(begin);
  await race.since?.(deps, begin.known);
  let held = heldIn(deps);
  const others = async () => {
    if (other !== undefined) await answered(() => race.others[other]?.(deps, begin.known));
    if (race.isFollowed) await deps.relayed();
    held = heldIn(deps);
  };
  const staged = new StagedStore(deps.store, { at, others, without, watch: watched(deps.store) });
  const wrong = await answered(() => race.act({ ...deps, store: staged.store }, begin.known));
  await deps.relayed();
  wrong.push(...wrongIn(deps, held));
  deps.store.close();
  const { calls, seen, refused } = staged;
  wrong.push(...staged.wrong);
  return {
    calls,
    seen,
    refused,
    wrong,
    ...(other !== undefined && { other }),
    ...(at !== undefined && { at }),
  };
}

/** What is wrong with how an action ended. */
async function answered(act: () => Promise<unknown> | undefined): Promise<string[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof AppError && answers.includes(error.kind)) return [];
    return [`it throws ${error}`];
  }
}

/** Plays a race once for each of the others and each call of its action. */
export async function played(race: Race): Promise<Played> {
  const begin = await saved(race);
  const calm = await meet(race, begin, {});
  const all = [calm];
  // What writes nothing as the store is has no race.
  for (const other of calm.seen.size > 0 ? Object.keys(race.others) : [])
    for (let at = 0; at < calm.calls; at++) all.push(await meet(race, begin, { other, at }));
  const conditions = new Map<string, Condition>();
  for (const { seen } of all)
    for (const [shape, { held, failed }] of seen) {
      const sum = conditions.get(shape) ?? { held: 0, failed: 0, missed: false };
      conditions.set(shape, { ...sum, held: sum.held + held, failed: sum.failed + failed });
    }
  for (const [shape, condition] of conditions)
    condition.missed = await isMissed(race, begin, all, shape);
  return { conditions, meetings: all };
}

/** Whether something goes wrong in one of the meetings in which a condition failed, once it is not asked. */
async function isMissed(
  race: Race,
  begin: Saved,
  all: Meeting[],
  without: string,
): Promise<boolean> {
  for (const { other, at, refused } of all) {
    if (other === undefined || at === undefined || !refused.flat().includes(without)) continue;
    if ((await meet(race, begin, { other, at, without })).wrong.length > 0) return true;
  }
  return false;
}
