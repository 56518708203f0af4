import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from "aws-lambda";
import { atOnce } from "../core/at-once.ts";
import { logged } from "../core/error.ts";
import { type Event, NotAccepted } from "../core/kernel/events/events.ts";
import { liveIn } from "../core/kernel/object/records.ts";
import { type Relaying, relay } from "../core/kernel/relay/relay.ts";
import type { Operation } from "../core/kernel/saga/operation.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import { fromStreamEvent } from "../core/kernel/store/dynamodb/stream.ts";

/** The most partitions of the table that are handled in parallel. */
const partitionsAtOnce = 16;

/**
 * Handles a batch of the table's stream: records of one partition in order, partitions in parallel. The events of
 * the whole batch are published together. Answers the records that failed: Lambda continues from the first of them,
 * and repetition does no harm. `changed` is called with each operation that a record has changed, once Lambda will
 * not repeat the record.
 */
export function relayBatch(
  deps: Relaying,
  shapes: Shapes,
  changed: (before: Operation | undefined, after: Operation) => void = () => {},
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  return async ({ Records }) => {
    const failed = new Set<DynamoDBRecord>();
    const fail = (given: DynamoDBRecord, thrown: unknown, own: Event[] = []) => {
      const { SequenceNumber: sequence, Keys } = given.dynamodb ?? {};
      const about = own.length === 0 ? {} : { events: own.map(({ type }) => type) };
      const members = { sequence, key: Keys?.pk?.S, ...about, ...logged(thrown) };
      deps.log.warn(members, "stream record failed");
      failed.add(given);
    };
    const events = new Map<Event, DynamoDBRecord>();
    const partitions = Map.groupBy(Records, ({ dynamodb }) => dynamodb?.Keys?.pk?.S);
    await atOnce(partitionsAtOnce, partitions.values(), async (records) => {
      for (const given of records) {
        const publish = async (told: Event[]) => {
          for (const event of told) events.set(event, given);
        };
        try {
          for (const record of fromStreamEvent([given]))
            await relay({ ...deps, bus: { publish } }, shapes, record);
        } catch (thrown) {
          // Later records of the partition wait for this one.
          return fail(given, thrown);
        }
      }
    });
    try {
      await deps.bus.publish([...events.keys()]);
    } catch (thrown) {
      const refused = thrown instanceof NotAccepted ? thrown.events : events.keys();
      for (const [given, own] of Map.groupBy(refused, (event) => events.get(event)))
        if (given) fail(given, thrown, own);
    }
    const first = Records.findIndex((given) => failed.has(given));
    const rest = first === -1 ? Records : Records.slice(0, first);
    const ofOperations = rest.filter(({ dynamodb }) => isOperation(dynamodb?.Keys?.pk?.S));
    for (const { before, after } of fromStreamEvent(ofOperations)) {
      const operation = liveIn(deps.kinds, ["operation"], after);
      if (operation) changed(liveIn(deps.kinds, ["operation"], before), operation);
    }
    // Without a sequence number Lambda repeats the whole batch.
    const batchItemFailures = Records.filter((given) => failed.has(given)).map(({ dynamodb }) => ({
      itemIdentifier: dynamodb?.SequenceNumber ?? "",
    }));
    return { batchItemFailures };
  };
}

const isOperation = (partition: string | undefined): boolean =>
  partition?.startsWith("operation#") ?? false;
