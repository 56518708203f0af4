import { describe, expect, it } from "vitest";
import { type Clock, sleep, timestamp } from "../../../../core/clock.ts";
import { AppError, isKind } from "../../../../core/error.ts";
import { append, firstPlace, timeIn } from "../../../../core/kernel/events/append.ts";
import type { Event } from "../../../../core/kernel/events/events.ts";
import { readLogs } from "../../../../core/kernel/events/log.ts";
import { type LogTime, manyWriters, oneWriter } from "../../../../core/kernel/events/log-time.ts";
import { beginning } from "../../../../core/kernel/events/position.ts";
import { logPartitions } from "../../../../core/kernel/object/log-keys.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import { type Store, TransactionRefused } from "../../../../core/kernel/store/store.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { logOf } from "../../../support/log.ts";
import { seeded } from "../../../support/random.ts";
import { recordsIn } from "../../../support/records.ts";
import { seed } from "../../../support/seed.ts";
import { VirtualClock } from "../../../support/virtual-clock.ts";

const tenant = "tenant-a";

const eventOf = (id: string, sequence: number, clock: Clock): Event => ({
  specversion: "1.0",
  id: `${id}.${sequence}`,
  source: "slipway",
  type: "slipway.cluster.updated.v1",
  subject: `clusters/${id}`,
  time: timestamp(clock.now()),
  tenant,
  sequence,
  datacontenttype: "application/json",
  data: { object: {}, changed: [] },
});

/** How far two clocks may be apart in these tests, and how late a write may arrive that was given up. */
const wrongness = 500;
const lateness = 500;
const apart = wrongness + lateness;
const longestTry = 1000;
/** How late an event may be told to be at its first place. */
const inTime = 700;
const settling = inTime + longestTry + apart;

/** Appends an event as a process does that has only this store. */
async function appended(
  store: Store,
  logTime: LogTime,
  event: Event,
  before?: Event,
): Promise<number> {
  const id = event.subject.slice("clusters/".length);
  const known = before && (await store.get(firstPlace("cluster", id, before)));
  const earlier = before ? known && timeIn(known) : 0;
  const clock = new VirtualClock();
  return append({ store, kinds, clock, logTime }, { kind: "cluster", id, event, earlier });
}

type Three = [Event, Event, Event];

const reading = (store: Store): Omit<Store, "transact"> => ({
  get: (key) => store.get(key),
  getMany: (keys) => store.getMany(keys),
  query: (query) => store.query(query),
  count: (query) => store.count(query),
});

/** Several processes with clocks of their own that append to one log, and read it meanwhile. */
class Processes {
  readonly store = openSqliteStore(":memory:");
  readonly clock = new VirtualClock();
  readonly #random: () => number;
  readonly #late: Promise<unknown>[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** One whose clock goes wrong by at most half of what two may be apart. */
  #process(): { logTime: LogTime; store: Store } {
    const wrong = Math.round((this.#random() - 0.5) * wrongness);
    const clock: Clock = {
      now: () => this.clock.now() + wrong,
      after: (ms, fn) => this.clock.after(ms, fn),
    };
    const logTime = manyWriters(clock, { settling, longestTry, apart });
    return { logTime, store: this.#slow(logTime.longestTry ?? 0) };
  }

  /**
   * The store for one who waits no longer than this, and gets no answer now and then. What was given up may
   * be written nevertheless.
   */
  #slow(longest: number): Store {
    const { store, clock } = this;
    return {
      ...reading(store),
      transact: async (writes, { within = 0 } = {}) => {
        expect(within).toBe(longest);
        const takes = Math.floor(this.#random() * (within + lateness));
        const written = sleep(clock, takes).then(() => store.transact(writes));
        if (takes <= within) await written;
        else {
          this.#late.push(written.catch(() => {}));
          await sleep(clock, within);
        }
        if (takes > within || this.#random() < 0.2) throw new AppError("Unavailable", "no answer");
      },
    };
  }

  /**
   * Has every event of an object appended, as often as it takes, now and then by two at once; now and then
   * the relay is late.
   */
  async append(id: string, events: number): Promise<void> {
    let before: Event | undefined;
    for (let sequence = 1; sequence <= events; sequence++) {
      await sleep(this.clock, Math.floor(this.#random() * 400));
      const event = eventOf(id, sequence, this.clock);
      const late = this.#random() < 0.6 ? 3 * inTime : inTime / 2;
      await sleep(this.clock, Math.floor(this.#random() * late));
      const former = before;
      const once = () => {
        const { store, logTime } = this.#process();
        return appended(store, logTime, event, former).then(
          () => true,
          (error: unknown) => {
            if (!isKind(error, "Unavailable")) throw error;
            return false;
          },
        );
      };
      if (this.#random() < 0.3) this.#late.push(once());
      while (!(await once()));
      before = event;
    }
  }

  /** Reads until nothing more can come, page after page, now at once and now later. */
  async read(isOver: () => boolean): Promise<string[]> {
    const { logTime } = this.#process();
    const deps = { ...recordsIn(this.store), logTime };
    const seen: string[] = [];
    for (let after = beginning; ; ) {
      const wasOver = isOver();
      const entries = await readLogs(deps, [tenant], { after, limit: 8, isWhole: true });
      for (const { position, event } of entries) {
        after = position;
        if (event) seen.push(event.id);
      }
      if (wasOver && entries.length === 0) return seen;
      await sleep(this.clock, Math.floor(this.#random() * 150));
    }
  }

  /** Resolves when all attempts have ended, and what they wrote has settled. */
  async ended(): Promise<void> {
    await Promise.all(this.#late);
    await sleep(this.clock, settling + 2 * apart + longestTry);
  }
}

it("has each event once and in order of its object, and no reader misses one, whoever appends when", async () => {
  for (let n = 0; n < 10; n++) {
    const processes = new Processes(seeded(seed + n));
    const objects = ["a", "b", "c", "d", "e"];
    let isOver = false;
    const appending = Promise.all(objects.map((id) => processes.append(id, 6))).then(async () => {
      await processes.ended();
      isOver = true;
    });
    const reading = [1, 2].map(() => processes.read(() => isOver));
    const [, ...readers] = await processes.clock.until(Promise.all([appending, ...reading]));
    const log = (await logOf(processes)).map(({ event }) => event.id);
    const all = objects.flatMap((id) => [1, 2, 3, 4, 5, 6].map((sequence) => `${id}.${sequence}`));
    expect(log.toSorted()).toEqual(all);
    for (const id of objects)
      expect(log.filter((event) => event.startsWith(id))).toEqual(
        all.filter((event) => event.startsWith(id)),
      );
    for (const seen of readers) expect(seen).toEqual(log);
    processes.store.close();
  }
});

describe("an event", () => {
  const at = 1000 * new VirtualClock().now();
  const settlings = { settling, longestTry, apart };

  /** A log, and a clock that may be ahead of the events in it. */
  const opened = (ahead = 0) => {
    const clock = new VirtualClock();
    const store = openSqliteStore(":memory:");
    const logTime = manyWriters(new VirtualClock(clock.now() + ahead), settlings);
    const items = async () =>
      (await Promise.all(logPartitions(tenant).map((pk) => store.query({ pk })))).flatMap(
        (page) => page.items,
      );
    return { clock, store, logTime, items };
  };

  it("that is told in time is one item, at the place of its own time", async () => {
    const { clock, store, logTime, items } = opened(inTime);
    expect(await appended(store, logTime, eventOf("a", 1, clock))).toBe(at + 1);
    expect(await items()).toEqual([expect.objectContaining({ event: expect.any(String) })]);
  });

  it("that is told too late for a reader has a mark there, and is at the present time", async () => {
    const { clock, store, logTime, items } = opened(inTime + 1);
    const late = at + 1000 * (inTime + 1);
    expect(await appended(store, logTime, eventOf("a", 1, clock))).toBe(late);
    expect(await items()).toEqual([
      expect.objectContaining({ at: late }),
      expect.objectContaining({ event: expect.any(String) }),
    ]);
  });

  it.each([
    ["in time", 0],
    ["late", inTime + 1],
  ])(
    "is where it was told first, however often and late it is told again: %s",
    async (_, ahead) => {
      const { clock, store, logTime, items } = opened(ahead);
      const event = eventOf("a", 1, clock);
      const first = await appended(store, logTime, event);
      const once = await items();
      for (const later of [0, inTime + 1, 5000]) {
        const { logTime: again } = opened(later);
        expect(await appended(store, again, event)).toBe(first);
      }
      expect(await items()).toEqual(once);
    },
  );

  it("stays out of its first place where a write comes after the writer has given it up", async () => {
    const { clock, store, logTime, items } = opened(inTime);
    const event = eventOf("a", 1, clock);
    let arrives = async () => {};
    const slow: Store = {
      ...reading(store),
      transact: async (writes) => {
        arrives = () => store.transact(writes);
        throw new AppError("Unavailable", "no answer");
      },
    };
    await expect(appended(slow, logTime, event)).rejects.toThrow("no answer");
    const { logTime: later } = opened(inTime + longestTry);
    const place = await appended(store, later, event);
    const once = await items();
    await expect(arrives()).rejects.toBeInstanceOf(TransactionRefused);
    expect(await items()).toEqual(once);
    expect(place).toBe(at + 1000 * (inTime + longestTry));
  });

  it("is behind the one before it, though that one was told late or its clock is ahead", async () => {
    const { clock, store, logTime } = opened();
    const [a, b, c] = [1, 2, 3].map((sequence) => eventOf("a", sequence, clock)) as Three;
    const first = await appended(store, opened(inTime + 400).logTime, a);
    expect(await appended(store, logTime, b, a)).toBe(first + 1);
    expect(await appended(store, logTime, c, b)).toBe(first + 2);
  });

  it("is behind everything that a clock has given yet, where nobody knows the one before it", async () => {
    const { clock, store, logTime } = opened();
    const first = await appended(store, opened(inTime + apart).logTime, eventOf("a", 1, clock));
    const later = opened(inTime).logTime;
    const event = eventOf("a", 2, clock);
    const second = await append(
      { store, kinds, clock, logTime: later },
      { kind: "cluster", id: "a", event, earlier: undefined },
    );
    expect(second).toBeGreaterThanOrEqual(first);
    expect(logTime.isOpen(second)).toBe(true);
  });
});

it("is not written over where two objects of one id are at one position", async () => {
  const store = openSqliteStore(":memory:");
  const clock = new VirtualClock();
  const event = eventOf("a", 1, clock);
  const logTime = manyWriters(clock);
  await append({ store, kinds, clock, logTime }, { kind: "cluster", id: "a", event, earlier: 0 });
  const other = { ...event, subject: "hubs/a" };
  await append(
    { store, kinds, clock, logTime: manyWriters(clock) },
    { kind: "hub", id: "a", event: other, earlier: 0 },
  );
  const log = await logOf({ store });
  expect(log.map((entry) => entry.event.subject).sort()).toEqual(["clusters/a", "hubs/a"]);
});

it("is read with the other log in one order, page by page, from any entry on", async () => {
  const store = openSqliteStore(":memory:");
  const clock = new VirtualClock();
  const logTime = oneWriter(clock);
  const expected: string[] = [];
  for (let n = 0; n < 30; n++) {
    const event = { ...eventOf(`o-${n}`, 1, clock), tenant: n % 3 === 0 ? "shared" : tenant };
    await appended(store, logTime, event);
    expected.push(event.id);
  }
  const deps = { ...recordsIn(store), logTime };
  const read = (after: string, limit: number) =>
    readLogs(deps, [tenant, "shared"], { after, limit, isWhole: true });
  for (const limit of [1, 4, 10, 100]) {
    const seen: string[] = [];
    for (let after = beginning; ; ) {
      const page = await read(after, limit);
      if (page.length === 0) break;
      seen.push(...page.flatMap(({ event }) => event?.id ?? []));
      after = page.at(-1)?.position ?? "";
    }
    expect(seen).toEqual(expected);
  }
  const idsOf = (page: { event?: Event }[]) => page.flatMap(({ event }) => event?.id ?? []);
  const positions = (await read(beginning, 1000)).flatMap(({ position, event }) =>
    event ? [position] : [],
  );
  for (const [n, position] of positions.entries()) {
    expect(idsOf(await read(position, 1000))).toEqual(expected.slice(n + 1));
    // A time alone is before the entry of that time.
    expect(idsOf(await read(position.slice(0, 16), 1000))).toEqual(expected.slice(n));
  }
});
