import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { toAppError } from "../core/error.ts";
import { type Relaying, relay } from "../core/kernel/relay/relay.ts";
import type { Shapes } from "../core/kernel/saga/settle.ts";
import { fromStreamEvent } from "../core/kernel/store/dynamodb/stream.ts";

/**
 * Handles a batch of the table's stream, in order. It stops at the first record that it cannot
 * handle and names it: Lambda continues from there.
 */
export function relayBatch(
  deps: Relaying,
  shapes: Shapes,
): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  return async ({ Records }) => {
    for (const given of Records) {
      try {
        for (const record of fromStreamEvent([given])) await relay(deps, shapes, record);
      } catch (thrown) {
        const { kind, message, detail } = toAppError(thrown);
        const { SequenceNumber = "", Keys } = given.dynamodb ?? {};
        const members = { sequence: SequenceNumber, key: Keys?.pk?.S, kind };
        deps.log.warn({ ...members, detail: detail ?? message }, "stream record failed");
        // Without a sequence number Lambda counts the whole batch as failed.
        return { batchItemFailures: [{ itemIdentifier: SequenceNumber }] };
      }
    }
    return { batchItemFailures: [] };
  };
}
