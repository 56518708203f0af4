import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { DynamodbFake } from "./dynamodb-fake.ts";

/**
 * AWS's side of what the functions call, on a loopback port for `AWS_ENDPOINT_URL`: a DynamoDB that
 * keeps what is written, and services that take everything. It writes down which actions were asked.
 */
export interface FakeAws {
  url: string;
  dynamodb: DynamodbFake;
  /** Such as `states:StartExecution`, with what was sent. */
  calls: { action: string; body: Record<string, unknown> }[];
  /** By name: what Secrets Manager answers. */
  secrets: Map<string, string>;
  close(): void;
}

export async function fakeAws(): Promise<FakeAws> {
  const dynamodb = new DynamodbFake();
  const calls: FakeAws["calls"] = [];
  const secrets = new Map<string, string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const action = actionOf(request);
    calls.push({ action, body: body === "" ? {} : JSON.parse(body) });
    const told = action.startsWith("dynamodb:")
      ? throughFake(dynamodb, request, body)
      : {
          statusCode: action === "lambda:InvokeFunction" ? 202 : 200,
          body: answerTo(action, body, secrets),
        };
    response.writeHead(told.statusCode, { "Content-Type": "application/x-amz-json-1.0" });
    response.end(told.body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, dynamodb, calls, secrets, close: () => server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

const services: Record<string, string> = {
  DynamoDB_20120810: "dynamodb",
  AWSStepFunctions: "states",
  AWSEvents: "events",
  secretsmanager: "secretsmanager",
  AmazonSQS: "sqs",
};

function actionOf({ url = "", headers }: IncomingMessage): string {
  if (url.startsWith("/2015-03-31/functions/")) return "lambda:InvokeFunction";
  const [service = "", operation] = String(headers["x-amz-target"]).split(".");
  return `${services[service] ?? service}:${operation}`;
}

function throughFake(fake: DynamodbFake, { headers }: IncomingMessage, body: string) {
  const answer = fake.respond(String(headers["x-amz-target"]), JSON.parse(body));
  return { statusCode: answer.statusCode, body: JSON.stringify(answer.body) };
}

/** What the SDK needs to find in an answer. */
function answerTo(action: string, body: string, secrets: Map<string, string>): string {
  if (action === "secretsmanager:GetSecretValue")
    return JSON.stringify({ SecretString: secrets.get(JSON.parse(body).SecretId) });
  if (action === "states:StartExecution")
    return JSON.stringify({ executionArn: "arn:aws:states:x", startDate: 1_795_240_000 });
  if (action === "sqs:SendMessage") {
    const MD5OfMessageBody = createHash("md5").update(JSON.parse(body).MessageBody).digest("hex");
    return JSON.stringify({ MessageId: "m-1", MD5OfMessageBody });
  }
  if (action !== "events:PutEvents") return "{}";
  const { Entries } = JSON.parse(body) as { Entries: object[] };
  const accepted = Entries.map((_, n) => ({ EventId: `e${n}` }));
  return JSON.stringify({ FailedEntryCount: 0, Entries: accepted });
}
