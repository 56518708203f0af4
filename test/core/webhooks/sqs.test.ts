import { expect, test } from "vitest";
import { systemClock } from "../../../core/clock.ts";
import { sqsWebhookQueue } from "../../../core/webhooks/sqs.ts";

const place = { tenant: "tenant-a", webhook: "w-1" };

/** A queue whose service answers these, one after the other. */
function queueThat(...answers: (Response | Error)[]) {
  const asked: { url: string; headers: Headers; body: Record<string, unknown> }[] = [];
  const queue = sqsWebhookQueue({
    queue: "https://sqs.eu-west-1.amazonaws.com/123456789012/slipway-webhooks",
    region: "eu-west-1",
    credentials: { accessKeyId: "AKID", secretAccessKey: "secret", sessionToken: "token" },
    wall: systemClock,
    // No pauses between tries.
    random: () => 0,
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      asked.push({ url: String(url), headers, body: JSON.parse(String(init?.body)) });
      const answer = answers.shift() ?? Response.json({ MessageId: "m-1" });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  return { queue, asked };
}

test("a message names the webhook, is its tenant's, and waits whole seconds", async () => {
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

test("what was not taken is sent again, a few times", async () => {
  const { queue, asked } = queueThat(new Error("reset"), new Response("busy", { status: 503 }));
  await queue.put(place, 0);
  expect(asked).toHaveLength(3);
  const refusing = queueThat(...[1, 2, 3].map(() => new Response("no", { status: 403 })));
  await expect(refusing.queue.put(place, 0)).rejects.toMatchObject({
    kind: "Unavailable",
    detail: "403 no",
  });
});

test("a refusal whose words never come whole is a refusal like any other", async () => {
  const cut = () =>
    new Response(new ReadableStream({ pull: (body) => body.error(new Error("cut")) }), {
      status: 503,
    });
  const { queue, asked } = queueThat(cut(), cut());
  await queue.put(place, 0);
  expect(asked).toHaveLength(3);
});
