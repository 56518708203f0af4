import { beforeEach, expect, it } from "vitest";
import { newsLimit } from "../../../core/ports/hub/news.ts";
import { createApp } from "../../../functions/api/app.ts";
import { principalOf } from "../../../functions/identity/principal.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { newsOfKind } from "../../support/news.ts";
import { addHub } from "../../support/placement.ts";

/** What hubs report over HTTPS: the token says for which hub. */

let deps: TestDeps;
beforeEach(async () => {
  deps = testDeps();
  for (const id of ["hub-a", "hub-b"]) await addHub(deps, id);
});

const agentOf = (hub: string) => ({ sub: `hub:${hub}`, roles: ["agent"] });
const news = [newsOfKind("Agent", { status: { debugInfo: { stateInfo: "" } } })];
const message = { heartbeat: true, agent_version: "1.2.3", news };

async function report(claims: Record<string, unknown> | undefined, hub: string, body: unknown) {
  const app = createApp(deps, {
    profile: "slipway",
    principal: () => claims && principalOf(claims),
  });
  const response = await app.request(`/api/private/v1/hubs/${hub}/reports`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  const answer: any = await response.json();
  return { status: response.status, body: answer };
}

it.each([
  ["its subject", agentOf("hub-a")],
  ["a claim", { sub: "robot-7", hub: "hub-a", roles: "agent" }],
  ["both", { ...agentOf("hub-a"), hub: "hub-a" }],
])("takes what the hub reports that the token names by %s, word for word", async (_, claims) => {
  expect(await report(claims, "hub-a", message)).toEqual({ status: 200, body: {} });
  expect(deps.reported).toEqual([{ hub: "hub-a", ...message }]);
});

it.each([
  ["another hub's", agentOf("hub-b"), 404],
  ["one of a hub that is not registered", agentOf("hub-z"), 404],
  ["one that names two hubs", { ...agentOf("hub-b"), hub: "hub-a" }, 404],
  ["one bound to no hub", { sub: "robot", roles: ["agent"] }, 404],
  ["an administrator's that claims a hub", { ...agentOf("hub-a"), roles: ["provider-admin"] }, 403],
  ["a tenant's", { sub: "hub:hub-a", tenant: "tenant-a", roles: ["tenant-admin"] }, 403],
  ["none", undefined, 401],
])("refuses a token that is %s", async (_, claims, status) => {
  expect((await report(claims, "hub-a", message)).status).toBe(status);
  expect(deps.reported).toEqual([]);
});

it("answers for another hub what it answers for a missing one", async () => {
  const there = await report(agentOf("hub-a"), "hub-b", message);
  const missing = await report(agentOf("hub-a"), "hub-z", message);
  const words = ({ body }: typeof there) => ({ ...body, request_id: "", instance: "" });
  expect(JSON.stringify(words(there))).toBe(
    JSON.stringify(words(missing)).replaceAll("hub-z", "hub-b"),
  );
});

const long = "9".repeat(65);
it.each([
  ["a hub in the body", { ...message, hub: "hub-b" }, "hub"],
  ["a kind that nobody reports", { ...message, news: [{ ...news[0], kind: "Secret" }] }, "news"],
  ["no heartbeat", { news }, "heartbeat"],
  ["too much news", { ...message, news: Array(newsLimit + 1).fill(news[0]) }, "news"],
  [
    "a version that is too long",
    { ...message, news: [newsOfKind("Agent", { metadata: { resourceVersion: long } })] },
    "resourceVersion",
  ],
  ["no JSON", "{", ""],
])("refuses %s and says where", async (_, body, field) => {
  const answer = await report(agentOf("hub-a"), "hub-a", body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].field).toContain(field);
  expect(deps.reported).toEqual([]);
});
