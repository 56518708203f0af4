import type { DynamoDBRecord } from "aws-lambda";
import { eventually } from "../../support/eventually.ts";
import { call } from "./endpoint.ts";

/** The records of a table's stream, as Lambda hands them to the relay. */
export async function streamed(streamArn: string, atLeast: number): Promise<DynamoDBRecord[]> {
  const records: DynamoDBRecord[] = [];
  const { StreamDescription } = await streams<{
    StreamDescription: { Shards: { ShardId: string }[] };
  }>("DescribeStream", { StreamArn: streamArn });
  for (const { ShardId } of StreamDescription.Shards) {
    const { ShardIterator } = await streams<{ ShardIterator: string }>("GetShardIterator", {
      StreamArn: streamArn,
      ShardId,
      ShardIteratorType: "TRIM_HORIZON",
    });
    let next: string | undefined = ShardIterator;
    await eventually(async () => {
      const page: Page = await streams("GetRecords", { ShardIterator: next });
      records.push(...page.Records);
      next = page.NextShardIterator;
      if (records.length < atLeast && next !== undefined)
        throw new Error(`${records.length} of ${atLeast} records have come`);
    });
  }
  return records;
}

interface Page {
  Records: DynamoDBRecord[];
  NextShardIterator?: string;
}

const streams = <Answer>(action: string, body: object): Promise<Answer> =>
  call<Answer>("dynamodb", `DynamoDBStreams_20120810.${action}`, body);
