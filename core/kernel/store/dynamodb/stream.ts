import type { DynamoDBRecord } from "aws-lambda";
import { misuse } from "../misuse.ts";
import type { Key, StreamRecord } from "../store.ts";
import { fromImage } from "./attribute-value.ts";
import { fromItemImage } from "./item-image.ts";

/** The records of a Lambda event of the table's stream (NEW_AND_OLD_IMAGES). */
export function fromStreamEvent(records: DynamoDBRecord[]): StreamRecord[] {
  return records.map(({ dynamodb }) => {
    if (!dynamodb?.Keys || !dynamodb.SequenceNumber)
      throw misuse("a stream record without its key");
    const { Keys, SequenceNumber, OldImage, NewImage } = dynamodb;
    return {
      sequence: SequenceNumber,
      key: fromImage<Key>(Keys),
      ...(OldImage && { before: fromItemImage(OldImage) }),
      ...(NewImage && { after: fromItemImage(NewImage) }),
    };
  });
}
