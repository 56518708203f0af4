import { AwsClient } from "aws4fetch";
import { beforeEach, describe, it } from "vitest";
import { motoLacks } from "./moto.ts";

/** Where AWS, or what stands in for it, is asked: AWS_ENDPOINT_URL, such as test/live/aws.sh starts. */
const endpoint = process.env.AWS_ENDPOINT_URL;

const {
  AWS_REGION: region = "us-east-1",
  AWS_ACCESS_KEY_ID: accessKeyId = "test",
  AWS_SECRET_ACCESS_KEY: secretAccessKey = "test",
  AWS_SESSION_TOKEN: sessionToken,
} = process.env;
const credentials = {
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
};

/** Of every client. */
export const access = { endpoint: endpoint ?? "", region, credentials };

/** Tests of what is over the wire; without an endpoint it says what was skipped. */
export function overTheWire(what: string, tests: () => void): void {
  if (!endpoint) {
    it.skip(`${what}: skipped, AWS_ENDPOINT_URL is not set (test/live/aws.sh)`);
    return;
  }
  describe(`${what}, at ${endpoint}`, () => {
    beforeEach(async (test) => {
      const reason = await motoLacks(endpoint, test.task.name);
      if (reason !== undefined) test.skip(reason);
    });
    tests();
  });
}

/** Names that no other run uses. */
export const unique = (): string => `slipway-${process.pid}-${Date.now().toString(36)}`;

/** One call of a service's JSON protocol, as it goes over the wire. */
export async function call<Answer>(service: string, target: string, body: object): Promise<Answer> {
  const client = new AwsClient({ ...credentials, region, service, retries: 0 });
  const answer = await client.fetch(new URL("/", access.endpoint), {
    method: "POST",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": target },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${target}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
