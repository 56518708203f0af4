import { expect, test } from "vitest";
import { signedPost } from "../../../core/aws/signed-post.ts";
import { systemClock } from "../../../core/clock.ts";
import { serve, stalls } from "../../support/stalling.ts";

const credentials = { accessKeyId: "id", secretAccessKey: "key" };
const post = signedPost("sqs", { region: "eu-west-1", credentials, wall: systemClock });

test.each(Object.entries(stalls))(
  "a service that %s is given up at the limit",
  async (_, stall) => {
    const url = new URL(await serve(stall));
    const text = post({ url, headers: {}, body: "{}", limit: 100 }).then((answer) => answer.text());
    await expect(text).rejects.toMatchObject({ name: "TimeoutError" });
  },
);
