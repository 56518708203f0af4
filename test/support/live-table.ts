import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { dynamodbStore } from "../../core/kernel/store/dynamodb/dynamodb.ts";
import { tableInput, timeToLiveInput } from "../../core/kernel/store/dynamodb/table.ts";
import type { Store } from "../../core/kernel/store/store.ts";

export interface LiveTable {
  store: Store;
  table: string;
  streamArn: string;
  close(): Promise<void>;
}

/** A table of its own on a server that speaks DynamoDB's protocol, gone when it is closed. */
export async function liveTable(config: DynamoDBClientConfig): Promise<LiveTable> {
  const table = `slipway-test-${process.pid}-${Date.now()}`;
  const client = new DynamoDBClient(config);
  const made = await client.send(new CreateTableCommand(tableInput(table)));
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: table });
  await client.send(new UpdateTimeToLiveCommand(timeToLiveInput(table)));
  return {
    store: dynamodbStore({ client, table }),
    table,
    streamArn: made.TableDescription?.LatestStreamArn ?? "",
    close: async () => {
      await client.send(new DeleteTableCommand({ TableName: table }));
      client.destroy();
    },
  };
}
