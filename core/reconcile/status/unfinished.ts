import { queuedPartition, stuckPartition } from "../../kernel/object/keys.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import { duePartitions } from "../../kernel/saga/due.ts";
import { isEnded, type Operation } from "../../kernel/saga/operation.ts";

/** The operations that have not ended, from the due index, so that the cost does not depend on ended ones. */

/** The most operations that are read of each partition of the index. Each shard of the due index is a partition. */
const readOfEach = 200;
/** The most that are only counted, of each partition. */
const countedOfEach = 1000;

interface Unfinished {
  /** The operations that were read, including stuck ones, but not queued ones. */
  operations: Operation[];
  /** The number of operations that wait until the one before them has ended. */
  queued: number;
  /** The number of further operations, at least. */
  unread: number;
}

/** Reads the unfinished operations, at most a few thousand. */
export async function unfinishedOperations(records: Records): Promise<Unfinished> {
  const [queued, ...found] = await Promise.all([
    records.store.count({ index: "g2", pk: queuedPartition, limit: countedOfEach }),
    ...[stuckPartition, ...duePartitions].map((pk) => readOf(records, pk)),
  ]);
  // An operation that moves within the index during the read may appear twice.
  const byId = new Map(
    found.flatMap(({ operations }) => operations).map((each) => [each.id, each]),
  );
  return {
    operations: [...byId.values()].filter((operation) => !isEnded(operation) && !operation.queued),
    queued: queued.count,
    unread: found.reduce((sum, { unread }) => sum + unread, 0),
  };
}

async function readOf({ store, kinds }: Records, pk: string) {
  const operations: Operation[] = [];
  let cursor: string | undefined;
  do {
    const from = cursor === undefined ? {} : { cursor };
    const page = await store.query({ index: "g2", pk, ...from });
    operations.push(...page.items.map((item) => objectIn<"operation">(kinds, item)));
    cursor = page.cursor;
  } while (cursor !== undefined && operations.length < readOfEach);
  if (cursor === undefined) return { operations, unread: 0 };
  const { count } = await store.count({ index: "g2", pk, cursor, limit: countedOfEach });
  return { operations, unread: count };
}
