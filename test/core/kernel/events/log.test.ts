import { expect, it } from "vitest";
import { type Clock, sleep, timestamp } from "../../../../core/clock.ts";
import { AppError, isKind } from "../../../../core/error.ts";
import { append, timeIn } from "../../../../core/kernel/events/append.ts";
import type { Event } from "../../../../core/kernel/events/events.ts";
import { readLogs } from "../../../../core/kernel/events/log.ts";
import { type LogTime, manyWriters, oneWriter } from "../../../../core/kernel/events/log-time.ts";
import { beginning } from "../../../../core/kernel/events/position.ts";
import { loggedKey } from "../../../../core/kernel/object/keys.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Store } from "../../../../core/kernel/store/store.ts";
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

/** How far two clocks may be apart in these tests; the store itself takes no time. */
const apart = 500;
const longestTry = 1000;
const settling = longestTry + apart;

/** Appends an event as a process does that has only this store. */
async function appended(store: Store, logTime: LogTime, event: Event): Promise<number> {
  const id = event.subject.slice("clusters/".length);
  const before = await store.get(loggedKey("cluster", id, event.sequence - 1));
  const earlier = before && timeIn(before);
  const clock = new VirtualClock();
  return append({ store, kinds, clock, logTime }, { kind: "cluster", id, event, earlier });
}

/** Several processes with clocks of their own that append to one log, and read it meanwhile. */
class Processes {
  readonly store = openSqliteStore(":memory:");
  readonly clock = new VirtualClock();
  readonly #random: () => number;
  readonly #late: Promise<unknown>[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  /** One whose clock goes wrong by at most half of what clocks may be apart. */
  #process(): { logTime: LogTime; store: Store } {
    const wrong = Math.round((this.#random() - 0.5) * apart);
    const clock: Clock = {
      now: () => this.clock.now() + wrong,
      after: (ms, fn) => this.clock.after(ms, fn),
    };
    const logTime = manyWriters(clock, { settling, longestTry });
    return { logTime, store: this.#slow(logTime.longestTry ?? 0) };
  }

  /** The store for one who waits no longer than this, and gets no answer now and then. */
  #slow(longest: number): Store {
    const { store, clock } = this;
    return {
      get: (key) => store.get(key),
      getMany: (keys) => store.getMany(keys),
      query: (query) => store.query(query),
      count: (query) => store.count(query),
      transact: async (writes, { within = 0 } = {}) => {
        expect(within).toBe(longest);
        const takes = Math.floor(this.#random() * 1.5 * within);
        await sleep(clock, Math.min(takes, within));
        if (takes <= within) await store.transact(writes);
        if (takes > within || this.#random() < 0.2) throw new AppError("Unavailable", "no answer");
      },
    };
  }

  /** Has every event of an object appended, as often as it takes, now and then by two at once. */
  async append(id: string, events: number): Promise<void> {
    for (let sequence = 1; sequence <= events; sequence++) {
      await sleep(this.clock, Math.floor(this.#random() * 400));
      const event = eventOf(id, sequence, this.clock);
      const once = () => {
        const { store, logTime } = this.#process();
        return appended(store, logTime, event).then(
          () => true,
          (error: unknown) => {
            if (!isKind(error, "Unavailable")) throw error;
            return false;
          },
        );
      };
      if (this.#random() < 0.3) this.#late.push(once());
      while (!(await once()));
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
        seen.push(event?.id ?? "");
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
  for (let n = 0; n < 6; n++) {
    const processes = new Processes(seeded(seed + n));
    const objects = ["a", "b", "c", "d", "e"];
    let isOver = false;
    const appending = Promise.all(objects.map((id) => processes.append(id, 4))).then(async () => {
      await processes.ended();
      isOver = true;
    });
    const reading = [1, 2].map(() => processes.read(() => isOver));
    const [, ...readers] = await processes.clock.until(Promise.all([appending, ...reading]));
    const log = (await logOf(processes)).map(({ event }) => event.id);
    const all = objects.flatMap((id) => [1, 2, 3, 4].map((sequence) => `${id}.${sequence}`));
    expect(log.toSorted()).toEqual(all);
    for (const id of objects)
      expect(log.filter((event) => event.startsWith(id))).toEqual(
        all.filter((event) => event.startsWith(id)),
      );
    for (const seen of readers) expect(seen).toEqual(log);
    processes.store.close();
  }
});

it("gives an event a position behind the one before it, though that was written by a clock ahead", async () => {
  const store = openSqliteStore(":memory:");
  const clock = new VirtualClock();
  const ahead = manyWriters(new VirtualClock(clock.now() + 400), { settling, longestTry });
  const first = await appended(store, ahead, eventOf("a", 1, clock));
  const second = await appended(store, manyWriters(clock), eventOf("a", 2, clock));
  expect(second).toBe(first + 1);
  expect(await appended(store, ahead, eventOf("a", 1, clock))).toBe(first);
});

it("is not written over where two objects of one id are at one position", async () => {
  const store = openSqliteStore(":memory:");
  const clock = new VirtualClock();
  const event = eventOf("a", 1, clock);
  const logTime = manyWriters(clock);
  await append(
    { store, kinds, clock, logTime },
    { kind: "cluster", id: "a", event, earlier: undefined },
  );
  const other = { ...event, subject: "hubs/a" };
  await append(
    { store, kinds, clock, logTime: manyWriters(clock) },
    { kind: "hub", id: "a", event: other, earlier: undefined },
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
      seen.push(...page.map(({ event }) => event?.id ?? ""));
      after = page.at(-1)?.position ?? "";
    }
    expect(seen).toEqual(expected);
  }
  const positions = (await read(beginning, 1000)).map(({ position }) => position);
  for (const [n, position] of positions.entries()) {
    const rest = await read(position, 1000);
    expect(rest.map(({ event }) => event?.id)).toEqual(expected.slice(n + 1));
    // A time alone is before the entry of that time.
    const again = await read(position.slice(0, 16), 1000);
    expect(again.map(({ event }) => event?.id)).toEqual(expected.slice(n));
  }
});
