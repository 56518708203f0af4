import { expect, it } from "vitest";
import { createApp } from "../../functions/api/app.ts";
import { principalOf } from "../../functions/identity/principal.ts";
import { sagas } from "../../statemachines/index.ts";
import { openLaptop } from "../support/laptop.ts";

const bob = { sub: "bob", organization: ["tenant-b"], roles: ["tenant-admin"] };

it("a delivery starts with its event, before the sender's own timer comes round", async () => {
  const posts: string[] = [];
  const laptop = openLaptop({
    sagas,
    webhooks: {
      refusal: async () => undefined,
      post: async (_, { body }) => {
        posts.push(JSON.parse(body).type);
        return { status: 200, text: "" };
      },
    },
  });
  const app = createApp(laptop.deps, { profile: "slipway", principal: () => principalOf(bob) });
  await laptop.pass(1000);
  const { status } = await app.request("/api/fulfillment/v1/webhooks", {
    method: "POST",
    body: JSON.stringify({
      metadata: { name: "hook" },
      spec: { url: "https://receiver.example.com/events" },
    }),
  });
  expect(status).toBe(200);
  // The timer comes round at five.
  await laptop.pass(1000);
  await laptop.pass(1000);
  expect(posts).toContain("slipway.webhook.created.v1");
});
