import { beforeEach, expect, it } from "vitest";
import { heartbeatKey } from "../../core/kernel/object/hub-keys.ts";
import { families } from "../../functions/api/families.ts";
import { type ApiHandler, apiHandler } from "../../functions/api/handler.ts";
import { authorizer } from "../../functions/authorizer.ts";
import { halted } from "../../functions/halted.ts";
import { verifier } from "../../functions/identity/verify.ts";
import { observeEvent } from "../../functions/observe.ts";
import { relayBatch } from "../../functions/relay.ts";
import { webhooks } from "../../functions/webhooks.ts";
import { sagas } from "../../statemachines/index.ts";
import { type Api, catalogApi, order, v1 } from "../support/api.ts";
import {
  type Asked,
  authorizerEvent,
  gatewayEvent,
  verifiedEvent,
} from "../support/aws-events/api-gateway.ts";
import { executionEvent, reportEvent } from "../support/aws-events/event-bridge.ts";
import { queueEvent } from "../support/aws-events/sqs.ts";
import { expiredRecord, streamRecord } from "../support/aws-events/stream.ts";
import { FakeIssuer, fetchFrom } from "../support/oidc.ts";
import { addHub } from "../support/placement.ts";
import { VirtualClock } from "../support/virtual-clock.ts";

/** The functions on AWS, on events as its services make them; their forms are in support/aws-events. */

interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
}

const iss = "https://login.example.com";
const origin = "https://portal.example.com";
/** What Keycloak says of a member of an organisation: lists within objects. */
const amy = {
  iss,
  sub: "f:1:amy",
  preferred_username: "amy",
  tenant: "tenant-a",
  resource_access: { slipway: { roles: ["tenant-admin"] }, account: { roles: ["view-profile"] } },
  groups: ["Cloud Admins", "ops"],
  email_verified: true,
  exp: 1_795_240_000,
  nonce: null,
};

let api: Api;
let handler: ApiHandler;
beforeEach(async () => {
  api = await catalogApi();
  const claims = { user: "preferred_username", roles: "resource_access.slipway.roles" };
  handler = apiHandler(families, api.deps, {
    profile: "slipway",
    origins: [origin],
    issuers: [{ issuer: iss, audiences: ["slipway"], claims }],
    verify: () => Promise.reject(new Error("the gateway has verified it")),
  });
});

const ask = async (asked: Asked): Promise<Answer> =>
  (await handler(verifiedEvent(amy, asked))) as Answer;
const clusters = `${v1}/clusters`;

const ordered = (body: string | Buffer, headers: Asked["headers"] = {}): Promise<Answer> =>
  ask({
    ...{ method: "POST", path: clusters, body },
    headers: { "Content-Type": "application/json", ...headers },
  });

it("an order comes from the gateway, through the stream to its execution, and to its end", async () => {
  const answer = await ordered(JSON.stringify(order("one")));
  expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: false });
  const { id } = JSON.parse(answer.body);
  expect(answer.headers).toMatchObject({ etag: expect.stringMatching(/^"\d+"$/) });
  const operation = answer.headers["operation-location"]?.split("/").at(-1) ?? "";

  const Records = api.deps.store.stream(undefined, 1000).map(streamRecord);
  expect(await relayBatch(api.deps, sagas)({ Records })).toEqual({ batchItemFailures: [] });
  expect(api.deps.workflowCalls).toContainEqual(["start", "cluster-create", operation]);
  expect(api.deps.published.map(({ subject }) => subject)).toContain(`clusters/${id}`);

  await halted(api.deps, sagas)(executionEvent(operation, "ABORTED", { cause: "by hand" }));
  const { body } = await ask({ path: `${v1}/operations/${operation}` });
  expect(JSON.parse(body).status.state).toBe("OPERATION_STATE_FAILED");
});

it("a body in base64 is read as what was sent, letters of all languages included", async () => {
  const title = "Größe für José 雪";
  const sent = { ...order("one"), metadata: { name: "one", annotations: { title } } };
  const answer = await ordered(Buffer.from(JSON.stringify(sent)));
  expect(answer).toMatchObject({ statusCode: 200, isBase64Encoded: false });
  expect(JSON.parse(answer.body).metadata.annotations).toEqual({ title });
});

it("a query is read as it was sent, and not from the gateway's table of it", async () => {
  for (const name of ["one", "two"]) await ordered(JSON.stringify(order(name)));
  const listed = async (query: string) => {
    const { statusCode, body } = await ask({ path: clusters, query });
    return statusCode === 200 ? JSON.parse(body).items.map(nameOf) : statusCode;
  };
  const nameOf = ({ metadata }: { metadata: { name: string } }) => metadata.name;
  expect(await listed("filter=this.metadata.name%20%3D%3D%20%22two%22")).toEqual(["two"]);
  expect(await listed("filter=this.metadata.name+==+'one'%20||%20false")).toEqual(["one"]);
  expect(await listed("order=metadata.name%20desc&limit=1")).toEqual(["two"]);
  // The gateway's table of parameters would say "1,2".
  expect(await listed("limit=1&limit=2")).toBe(400);
});

it("a header that comes twice is one with a comma: If-Match takes both, a key for repeats is another", async () => {
  const [first, again, other] = [
    await ordered(JSON.stringify(order("one")), { "Idempotency-Key": ["k1", "k1"] }),
    await ordered(JSON.stringify(order("one")), { "Idempotency-Key": "k1,k1" }),
    await ordered(JSON.stringify(order("two")), { "Idempotency-Key": "k1" }),
  ];
  const { id } = JSON.parse(first.body);
  expect(JSON.parse(again.body).id).toBe(id);
  expect(JSON.parse(other.body).id).not.toBe(id);
  const { headers } = await ask({ path: `${clusters}/${id}` });
  const patch = (tags: string[]) =>
    ask({
      method: "PATCH",
      path: `${clusters}/${id}`,
      headers: { "Content-Type": "application/merge-patch+json", "If-Match": tags },
      body: Buffer.from(JSON.stringify({ metadata: { labels: { a: "b" } } })),
    });
  expect(await patch(['"998"', '"999"'])).toMatchObject({ statusCode: 412 });
  expect(await patch(['"998"', headers.etag ?? ""])).toMatchObject({ statusCode: 200 });
});

it("cookies say nothing of who is calling", async () => {
  const token = verifiedEvent(amy, { path: clusters }).headers.authorization ?? "";
  const cookies = [`Authorization=${token}`, "session=1"];
  expect(await handler(gatewayEvent({ path: clusters, cookies }))).toMatchObject({
    statusCode: 401,
  });
  expect(await ask({ path: clusters, cookies })).toMatchObject({ statusCode: 200 });
});

it("objects and lists among the claims, which the gateway hands over as text, count as they were", async () => {
  expect(verifiedEvent(amy, { path: clusters }).requestContext).toMatchObject({
    authorizer: {
      jwt: {
        claims: {
          groups: "[Cloud Admins ops]",
          resource_access:
            "map[slipway:map[roles:[tenant-admin]] account:map[roles:[view-profile]]]",
          email_verified: "true",
        },
      },
    },
  });
  const webhook = { metadata: { name: "hook" }, spec: { url: "https://receiver.example.com/" } };
  const path = `${v1}/webhooks`;
  const made = { method: "POST", path, body: JSON.stringify(webhook) };
  const headers = { "Content-Type": "application/json" };
  // Which a tenant's administrator alone may make.
  expect(await ask({ ...made, headers })).toMatchObject({ statusCode: 200 });
  const user = { ...amy, resource_access: { slipway: { roles: ["tenant-user"] } } };
  expect(await handler(verifiedEvent(user, { ...made, headers }))).toMatchObject({
    statusCode: 403,
  });
});

it("a browser's first question comes on a route of its own, without a token", async () => {
  const answer = await handler(
    gatewayEvent({
      method: "OPTIONS",
      path: clusters,
      routeKey: "OPTIONS /api/{proxy+}",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,content-type,if-match",
      },
    }),
  );
  expect(answer).toMatchObject({
    statusCode: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-headers": expect.stringMatching(/authorization.*if-match/i),
    },
  });
});

it("what our authorizer answers comes back in the request's context", async () => {
  const issuer = new FakeIssuer("https://id.inside.example", new VirtualClock());
  await issuer.turn("one");
  const issuers = [{ issuer: issuer.url, audiences: ["slipway"] }];
  const verify = verifier({ wall: new VirtualClock(), fetch: fetchFrom(issuer) }, issuers);
  const asked = authorizerEvent(`Bearer ${await issuer.token()}`, clusters);
  const { isAuthorized, context } = await authorizer(verify)(asked);
  expect(isAuthorized).toBe(true);
  const passedOn = gatewayEvent({ path: clusters, authorizer: { lambda: context } });
  expect(await handler(passedOn)).toMatchObject({ statusCode: 200 });
});

it("an item that the table removed because its time was over troubles no batch", async () => {
  const key = { pk: "idempotency#tenant-a#k1", sk: "-" };
  const gone = { sequence: "1", key, before: { ...key, expires: 1 } };
  const batch = { Records: [expiredRecord(gone)] };
  expect(await relayBatch(api.deps, sagas)(batch)).toEqual({ batchItemFailures: [] });
});

it("a message of the queue for a webhook that is gone is done with, one that is none comes again", async () => {
  const gone = JSON.stringify({ tenant: "tenant-a", webhook: "gone" });
  const batch = queueEvent("tenant-a", { "m-1": gone, "m-2": "no JSON" });
  expect(await webhooks(api.deps)(batch)).toEqual({
    batchItemFailures: [{ itemIdentifier: "m-2" }],
  });
});

it("a hub's heartbeat is noted at the hub that its source names", async () => {
  await addHub(api.deps, "hub-1");
  const heartbeat = { heartbeat: true, agent_version: "1.2.3", news: [] };
  await observeEvent(api.deps, sagas)(reportEvent("slipway.hub.hub-1", heartbeat));
  expect(await api.deps.store.get(heartbeatKey("hub-1"))).toMatchObject({ version: "1.2.3" });
});
