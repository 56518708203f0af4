import { createHash } from "node:crypto";
import { SQSClient } from "@aws-sdk/client-sqs";
import { expect, it } from "vitest";
import { sqsWebhookQueue } from "../../../../core/ports/webhook/sqs.ts";
import { sdkOver } from "../../../support/sdk-over-fetch.ts";

const place = { tenant: "tenant-a", webhook: "w-1" };
const tries = 3;

/** A queue whose service answers these, one after the other, and then takes what it is sent. */
function queueThat(...answers: (Response | Error)[]) {
  const asked: { url: string; headers: Headers; body: Record<string, unknown> }[] = [];
  const client = new SQSClient({
    region: "eu-west-1",
    credentials: { accessKeyId: "AKID", secretAccessKey: "secret", sessionToken: "token" },
    maxAttempts: tries,
    requestHandler: sdkOver(async (url, { headers, body }) => {
      const sent = JSON.parse(String(body));
      asked.push({ url, headers: new Headers(headers), body: sent });
      const answer = answers.shift() ?? Response.json(taken(sent));
      if (answer instanceof Error) throw answer;
      return answer;
    }),
  });
  const queue = "https://sqs.eu-west-1.amazonaws.com/123456789012/slipway-webhooks";
  return { queue: sqsWebhookQueue({ client, queue }), asked };
}

/** What SQS answers; the SDK compares the digest with that of what it sent. */
const taken = ({ MessageBody }: { MessageBody: string }) => ({
  MessageId: "m-1",
  MD5OfMessageBody: createHash("md5").update(MessageBody).digest("hex"),
});

const refusal = (status: number, type: string) =>
  Response.json({ __type: `com.amazonaws.sqs#${type}`, message: "no" }, { status });
const reset = () => Object.assign(new Error("reset"), { code: "ECONNRESET" });

it("a message names the webhook, is its tenant's, and waits whole seconds", async () => {
  const { queue, asked } = queueThat();
  await queue.put(place, 3400);
  const [{ url, headers, body } = { url: "", headers: new Headers(), body: {} }] = asked;
  expect(url).toBe("https://sqs.eu-west-1.amazonaws.com/");
  expect(headers.get("x-amz-target")).toBe("AmazonSQS.SendMessage");
  expect(headers.get("authorization")).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/sqs\/aws4_request/,
  );
  expect(body).toMatchObject({ MessageGroupId: "tenant-a", DelaySeconds: 4 });
  expect(JSON.parse(String(body.MessageBody))).toEqual(place);
});

it("what was not taken is sent again, a few times", async () => {
  const { queue, asked } = queueThat(reset(), refusal(503, "ServiceUnavailable"));
  await queue.put(place, 0);
  expect(asked).toHaveLength(tries);
  const busy = queueThat(...Array.from({ length: 5 }, () => refusal(503, "ServiceUnavailable")));
  await expect(busy.queue.put(place, 0)).rejects.toMatchObject({ kind: "Unavailable" });
  expect(busy.asked).toHaveLength(tries);
});

it("what is refused is not sent again, and the refusal is the error's cause", async () => {
  const { queue, asked } = queueThat(refusal(403, "AccessDenied"));
  await expect(queue.put(place, 0)).rejects.toMatchObject({
    kind: "Unavailable",
    cause: { name: "AccessDenied", $metadata: { httpStatusCode: 403 } },
  });
  expect(asked).toHaveLength(1);
});
