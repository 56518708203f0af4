import type { Holder } from "../../../kernel/claim/holder.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { isKindIn } from "../../../kernel/object/kind.ts";
import {
  allocatedNumberKey,
  allocatedNumberPartition,
} from "../../../kernel/object/number-keys.ts";
import type { Kind } from "../../../kernel/object/object.ts";
import { load } from "../../../kernel/object/records.ts";
import { isWritten } from "../../../kernel/store/optimistically.ts";
import { pagesIn } from "../../../kernel/store/pages.ts";
import { absent, type Check, eq, type Store, type Write } from "../../../kernel/store/store.ts";
import type { NumberPool } from "../ipam.ts";
import type { Difference, StoredNumbers } from "./drift.ts";
import { type NumberState, stateIn } from "./number-state.ts";

/**
 * The numbers that NetBox has allocated, in Slipway's own store. Each has one item, which is
 * written and deleted with the number in its holder's record. So nobody else gets a number that a
 * record has, even after manual changes in NetBox; drift shows these.
 */
export class AllocatedNumbers implements StoredNumbers {
  readonly #deps: Pick<Deps, "store" | "kinds">;
  readonly #pool: NumberPool;

  constructor(deps: Pick<Deps, "store" | "kinds">, pool: NumberPool) {
    this.#deps = deps;
    this.#pool = pool;
  }

  /** The writes that accompany a claim; they fail when somebody has one of the numbers. */
  claimWrites<K extends Kind>(numbers: readonly number[], { kind, id }: Holder<K>): Write[] {
    return numbers.map((number) => ({
      put: { ...this.#keyOf(number), number, kind, owner: id },
      if: absent,
    }));
  }

  /** The writes that accompany a release. */
  releaseWrites<K extends Kind>(numbers: readonly number[], { id }: Holder<K>): Write[] {
    return numbers.map((number) => ({ delete: this.#keyOf(number), if: eq("owner", id) }));
  }

  /** The given numbers that have a holder. */
  async allocatedOf(numbers: readonly number[]): Promise<Set<number>> {
    const items = await this.#store.getMany(numbers.map((number) => this.#keyOf(number)));
    return new Set(numbers.filter((_, n) => items[n]));
  }

  async stateOf(number: number): Promise<NumberState> {
    return stateIn(await this.#store.get(this.#keyOf(number)));
  }

  /** Blocks a foreign number, unless somebody has it. */
  async holdForeign(number: number, owner: string): Promise<void> {
    await isWritten(this.#store, [{ put: { ...this.#keyOf(number), number, owner }, if: absent }]);
  }

  /** Unblocks a foreign number if the fence's checks hold; safe to repeat. */
  async releaseForeign(number: number, owner: string, fence: Check[]): Promise<void> {
    await isWritten(this.#store, [
      ...fence,
      { delete: this.#keyOf(number), if: eq("owner", owner) },
    ]);
  }

  async states(): Promise<Map<number, NumberState>> {
    const states = new Map<number, NumberState>();
    for await (const items of pagesIn(this.#store, {
      pk: allocatedNumberPartition(this.#pool.name),
    }))
      for (const item of items) states.set(Number(item.number), stateIn(item));
    return states;
  }

  /**
   * Leaves out holders with a running operation: NetBox shows a number before its claim has ended,
   * and until its release has ended.
   */
  async unexplained(differences: Difference[]): Promise<Difference[]> {
    const holders = new Set(differences.flatMap(({ shownFor }) => shownFor ?? []));
    const busy = new Set<string>();
    for (const holder of holders) if (await this.#isBusy(holder)) busy.add(holder);
    return differences.filter(({ shownFor }) => shownFor === undefined || !busy.has(shownFor));
  }

  /** Whether an operation of the holder is running. People may have written any name. */
  async #isBusy(holder: string): Promise<boolean> {
    const [kind = "", id = ""] = holder.split("/");
    if (!isKindIn(this.#deps.kinds, kind)) return false;
    const object = await load(this.#deps, kind, id);
    return object !== undefined && "operation" in object && object.operation !== undefined;
  }

  get #store(): Store {
    return this.#deps.store;
  }

  #keyOf(number: number) {
    return allocatedNumberKey(this.#pool.name, number);
  }
}
