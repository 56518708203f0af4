import { expect, it } from "vitest";
import type { Clock } from "../../../../core/clock.ts";
import { AppError } from "../../../../core/error.ts";
import { readLogs } from "../../../../core/kernel/events/log.ts";
import { manyWriters } from "../../../../core/kernel/events/log-time.ts";
import { withLastEvent } from "../../../../core/kernel/events/outbox.ts";
import { beginning } from "../../../../core/kernel/events/position.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import { archive, isOfObject, mustLoad, objectIn } from "../../../../core/kernel/object/records.ts";
import { relay } from "../../../../core/kernel/relay/relay.ts";
import type { Store, StreamRecord } from "../../../../core/kernel/store/store.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { logOf } from "../../../support/log.ts";
import { meeting } from "../../../support/meeting-store.ts";
import { addOrder } from "../../../support/placement.ts";
import { seeded } from "../../../support/random.ts";
import { seed } from "../../../support/seed.ts";

const names = ["c1", "c2", "c3"];
const changes = ["one", "two", "three", "four"];

/** Orders, each changed a few times and deleted, some at the same moment. Answers the names of all events. */
async function lives(deps: TestDeps, random: () => number): Promise<string[]> {
  const pause = () => deps.clock.advance(Math.floor(random() * 4) * 400);
  const expected: string[] = [];
  for (const name of names) {
    const { operation } = await addOrder(deps, name, { small: 1 });
    for (const message of changes) {
      await pause();
      await changeObject(deps, "cluster", name, (cluster) => ({
        ...cluster,
        failure: { step: "Step", kind: "Rejected", message },
      }));
    }
    await pause();
    const now = deps.clock.now();
    const cluster = await mustLoad(deps, "cluster", name);
    await deps.store.transact(archive(kinds, withLastEvent(cluster, now), now));
    const last = changes.length + 2;
    for (let n = 1; n <= last; n++) expected.push(`cluster.${name}.${n}`);
    expected.push(`operation.${operation}.1`);
  }
  return expected.sort();
}

/**
 * The store of a relay that meets others at every call, and dies now and then before or after one, or where
 * a write takes too long.
 */
function deadly(store: Store, now: () => number, random: () => number): Store {
  const met = meeting(store, random);
  const die = () => {
    if (random() < 0.08) throw new AppError("Unavailable", "the relay has died");
  };
  return {
    ...met,
    transact: async (writes, { within = Number.POSITIVE_INFINITY } = {}) => {
      die();
      const end = now() + within;
      await met.get({ pk: "-", sk: "-" });
      if (now() > end) throw new AppError("Unavailable", "the store takes too long");
      await store.transact(writes);
      die();
    },
  };
}

it("each event is in the log once and in order, whenever relays are late, meet, die and lose records, and no reader misses one", async () => {
  for (let n = 0; n < 12; n++) {
    const random = seeded(seed + n);
    const deps = testDeps();
    const began = deps.clock.now();
    const expected = await lives(deps, random);
    const records = deps.store.stream(undefined, 10_000);
    let passed = 0;
    /** A process with a clock of its own; time passes with what relays do. */
    const process = () => {
      const wrong = Math.round((random() - 0.5) * 500);
      const clock: Clock = {
        now: () => began + passed + wrong,
        after: (ms, fn) => deps.clock.after(ms, fn),
      };
      return { ...deps, clock, logTime: manyWriters(clock) };
    };
    const handled = async (record: StreamRecord) => {
      // As the platform does: what could not be handled comes again, to a process that may be another one.
      for (;;) {
        passed += Math.floor(random() * 300);
        const store = deadly(deps.store, () => passed, random);
        try {
          return await relay({ ...process(), store }, sagas, record);
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
        }
      }
    };
    /** A relay that has lost some records that others of their objects come after. */
    const lost = new Set(
      records.filter(({ key, after }) => key.pk.startsWith("cluster#") && after && random() < 0.1),
    );
    const one = async () => {
      for (const record of records) if (!lost.has(record)) await handled(record);
    };
    let isOver = false;
    const reading = async () => {
      const reader = process();
      const seen: string[] = [];
      for (let after = beginning; ; ) {
        const wasOver = isOver;
        const entries = await readLogs(reader, ["tenant-a"], { after, limit: 8, isWhole: true });
        for (const { position, event } of entries) {
          after = position;
          if (event) seen.push(event.id);
        }
        if (wasOver && entries.length === 0) return seen;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const readers = [reading(), reading()];
    await Promise.all([one(), one(), one()]);
    passed += 20_000;
    isOver = true;
    const log = (await logOf(deps)).map(({ event }) => event.id);
    const missing = expected.filter((id) => !log.includes(id));
    expect(log.toSorted()).toEqual(expected.filter((id) => !missing.includes(id)));
    for (const name of names) {
      const sequences = log.flatMap((id) =>
        id.startsWith(`cluster.${name}.`) ? [Number(id.split(".")[2])] : [],
      );
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    }
    // Only where two records in a row were lost has nobody seen the state between them.
    const isLost = (id: string) =>
      [...lost].some(({ after }) => {
        const object = after && isOfObject(after) ? objectIn(kinds, after) : undefined;
        return object && `${object.kind}.${object.id}.${object.event.sequence}` === id;
      });
    expect(missing.filter((id) => !isLost(id))).toEqual([]);
    expect([...new Set(deps.published.map(({ id }) => id))].sort()).toEqual(log.toSorted());
    for (const seen of await Promise.all(readers)) expect(seen).toEqual(log);
    deps.store.close();
  }
});
