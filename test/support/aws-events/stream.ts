import type { DynamoDBRecord } from "aws-lambda";
import { toItemImage } from "../../../core/kernel/store/dynamodb/item-image.ts";
import type { Item, StreamRecord } from "../../../core/kernel/store/store.ts";

/**
 * A record of a table's stream with both images.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
export const streamRecord = ({ sequence, key, before, after }: StreamRecord): DynamoDBRecord => ({
  eventID: `c4ca4238a0b923820dcc509a6f75849${sequence}`,
  eventName: before ? (after ? "MODIFY" : "REMOVE") : "INSERT",
  eventVersion: "1.1",
  eventSource: "aws:dynamodb",
  awsRegion: "us-east-1",
  dynamodb: {
    ApproximateCreationDateTime: 1_795_240_060,
    Keys: image(key),
    ...(after && { NewImage: image(after) }),
    ...(before && { OldImage: image(before) }),
    SequenceNumber: sequence,
    SizeBytes: 26,
    StreamViewType: "NEW_AND_OLD_IMAGES",
  },
  eventSourceARN: "arn:aws:dynamodb:us-east-1:123456789012:table/slipway/stream/2026",
});

/**
 * The same of an item that the table itself has removed since its time was over.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html
 */
export const expiredRecord = (record: StreamRecord): DynamoDBRecord => ({
  ...streamRecord(record),
  userIdentity: { type: "Service", principalId: "dynamodb.amazonaws.com" },
});

/** The same shape under another package's types, with bytes as base64. */
const image = (item: Item | StreamRecord["key"]) =>
  Object.fromEntries(
    Object.entries(toItemImage({ ...item })).map(([name, value]) => [
      name,
      "B" in value ? { B: Buffer.from(value.B).toString("base64") } : value,
    ]),
  ) as NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;
