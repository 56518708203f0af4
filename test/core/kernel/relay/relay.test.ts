import { describe, expect, it } from "vitest";
import { AppError } from "../../../../core/error.ts";
import { asOperationId } from "../../../../core/id.ts";
import { withLastEvent } from "../../../../core/kernel/events/outbox.ts";
import { changeObject } from "../../../../core/kernel/events/rewrite.ts";
import {
  capacityKey,
  freeHostsKey,
  heartbeatKey,
  hostsKey,
  hubRegionKey,
  hubsWithPartition,
  roomKey,
  shareKey,
  slotsKey,
} from "../../../../core/kernel/object/hub-keys.ts";
import { archiveKey, objectKey, ticketKey } from "../../../../core/kernel/object/keys.ts";
import { namesOf } from "../../../../core/kernel/object/kind.ts";
import { auditHeadKey, logKey } from "../../../../core/kernel/object/log-keys.ts";
import { archive, isOfObject, mustLoad, objectIn } from "../../../../core/kernel/object/records.ts";
import { relay } from "../../../../core/kernel/relay/relay.ts";
import { isRelayed } from "../../../../core/kernel/relay/relayed.ts";
import { sees } from "../../../../core/kernel/request/caller.ts";
import { createObject, deleteObject } from "../../../../core/kernel/request/crud.ts";
import { newEntry } from "../../../../core/kernel/saga/entry.ts";
import type { Operation } from "../../../../core/kernel/saga/operation.ts";
import { stepsOf, stuckState, undoName } from "../../../../core/kernel/saga/saga.ts";
import { edit } from "../../../../core/kernel/saga/settle.ts";
import { openSqliteStore } from "../../../../core/kernel/store/sqlite/sqlite.ts";
import type { Item, StreamRecord } from "../../../../core/kernel/store/store.ts";
import { sweepDue } from "../../../../core/reconcile/sweep.ts";
import { kinds } from "../../../../core/resources/generated/kinds.ts";
import { hostTypes } from "../../../../core/resources/host-type/api.ts";
import { readStream } from "../../../../local/stream.ts";
import { clusterCreate } from "../../../../statemachines/cluster.ts";
import { sagas } from "../../../../statemachines/index.ts";
import { type TestDeps, testDeps } from "../../../support/deps.ts";
import { type Logged, logOf } from "../../../support/log.ts";
import { ann, depsWithCatalog, ordered, root } from "../../../support/orders.ts";
import { addHosts, addHub, addOrder } from "../../../support/placement.ts";

const sequencesOf = (log: Logged[], subject: string) =>
  log.flatMap(({ event }) => (event.subject === subject ? [event.sequence] : []));

const names = (log: Logged[]) => log.map(({ event }) => `${event.subject}.${event.sequence}`);

const everything = (deps: TestDeps): StreamRecord[] => deps.store.stream(undefined, 10_000);

const isOfArchive = ({ key }: StreamRecord): boolean => key.pk.startsWith("archive#");
const isNoArchive = (record: StreamRecord): boolean => !isOfArchive(record);

/** Whether it is a cluster as its nth event left it. */
const isEvent = (item: Item | undefined, sequence: number): boolean => {
  const object = item && isOfObject(item) ? objectIn(kinds, item) : undefined;
  return object?.kind === "cluster" && object.event.sequence === sequence;
};

/** Some orders, each changed a few times. */
async function busy(deps: TestDeps): Promise<string[]> {
  const expected: string[] = [];
  for (const name of ["c1", "c2", "c3"]) {
    const { operation } = await addOrder(deps, name, { small: 1 });
    for (const reason of ["one", "two", "three"])
      await changeObject(deps, "cluster", name, (cluster) => ({
        ...cluster,
        failure: { step: "Step", kind: "Rejected", message: reason },
      }));
    for (let sequence = 1; sequence <= 4; sequence++) expected.push(`clusters/${name}.${sequence}`);
    expected.push(`operations/${operation}.1`);
  }
  return expected.sort();
}

describe("the event log", () => {
  it("has every event once, in the order of each object", async () => {
    const deps = testDeps();
    const expected = await busy(deps);
    for (const record of everything(deps)) await relay(deps, sagas, record);
    const log = await logOf(deps);
    expect(names(log).sort()).toEqual(expected);
    for (const name of ["c1", "c2", "c3"])
      expect(sequencesOf(log, `clusters/${name}`)).toEqual([1, 2, 3, 4]);
  });

  it("is the same when several relays take the same records at once, again and again", async () => {
    const deps = testDeps();
    const expected = await busy(deps);
    const records = everything(deps);
    const one = async () => {
      for (const record of records) {
        // As the platform does: what could not be handled comes again.
        for (let tries = 0; ; tries++) {
          try {
            await relay(deps, sagas, record);
            break;
          } catch (error) {
            if (tries > 50) throw error;
          }
        }
      }
    };
    await Promise.all([one(), one(), one(), one()]);
    await one();
    const log = await logOf(deps);
    expect(names(log).sort()).toEqual(expected);
    for (const name of ["c1", "c2", "c3"])
      expect(sequencesOf(log, `clusters/${name}`)).toEqual([1, 2, 3, 4]);
  });

  it("is the same when the stream repeats records", async () => {
    const store = openSqliteStore(":memory:", { repeatStream: 7 });
    const deps = testDeps({ store });
    const { clock, log } = deps;
    const reader = readStream({ store, clock, log }, (record) => relay(deps, sagas, record));
    const expected = await busy(deps);
    await clock.advance(1000);
    await reader.drained();
    await reader.stop();
    expect(names(await logOf(deps)).sort()).toEqual(expected);
  });

  it("gets an event whose record was lost with the next one of that object", async () => {
    const deps = testDeps();
    const expected = await busy(deps);
    const records = everything(deps);
    const lost = records.filter(({ after }) => isEvent(after, 2));
    expect(lost).toHaveLength(3);
    for (const record of records) if (!lost.includes(record)) await relay(deps, sagas, record);
    const log = await logOf(deps);
    expect(names(log).sort()).toEqual(expected);
    expect(new Set(deps.published.map(({ id }) => id)).size).toBe(expected.length);
  });

  it("gets the last one before a deletion though its record was lost", async () => {
    const deps = testDeps();
    const expected = await busy(deps);
    const now = deps.clock.now();
    for (const name of ["c1", "c2", "c3"]) {
      const cluster = await mustLoad(deps, "cluster", name);
      await deps.store.transact(archive(kinds, withLastEvent(cluster, now), now));
      expected.push(`clusters/${name}.5`);
    }
    for (const record of everything(deps))
      if (!isEvent(record.after, 4)) await relay(deps, sagas, record);
    const log = await logOf(deps);
    expect(names(log).sort()).toEqual(expected.sort());
    expect(sequencesOf(log, "clusters/c1")).toEqual([1, 2, 3, 4, 5]);
  });

  it("has a deletion last, though the archived item's record comes before the others", async () => {
    const deps = testDeps();
    await busy(deps);
    const now = deps.clock.now();
    const cluster = await mustLoad(deps, "cluster", "c1");
    await deps.store.transact(archive(kinds, withLastEvent(cluster, now), now));
    const records = everything(deps);
    const late = records.filter(isNoArchive);
    for (const record of [...records.filter(isOfArchive), ...late, ...late])
      await relay(deps, sagas, record);
    expect(sequencesOf(await logOf(deps), "clusters/c1")).toEqual([1, 2, 3, 4, 5]);
    expect(deps.published.map(({ type }) => type)).toContain("slipway.cluster.deleted.v1");
  });

  it.each([
    ["in the order of the changes", (records: StreamRecord[]) => records],
    [
      "and of the archive, the records come first",
      (records: StreamRecord[]) => {
        const [ofArchive, others] = [records.filter(isOfArchive), records.filter(isNoArchive)];
        return [...ofArchive, ...others];
      },
    ],
    [
      "and a batch that broke off comes again, twice",
      (records: StreamRecord[]) => [
        ...records.slice(0, records.length / 2),
        ...records,
        ...records,
      ],
    ],
  ])("has each life of an id that was used again before any record came: %s", async (_, order) => {
    const deps = testDeps();
    for (let life = 1; life <= 3; life++) {
      await createObject(deps, root, hostTypes, { metadata: { name: "small" } });
      await deleteObject(deps, root, hostTypes, "small");
      await deps.clock.advance(1000);
    }
    for (const record of order(everything(deps))) await relay(deps, sagas, record);
    const log = await logOf(deps, "shared");
    expect(sequencesOf(log, "host_types/small")).toEqual([1, 2, 3, 4, 5, 6]);
    const times = log.map(({ event }) => event.time);
    expect(times).toEqual([...times].sort());
  });

  it("does not tell again of what it has forgotten", async () => {
    const deps = testDeps();
    await busy(deps);
    await deps.clock.advance(8 * 24 * 3_600_000);
    await changeObject(deps, "cluster", "c1", ({ failure: _, ...cluster }) => cluster);
    const last = everything(deps).slice(-1);
    for (const record of last) await relay(deps, sagas, record);
    expect(names(await logOf(deps))).toEqual(["clusters/c1.5"]);
  });

  it("a bus that fails gets the event later; the log has it once", async () => {
    const sent: string[] = [];
    let failures = 3;
    const bus = {
      publish: async (events: { id: string }[]) => {
        if (failures-- > 0) throw new AppError("Unavailable", "the bus is unreachable");
        sent.push(...events.map(({ id }) => id));
      },
    };
    const deps = testDeps({ bus });
    const { clock, log, store } = deps;
    const reader = readStream({ store, clock, log }, (record) => relay(deps, sagas, record));
    const expected = await busy(deps);
    await clock.advance(60_000);
    await reader.drained();
    await reader.stop();
    expect(names(await logOf(deps)).sort()).toEqual(expected);
    expect(new Set(sent).size).toBe(expected.length);
  });

  it("tells of hubs and hosts as the provider's own", async () => {
    const deps = testDeps();
    await addHub(deps, "hub");
    await addHosts(deps, "hub", "small", ["s-00001"]);
    await changeObject(deps, "hub", "hub", (hub) => ({
      ...hub,
      status: { ...hub.status, orphans: { count: 1, items: [] } },
    }));
    for (const record of everything(deps)) await relay(deps, sagas, record);
    const told = new Set(deps.published.map(({ tenant, subject }) => `${tenant} ${subject}`));
    expect([...told]).toEqual(["shared hubs/hub", "shared hosts/s-00001"]);
    const ofHub = deps.published.filter(({ subject }) => subject === "hubs/hub");
    expect(ofHub.at(-1)?.data.changed).toEqual(["status.orphans"]);
    for (const kind of ["hub", "host"] as const)
      expect(sees(kinds, ann, { kind, metadata: { tenant: "shared", name: kind } })).toBe(false);
  });
});

describe("an accepted order", () => {
  it("is started, under its own name, however often its record comes", async () => {
    const deps = await depsWithCatalog();
    const { operation } = await ordered(deps);
    for (const record of [...everything(deps), ...everything(deps)])
      await relay(deps, sagas, record);
    const start = ["start", "cluster-create", operation.id];
    expect(new Set(deps.workflowCalls.map(String))).toEqual(new Set([String(start)]));
  });

  it("is not lost when the start is refused: the record comes again", async () => {
    let away = true;
    const deps = await depsWithCatalog();
    const start = async () => {
      if (away) throw new AppError("Unavailable", "Step Functions is unreachable");
    };
    await ordered(deps);
    const record = everything(deps).find(({ key }) => key.pk.startsWith("operation#"));
    if (!record) throw new Error("there is no record of the operation");
    const workflow = { ...deps.workflow, start };
    await expect(relay({ ...deps, workflow }, sagas, record)).rejects.toMatchObject({
      kind: "Unavailable",
    });
    away = false;
    await relay({ ...deps, workflow }, sagas, record);
    expect(names(await logOf(deps)).filter((name) => name.startsWith("operations/"))).toHaveLength(
      1,
    );
  });

  it("whose record is lost is started by the sweep, a minute later", async () => {
    const deps = await depsWithCatalog();
    const { operation } = await ordered(deps);
    await deps.clock.advance(59_000);
    expect(await sweepDue(deps, sagas)).toBe(0);
    await deps.clock.advance(2000);
    expect(await sweepDue(deps, sagas)).toBe(1);
    expect(deps.workflowCalls).toEqual([["start", "cluster-create", operation.id]]);
  });

  it("whose end was not told is told by the sweep, once", async () => {
    const deps = testDeps();
    const { operation } = await addOrder(deps, "c1", { small: 1 });
    for (const record of deps.store.stream(undefined, 1000)) await relay(deps, sagas, record);
    const end_time = new Date(deps.clock.now()).toISOString();
    await edit(deps, asOperationId(operation), (current) => ({
      ...current,
      status: { ...current.status, state: "SUCCEEDED", end_time },
    }));
    await deps.clock.advance(61_000);
    expect(await sweepDue(deps, sagas)).toBe(1);
    const told = names(await logOf(deps)).filter((name) => name.startsWith("operations/"));
    expect(told).toEqual([`operations/${operation}.1`, `operations/${operation}.2`]);
    expect(await sweepDue(deps, sagas)).toBe(0);
  });
});

describe("an operation that a person or a deletion stops", () => {
  const at = "2026-01-01T00:00:00.000Z";
  const [step] = stepsOf(clusterCreate.nodes);
  const waiting = {
    state: "RUNNING",
    entries: { [step?.name ?? ""]: { state: "WAITING", token: "t-do" } },
  } as const;
  const undoing = {
    state: "RUNNING",
    entries: { [undoName(step?.name ?? "")]: { state: "WAITING", token: "t-undo" } },
  } as const;
  const stuck = {
    state: "STUCK",
    entries: { [stuckState]: { state: "WAITING", token: "t-stuck" } },
  } as const;
  const cancel = { at, by: "ann", preempted: false };
  const preempted = { at, by: "ann", preempted: true };
  const resume = { at, by: "ann" };
  const cases: [string, Standing, Partial<Operation>, string[][]][] = [
    ["a cancel fails the do that waits", waiting, { cancel }, [["fail", "t-do", "Cancelled"]]],
    ["a deletion too", waiting, { cancel: preempted }, [["fail", "t-do", "Cancelled"]]],
    ["a cancel lets an undo go on", undoing, { cancel, unwinding: true }, []],
    [
      "a deletion skips an undo that waits",
      undoing,
      { cancel: preempted, unwinding: true },
      [["succeed", "t-undo"]],
    ],
    ["a resume answers for the person", stuck, { resume }, [["succeed", "t-stuck"]]],
    ["so does a deletion", stuck, { cancel: preempted }, [["succeed", "t-stuck"]]],
    ["a cancel does not", stuck, { cancel }, []],
  ];
  interface Standing {
    state: Operation["status"]["state"];
    entries: Record<string, { state: "WAITING"; token: string }>;
  }

  it.each(cases)("%s, at once", async (_, { state, entries }, change, calls) => {
    const deps = testDeps();
    const { operation: id } = await addOrder(deps, "c1", { small: 1 });
    await edit(deps, id, (operation) => ({
      ...operation,
      status: { state },
      steps: Object.fromEntries(
        Object.entries(entries).map(([name, entry], n) => [name, { ...newEntry(n), ...entry }]),
      ),
    }));
    const seen = everything(deps).at(-1)?.sequence;
    await edit(deps, id, (operation) => ({ ...operation, ...change }));
    const records = deps.store.stream(seen, 1);
    for (const record of records) await relay(deps, sagas, record);
    expect(deps.workflowCalls.map((call) => call.slice(0, call[0] === "fail" ? 3 : 2))).toEqual(
      calls,
    );
  });
});

it("is called for objects, living and gone, for tickets and counters of hubs; for nothing that it writes itself", () => {
  const keys = namesOf(kinds).flatMap((kind) => [objectKey(kind, "x"), archiveKey(kind, "x")]);
  const counters = [slotsKey("h"), hostsKey("h"), freeHostsKey("h")];
  expect(
    [...keys, ticketKey("slot", "", "x"), ...counters].filter((key) => !isRelayed(kinds, key)),
  ).toEqual([]);
  const lists = [
    roomKey("h"),
    hubRegionKey("r"),
    { pk: hubsWithPartition("*", "*", "r"), sk: "a" },
    shareKey("h", "*"),
    capacityKey("*", "r", "h"),
  ];
  const own = [logKey("t", "x", "0"), ...lists];
  expect(
    [...own, heartbeatKey("h"), auditHeadKey("t", 1)].filter((key) => isRelayed(kinds, key)),
  ).toEqual([]);
});
