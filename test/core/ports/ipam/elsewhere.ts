import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../../core/error.ts";
import type { Holder } from "../../../../core/kernel/claim/holder.ts";
import { written } from "../../../../core/kernel/events/rewrite.ts";
import type { Kind } from "../../../../core/kernel/object/object.ts";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { optimistically, refuseFenced } from "../../../../core/kernel/store/optimistically.ts";
import type {
  Claim,
  Ipam,
  NumberPool,
  ReleaseConditions,
  Usage,
  Wanted,
} from "../../../../core/ports/ipam/ipam.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import type { IpamWorld } from "./contract.ts";

/**
 * An allocator with books of its own, as another system would be one: allocation and record are two
 * writes, and whatever lies between them is found again by the holder's name.
 */

interface Entry {
  holder: string;
  foreign: boolean;
}

/** What the other system knows of a pool. */
class Book {
  readonly taken = new Map<number, Entry>();
  /** By number, the end of its rest. */
  readonly rests = new Map<number, number>();
  touched = false;

  of(holder: string): number[] {
    return [...this.taken].flatMap(([number, entry]) =>
      !entry.foreign && entry.holder === holder ? [number] : [],
    );
  }

  /** Answers what the holder has already, where it has any. */
  allocate(pool: NumberPool, holder: string, count: number, now: number): Claim {
    this.touched = true;
    const known = this.of(holder);
    if (known.length > 0) return { claimed: known };
    const all = Array.from({ length: pool.size }, (_, n) => pool.first + n);
    const free = all.filter((n) => !this.taken.has(n) && (this.rests.get(n) ?? 0) <= now);
    if (free.length < count) {
      const ends = [...this.rests.values()].filter((end) => end > now).sort((a, b) => a - b);
      return { short: this.usage(pool, now), next: ends[count - free.length - 1] };
    }
    const claimed = free.slice(0, count);
    for (const number of claimed) {
      this.rests.delete(number);
      this.taken.set(number, { holder, foreign: false });
    }
    return { claimed };
  }

  free(numbers: number[], until: number): void {
    for (const number of numbers) {
      this.taken.delete(number);
      this.rests.set(number, until);
    }
  }

  usage({ size }: NumberPool, now: number): Usage {
    const resting = [...this.rests.values()].filter((end) => end > now).length;
    return { used: this.taken.size, resting, size };
  }

  hold(pool: NumberPool, foreign: ReadonlyMap<number, string>, now: number): void {
    for (const [number, holder] of foreign) {
      const isOurs = number >= pool.first && number < pool.first + pool.size;
      if (!isOurs || this.taken.has(number)) continue;
      this.rests.delete(number);
      this.taken.set(number, { holder, foreign: true });
    }
    const gone = [...this.taken].filter(([n, entry]) => entry.foreign && !foreign.has(n));
    this.free(
      gone.map(([number]) => number),
      now + pool.rest,
    );
  }
}

/** The books outlive the process that asks for numbers, as its clock does here. */
const books = new WeakMap<object, Map<string, Book>>();

export function ipamElsewhere({ store, clock }: IpamWorld): Ipam {
  const mine = books.get(clock) ?? new Map<string, Book>();
  books.set(clock, mine);
  /** Every question takes its time. */
  const bookOf = async ({ name }: NumberPool): Promise<Book> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const book = mine.get(name) ?? new Book();
    mine.set(name, book);
    return book;
  };

  async function claim<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    { count, fence, writes = [] }: Wanted,
  ): Promise<Claim> {
    const name = `${holder.kind}/${holder.id}`;
    try {
      return await optimistically<Claim>(
        store,
        async () => {
          const record = await mustLoad({ store, kinds }, holder.kind, holder.id);
          const held = holder.held(record);
          if (held.length > 0) return { writes: [], result: { claimed: held } };
          const claim = (await bookOf(pool)).allocate(pool, name, count, clock.now());
          if ("short" in claim) return { writes: [], result: claim };
          const holding = written({ kinds, clock }, record, holder.hold(record, claim.claimed));
          return { writes: [...fence, ...holding.writes, ...writes], result: claim };
        },
        (refusal) => refuseFenced(refusal, fence),
      );
    } catch (error) {
      const book = await bookOf(pool);
      if (error instanceof AppError && error.kind === "Cancelled")
        book.free(book.of(name), clock.now());
      throw error;
    }
  }

  async function release<K extends Kind>(
    pool: NumberPool,
    holder: Holder<K>,
    { fence = [], seen }: ReleaseConditions = {},
  ): Promise<number[]> {
    const isReleased = await optimistically(
      store,
      async () => {
        const record = await mustLoad({ store, kinds }, holder.kind, holder.id);
        const held = holder.held(record);
        const isSeen = seen === undefined || isDeepStrictEqual(held, [...seen]);
        // What a crash left in the book alone is freed too.
        if (held.length === 0) return { writes: [...fence], result: true };
        if (!isSeen) return { writes: [], result: false };
        const { writes } = written({ kinds, clock }, record, holder.release(record));
        return { writes: [...fence, ...writes], result: true };
      },
      (refusal) => refuseFenced(refusal, fence),
    );
    if (!isReleased) return [];
    const book = await bookOf(pool);
    const numbers = book.of(`${holder.kind}/${holder.id}`);
    book.free(numbers, clock.now() + pool.rest);
    return numbers;
  }

  return {
    claim,
    release,
    usage: async (pool) => (await bookOf(pool)).usage(pool, clock.now()),
    async survey(pool) {
      const book = await bookOf(pool);
      const foreign = [...book.taken.values()].filter((entry) => entry.foreign).length;
      return { ...book.usage(pool, clock.now()), foreign };
    },
    redefine: async () => [],
    wasUsed: async (pool) => (await bookOf(pool)).touched,
    hold: async (pool, foreign) => (await bookOf(pool)).hold(pool, foreign, clock.now()),
  };
}
