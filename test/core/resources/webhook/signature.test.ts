import { expect, it } from "vitest";
import {
  isWebhookSecret,
  newWebhookSecret,
  signedHeaders,
} from "../../../../core/resources/webhook/signature.ts";
import { verified } from "../../../support/standard-webhooks.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1614265330 };

it("signs as Standard Webhooks says, by its own example", () => {
  const headers = signedHeaders({ ...message, body: '{"test": 2432232314}' }, [secret]);
  expect(headers).toEqual({
    "webhook-id": message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

it("is accepted by a receiver that knows any of the secrets, and of nothing changed", async () => {
  const [one, other, third] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const body = '{"ü":"\\u2028"}';
  const headers = signedHeaders({ ...message, body }, [one, other]);
  const now = message.seconds * 1000;
  expect(await verified({ headers, body }, one, now)).toBe(true);
  expect(await verified({ headers, body }, other, now)).toBe(true);
  expect(await verified({ headers, body }, third, now)).toBe(false);
  expect(await verified({ headers, body: `${body} ` }, one, now)).toBe(false);
  const renamed = { ...headers, "webhook-id": "other" };
  expect(await verified({ headers: renamed, body }, one, now)).toBe(false);
  expect(await verified({ headers, body }, one, now + 600_000)).toBe(false);
});

it("makes secrets that it takes, and takes no short or foreign ones", () => {
  expect(isWebhookSecret(newWebhookSecret())).toBe(true);
  expect(isWebhookSecret(secret)).toBe(true);
  for (const text of ["", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64!", secret.slice(6)])
    expect(isWebhookSecret(text), text).toBe(false);
});
