import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { it } from "vitest";
import { dynamodbStore } from "../../core/store/dynamodb.ts";
import { tableInput, timeToLiveInput } from "../../core/store/dynamodb-table.ts";
import { storeContract } from "./contract.ts";

const endpoint = process.env.DYNAMODB_ENDPOINT;

async function open() {
  const table = `slipway-test-${process.pid}-${Date.now()}`;
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new DynamoDBClient({
    ...(endpoint && { endpoint }),
    region: process.env.AWS_REGION ?? "us-east-1",
    // A server of one's own takes any; those of the environment are for the real one.
    ...(!process.env.AWS_ACCESS_KEY_ID && { credentials }),
  });
  await client.send(new CreateTableCommand(tableInput(table)));
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: table });
  await client.send(new UpdateTimeToLiveCommand(timeToLiveInput(table)));
  const close = async () => {
    await client.send(new DeleteTableCommand({ TableName: table }));
    client.destroy();
  };
  return { store: dynamodbStore({ client, table }), close };
}

if (endpoint) storeContract(`DynamoDB at ${endpoint}`, open, 10);
else it.skip("needs DYNAMODB_ENDPOINT, the URL of a DynamoDB-compatible server", () => {});
