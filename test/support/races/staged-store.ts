import { keyOf } from "../../../core/kernel/store/check.ts";
import { holds } from "../../../core/kernel/store/condition.ts";
import type { Store, Write, WriteCondition } from "../../../core/kernel/store/store.ts";
import { inTurn } from "../scheduled-store.ts";

/** A store in which others act between two calls of whoever uses it, and which notes the conditions of its writes. */

/** What became of a condition. */
export interface Seen {
  held: number;
  failed: number;
}

/** What is so of a store at any moment: `wrong` answers what a transaction has made wrong. */
export interface Watch<State> {
  look(): State;
  wrong(before: State, after: State): string[];
}

interface Staging<State> {
  /** The call before which the others act, from 0; none for a calm run. */
  at?: number | undefined;
  others?: (() => Promise<unknown>) | undefined;
  /** Writes of this shape go without their condition. */
  without?: string | undefined;
  watch?: Watch<State> | undefined;
}

export class StagedStore<State = unknown> {
  readonly store: Store;
  /** How many calls there were. */
  calls = 0;
  /** The conditions by their shapes. */
  readonly seen = new Map<string, Seen>();
  /** The shapes of the conditions that failed, for each transaction that was refused. */
  readonly refused: string[][] = [];
  /** What its transactions have made wrong. */
  readonly wrong: string[] = [];
  readonly #real: Store;

  constructor(real: Store, { at, others, without, watch }: Staging<State> = {}) {
    this.#real = real;
    const turned = inTurn(real, async () => {
      if (this.calls++ === at) await others?.();
    });
    this.store = {
      ...turned,
      transact: async (writes) => {
        // The others act first: conditions are asked when the writes are made.
        if (this.calls++ === at) await others?.();
        await this.#note(writes);
        const made =
          without === undefined
            ? writes
            : writes.flatMap((write) => (shapeOf(write) === without ? bare(write) : write));
        const stale = without === undefined ? [] : await this.#stale(writes);
        const before = watch?.look();
        await real.transact(made);
        this.wrong.push(...stale, ...(watch && before ? watch.wrong(before, watch.look()) : []));
      },
    };
  }

  /** The writes of records that are newer than those that they were computed from. */
  async #stale(writes: Write[]): Promise<string[]> {
    const puts = writes.flatMap((write) => ("put" in write && write.put.object ? [write.put] : []));
    const items = await this.#real.getMany(puts);
    return puts.flatMap(({ pk, revision }, n) => {
      const newer = items[n]?.revision ?? 0;
      return Number(revision) === Number(newer) + 1 ? [] : [`${pk} is written over what is newer`];
    });
  }

  async #note(writes: Write[]): Promise<void> {
    const items = await this.#real.getMany(writes.map(keyOf));
    const failed: string[] = [];
    for (const [n, write] of writes.entries()) {
      const shape = shapeOf(write);
      if (!write.if || shape === undefined) continue;
      const held = holds(write.if, items[n]);
      const seen = this.seen.get(shape) ?? { held: 0, failed: 0 };
      this.seen.set(shape, seen);
      seen[held ? "held" : "failed"] += 1;
      if (!held) failed.push(shape);
    }
    if (failed.length > 0) this.refused.push(failed);
  }
}

/** The write without its condition; none of one that is nothing else. */
function bare(write: Write): Write[] {
  if ("check" in write) return [];
  const { if: _, ...rest } = write;
  return [rest];
}

/** A conditional write without what differs from one to the next: `put pool if state = free and lacks kept`. */
function shapeOf(write: Write): string | undefined {
  if (!write.if) return undefined;
  const [verb = ""] = Object.keys(write).filter(
    (member) => member in { put: 0, update: 0, delete: 0, check: 0 },
  );
  return `${verb} ${keyOf(write).pk.split("#", 1)} if ${inWords(write.if)}`;
}

function inWords(condition: WriteCondition): string {
  if (condition.test === "exists" || condition.test === "absent") return condition.test;
  if ("of" in condition)
    return condition.of.map(inWords).join(condition.test === "all" ? " and " : " or ");
  const name = condition.attribute.split(":", 1).join();
  if (!("value" in condition)) return `${condition.test} ${name}`;
  // A state is one of a few words; other values differ from one to the next.
  return `${name} ${condition.test} ${name === "state" ? condition.value : "…"}`;
}
