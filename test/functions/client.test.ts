import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { client } from "../../functions/client.ts";
import { serve, stalls } from "../support/stalling.ts";

/** The options of the functions, with waits for an answer that are fifty times shorter. */
const { connectionTimeout, ...handler } = client.requestHandler;
const waits = Object.entries(handler).map(([name, value]) => [
  name,
  typeof value === "number" ? value / 50 : value,
]);
const shorter = { ...client, requestHandler: { connectionTimeout, ...Object.fromEntries(waits) } };

/** Reads an item from a server. */
function read(endpoint: string): Promise<unknown> {
  const credentials = { accessKeyId: "id", secretAccessKey: "key" };
  const dynamodb = new DynamoDBClient({ ...shorter, endpoint, region: "eu-west-1", credentials });
  return dynamodb
    .send(new GetItemCommand({ TableName: "table", Key: { pk: { S: "a" } } }))
    .finally(() => dynamodb.destroy());
}

test.each(Object.entries(stalls))(
  "a service that %s is asked anew, and then given up",
  async (_, stall) => {
    let calls = 0;
    const endpoint = await serve((request, answer) => {
      calls++;
      stall(request, answer);
    });
    await expect(read(endpoint)).rejects.toMatchObject({
      name: "TimeoutError",
      $metadata: { attempts: client.maxAttempts },
    });
    expect(calls).toBeLessThanOrEqual(client.maxAttempts);
  },
);

test.each(Object.entries(stalls))("a service that %s once is asked anew", async (_, stall) => {
  let calls = 0;
  const endpoint = await serve((request, answer) => {
    if (calls++ === 0) stall(request, answer);
    else answer.end('{"Item":{"pk":{"S":"a"}}}');
  });
  expect(await read(endpoint)).toMatchObject({ Item: { pk: { S: "a" } } });
});
