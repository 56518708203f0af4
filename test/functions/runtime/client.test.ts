import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { expect, it } from "vitest";
import { lambdaCaller } from "../../../core/ports/aws/invoke.ts";
import { client, waitingClient } from "../../../functions/runtime/client.ts";
import { serve, stalls } from "../../support/stalling.ts";

/** Options of the functions, with waits for an answer that are so many times shorter. */
function shortened<Options extends typeof client>(options: Options, times: number): Options {
  const { connectionTimeout, ...handler } = options.requestHandler;
  const waits = Object.entries(handler).map(([name, value]) => [
    name,
    typeof value === "number" ? value / times : value,
  ]);
  const requestHandler = { connectionTimeout, ...Object.fromEntries(waits) };
  return { ...options, requestHandler };
}
const credentials = { accessKeyId: "id", secretAccessKey: "key" };

/** Reads an item from a server, with waits that are so many times shorter. */
function read(endpoint: string, times: number): Promise<unknown> {
  const options = shortened(client, times);
  const dynamodb = new DynamoDBClient({ ...options, endpoint, region: "eu-west-1", credentials });
  return dynamodb
    .send(new GetItemCommand({ TableName: "table", Key: { pk: { S: "a" } } }))
    .finally(() => dynamodb.destroy());
}

it.each(Object.entries(stalls))(
  "a service that %s is asked anew, and then given up",
  async (_, stall) => {
    let calls = 0;
    const endpoint = await serve((request, answer) => {
      calls++;
      stall(request, answer);
    });
    await expect(read(endpoint, 50)).rejects.toMatchObject({
      name: "TimeoutError",
      $metadata: { attempts: client.maxAttempts },
    });
    expect(calls).toBeLessThanOrEqual(client.maxAttempts);
  },
);

it.each(Object.entries(stalls))("a service that %s once is asked anew", async (_, stall) => {
  let calls = 0;
  const endpoint = await serve((request, answer) => {
    if (calls++ === 0) stall(request, answer);
    else answer.end('{"Item":{"pk":{"S":"a"}}}');
  });
  // A second for the answer, since this server may be slow to give it.
  expect(await read(endpoint, 5)).toMatchObject({ Item: { pk: { S: "a" } } });
});

it.each(Object.entries(stalls))(
  "a function that %s is called once, and then given up",
  async (_, stall) => {
    let calls = 0;
    const endpoint = await serve((request, answer) => {
      calls++;
      stall(request, answer);
    });
    const options = {
      ...shortened(waitingClient, 250),
      endpoint,
      region: "eu-west-1",
      credentials,
    };
    await expect(lambdaCaller(new LambdaClient(options)).now("worker", {})).rejects.toMatchObject({
      kind: "Unavailable",
      cause: { name: "TimeoutError", $metadata: { attempts: 1 } },
    });
    expect(calls).toBeLessThanOrEqual(1);
  },
);
