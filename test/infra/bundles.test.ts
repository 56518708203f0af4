import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { asOperationId } from "../../core/id.ts";
import { positionPattern } from "../../core/kernel/events/position.ts";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { duePartition, dueShards, objectKey } from "../../core/kernel/object/keys.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import { mustLoad, putNew, type Records } from "../../core/kernel/object/records.ts";
import type { StepEntry } from "../../core/kernel/saga/operation.ts";
import { dynamodbStore } from "../../core/kernel/store/dynamodb/dynamodb.ts";
import { clusterLabel } from "../../core/ports/hub/clusters/labels.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";
import { eventRoutes } from "../../functions/api/events.ts";
import { storeRights } from "../../functions/runtime/store-rights.ts";
import { type Bundle, bundleAll, root } from "../../infra/bundle.ts";
import { inNetwork, servicesInNetwork } from "../../infra/endpoints.ts";
import { type FunctionName, functionNames, functions } from "../../infra/functions.ts";
import { grants, zoneGrants } from "../../infra/permissions.ts";
import { authorizerEvent, gatewayEvent, verifiedEvent } from "../support/aws-events/api-gateway.ts";
import { executionEvent, reportEvent } from "../support/aws-events/event-bridge.ts";
import { balancerEvent } from "../support/aws-events/load-balancer.ts";
import { queueEvent } from "../support/aws-events/sqs.ts";
import { streamRecord } from "../support/aws-events/stream.ts";
import { bundleEnvironment, issuer } from "../support/bundle-environment.ts";
import { callsIn } from "../support/bundled-calls.ts";
import { type FakeAws, fakeAws } from "../support/fake-aws.ts";
import { serveHub, TestHub } from "../support/hub-api.ts";
import { newsOfKind } from "../support/news.ts";
import { serveIssuer } from "../support/oidc.ts";
import { addHosts, addHub, hubRecord, type Order } from "../support/placement.ts";
import { runBundle } from "../support/run-bundle.ts";
import { askedOfStore, mayAsk } from "../support/store-grants.ts";
import { inLine, waitingDeps } from "../support/waiting.ts";

/** The bundles that are deployed: their size, what they can ask of AWS, and that they run. */

const folder = mkdtempSync(join(tmpdir(), "slipway-bundles-"));
let bundles: Record<string, Bundle> = {};
let aws: FakeAws;
beforeAll(async () => {
  bundles = Object.fromEntries((await bundleAll(folder)).map((bundle) => [bundle.name, bundle]));
  aws = await fakeAws();
});
afterAll(() => {
  aws.close();
  rmSync(folder, { recursive: true, force: true });
});

const bundleOf = (name: FunctionName): Bundle => {
  const bundle = bundles[name];
  if (!bundle) throw new Error(`${name} was not bundled`);
  return bundle;
};

const environment = () => bundleEnvironment(aws.url);

const reachesOutside = (name: FunctionName) => name === "hub-worker" || name === "site-worker";

/** The workers outside are one program, which does in each zone what that is granted. */
const grantedTo = (name: FunctionName): string[] => {
  const held = reachesOutside(name)
    ? [...grants["hub-worker"], ...grants["site-worker"], ...zoneGrants]
    : grants[name];
  return [...new Set(held.flatMap(({ actions }) => actions))].sort();
};

const isOfStore = (action: string) => action.startsWith("dynamodb:");

/** The indexes that the code of a bundle names. */
async function indexesIn(name: FunctionName): Promise<Set<string>> {
  const parts = Object.values(bundleOf(name).meta.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs),
  );
  const own = parts.filter(
    ([path, { bytesInOutput }]) =>
      bytesInOutput > 0 && /^(core|functions|statemachines)\/.*\.ts$/.test(path),
  );
  const texts = await Promise.all(own.map(([path]) => readFile(resolve(root, path), "utf8")));
  return new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/index: "(g\d)"/g), ([, g]) => g ?? "")),
  );
}

describe.each(functionNames)("the bundle of %s", (name) => {
  it("is within its budget", () => {
    expect(bundleOf(name).bytes).toBeLessThanOrEqual(functions[name].budget);
  });

  it("does without what schemas say of their members, which is for the reference", async () => {
    for (const file of Object.keys(bundleOf(name).meta.outputs))
      expect(await readFile(resolve(root, file), "utf8")).not.toMatch(/\.describe\(["']/);
  });

  it("can ask of AWS what its role allows, no more and no less", () => {
    const calls = callsIn(bundleOf(name).meta);
    expect(calls.filter((call) => !isOfStore(call))).toEqual(
      grantedTo(name).filter((action) => !isOfStore(action)),
    );
    // The store's adapter has all its calls wherever it is; a laptop holds each function to those that it makes.
    expect(calls).toEqual(expect.arrayContaining(grantedTo(name)));
  });

  it("may list no index that none of its code lists", async () => {
    const listed = await indexesIn(name);
    expect(storeRights[name].indexes.filter((index) => !listed.has(index))).toEqual([]);
  });

  it("says which variable is missing, and does not start", async () => {
    const needed = name === "authorizer" ? "ISSUERS" : "TABLE";
    const rest = { ...environment(), [needed]: "" };
    const { error } = await runBundle(bundleOf(name).file, {}, rest);
    expect(error?.message).toContain(needed);
  });
});

it("their network has an endpoint for each service that the workers of hubs and sites can call, and no other", () => {
  const called = inNetwork
    .flatMap((name) => callsIn(bundleOf(name).meta))
    .map((action) => action.split(":")[0] ?? "")
    // Over the network's own routes.
    .filter((service) => service !== "route53");
  expect(servicesInNetwork).toEqual([...new Set(called)].sort());
});

it("no function asks zod to read a JSON Schema, for which bundles have no code", () => {
  const asking = functionNames.filter((name) =>
    Object.values(bundleOf(name).meta.outputs).some(({ inputs }) =>
      Object.entries(inputs).some(
        ([path, { bytesInOutput }]) => path.endsWith("from-json-schema.js") && bytesInOutput > 0,
      ),
    ),
  );
  expect(asking).toEqual([]);
});

/** Bytes of a bundle, all of its files together, that are of these paths. */
const bytesOf = (name: FunctionName, path: RegExp) =>
  Object.values(bundleOf(name).meta.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([input]) => path.test(input))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);

describe("the code of steps", () => {
  const steps = /^statemachines\/(cluster-\w+|steps\/).*\.ts$/;

  it("is in the functions that run some of it, and in no other", () => {
    const having = functionNames.filter((name) => bytesOf(name, steps) > 0);
    expect(having).toEqual(["observe", "core-worker", "hub-worker", "site-worker"]);
  });

  it("is with the observers as far as it decides: what it does at systems outside is not", () => {
    const planning = /^core\/placement\/choose\/plan\.ts$/;
    expect(bytesOf("core-worker", planning)).toBeGreaterThan(1000);
    expect(bytesOf("observe", planning)).toBeLessThan(500);
    expect(bytesOf("observe", steps)).toBeLessThan(bytesOf("core-worker", steps));
  });
});

it("the views of kinds are where objects are answered or their events told, and nowhere else: a write renders nothing", () => {
  const views = /^core\/resources\/[^/]+\/wire\.ts$/;
  const having = functionNames.filter((name) => bytesOf(name, views) > 0);
  expect(having).toEqual(["api", "watch", "relay", "due"]);
});

it("the observers of kinds are where reports are taken and hubs are read; what a read did not find, only where hubs are read", () => {
  const having = (path: RegExp) => functionNames.filter((name) => bytesOf(name, path) > 0);
  const workers = functionNames.filter(reachesOutside);
  expect(having(/^core\/resources\/[^/]+\/observer\.ts$/)).toEqual(["observe", ...workers]);
  expect(having(/^core\/resources\/[^/]+\/absence\.ts$/)).toEqual(workers);
});

it("what kinds say of the things that they own outside is where hubs and sites are swept, and nowhere else", () => {
  const owning = /^core\/resources\/[^/]+\/owning\.ts$/;
  const having = functionNames.filter((name) => bytesOf(name, owning) > 0);
  expect(having).toEqual(functionNames.filter(reachesOutside));
});

it("only the workers of hubs and sites have the Kubernetes client", () => {
  const having = functionNames.filter((name) =>
    Object.keys(bundleOf(name).meta.inputs).some((path) => path.includes("@kubernetes/")),
  );
  expect(having).toEqual(functionNames.filter(reachesOutside));
});

it("of undici the workers of hubs and sites carry a fetch and its pools alone", () => {
  const parts = Object.entries(bundleOf("hub-worker").meta.inputs).filter(
    ([path, { bytes }]) =>
      bytes > 100 &&
      /undici\/lib\/(mock|milo|cache|interceptor|web\/(websocket|eventsource))\//.test(path),
  );
  expect(parts).toEqual([]);
});

describe("a bundle, loaded as Lambda loads it,", () => {
  /** Runs it on an event of its trigger; every call it made is one that it may make. */
  async function run(name: FunctionName, event: unknown, more: Record<string, string> = {}) {
    const before = aws.calls.length;
    const ran = await runBundle(bundleOf(name).file, event, { ...environment(), ...more });
    const calls = different(aws.calls.slice(before));
    const made = calls.map(({ action }) => action).filter((action) => !isOfStore(action));
    expect(grantedTo(name)).toEqual(expect.arrayContaining([...new Set(made)]));
    expect(calls.flatMap(askedOfStore).filter((asked) => !mayAsk(name, asked))).toEqual([]);
    return { ...ran, calls };
  }
  /** The SDK's client sends a call again when the machine was too busy to answer it in time. */
  const different = <Call>(calls: Call[]) => [
    ...new Map(calls.map((call) => [JSON.stringify(call), call])).values(),
  ];

  const request = (path: string, claims?: object) =>
    claims ? verifiedEvent(claims, { path }) : gatewayEvent({ path });

  it("the API lists a tenant's clusters from the table", async () => {
    const claims = { iss: issuer, sub: "ann", tenant: "tenant-a", roles: ["tenant-admin"] };
    const { result, calls } = await run("api", request("/api/fulfillment/v1/clusters", claims));
    expect(result).toMatchObject({ statusCode: 200 });
    expect(JSON.parse((result as { body: string }).body)).toMatchObject({ size: 0, total: 0 });
    expect(calls.length).toBeGreaterThan(0);
  });

  it("a watch reads the log, waits with a slot and gives it back", async () => {
    const claims = { iss: issuer, sub: "ann", tenant: "tenant-a", roles: ["tenant-admin"] };
    const event = request("/api/events/v1/events", claims);
    const { result, calls } = await run("watch", event, { WATCHES: "1" });
    const id = expect.stringMatching(positionPattern);
    expect(result).toMatchObject({ statusCode: 200, headers: { "last-event-id": id } });
    const written = calls.filter(({ action }) => /Put|Delete/.test(action));
    expect(written.map(({ action }) => action)).toEqual([
      "dynamodb:PutItem",
      "dynamodb:DeleteItem",
    ]);
  });

  it("the API has no watches, which would wait in what answers everybody", async () => {
    const claims = { iss: issuer, sub: "ann", tenant: "tenant-a", roles: ["tenant-admin"] };
    for (const { path } of eventRoutes)
      expect((await run("api", request(path, claims))).result).toMatchObject({ statusCode: 404 });
    const { result } = await run("watch", request("/api/fulfillment/v1/clusters", claims));
    expect(result).toMatchObject({ statusCode: 404 });
  });

  it("the API refuses who has no claims", async () => {
    const { result } = await run("api", request("/api/fulfillment/v1/clusters"));
    expect(result).toMatchObject({ statusCode: 401 });
  });

  it("the authorizer asks the issuer, and the API believes it", async () => {
    const { issuer, close } = await serveIssuer();
    onTestFinished(close);
    const issuers = [{ issuer: issuer.url, audiences: ["slipway"] }];
    const ISSUERS = JSON.stringify(issuers);
    const path = "/api/fulfillment/v1/clusters";
    const asked = (token: string) => authorizerEvent(`Bearer ${token}`, path);
    const answers = async (token: string) => {
      const { result } = await run("authorizer", asked(token), { ISSUERS });
      const { isAuthorized, context } = result as { isAuthorized: boolean; context: object };
      expect(isAuthorized).toBe(true);
      const event = gatewayEvent({ path, authorizer: { lambda: context } });
      return (await run("api", event, { ISSUERS })).result;
    };
    expect(await answers(await issuer.token())).toMatchObject({ statusCode: 200 });
    expect(await answers(await issuer.token({ exp: 1 }))).toMatchObject({
      statusCode: 401,
      headers: { "www-authenticate": expect.stringContaining("expired") },
    });
  });

  it("the API shows its reference, with the files that it needs", async () => {
    for (const [path, type] of [
      ["/docs", "text/html; charset=utf-8"],
      ["/docs/errors/conflict", "text/html; charset=utf-8"],
      ["/docs/assets/docs.css", "text/css; charset=utf-8"],
      ["/docs/assets/reference.js", "text/javascript; charset=utf-8"],
      ["/docs/assets/scalar.js", "text/javascript; charset=utf-8"],
    ] as const) {
      const { result, calls } = await run("api", request(path));
      expect(result).toMatchObject({ statusCode: 200, headers: { "content-type": type } });
      expect(calls).toEqual([]);
    }
  });

  it("the site controller tells its version, and nothing to who has no token", async () => {
    const health = await run("site-controller", balancerEvent("/site/v1/health"));
    expect(health.result).toMatchObject({ statusCode: 200, body: '{"version":"1"}' });
    expect(health.calls).toEqual([]);
    const { result, calls } = await run("site-controller", balancerEvent("/site/v1/boot/t0k3n"));
    expect(result).toMatchObject({ statusCode: 404, body: "" });
    expect(calls.map(({ action }) => action)).toEqual(["dynamodb:GetItem"]);
    expect(JSON.stringify(calls)).not.toContain("t0k3n");
  });

  it("the relay answers a batch of the stream", async () => {
    const key = { pk: "name#cluster#t#p#one", sk: "-" };
    const record = streamRecord({ sequence: "1", key, after: key });
    const { result } = await run("relay", { Records: [record] });
    expect(result).toEqual({ batchItemFailures: [] });
  });

  it("the observers take a heartbeat", async () => {
    const event = reportEvent("slipway.hub.eu-1", { heartbeat: true, news: [] });
    const { error, calls } = await run("observe", event);
    expect(error).toBeUndefined();
    expect(calls.map(({ action }) => action)).toEqual(["dynamodb:GetItem"]);
  });

  /** A cluster on a hub, whose deployment waits; in the store that the bundles use. */
  async function waiting(id: string, hub: string, wait: Partial<StepEntry>): Promise<Order> {
    const deps = waitingDeps();
    await addHub(deps, hub);
    await addHosts(deps, hub, "small", [`s-${hub}`]);
    const [order] = await inLine(deps, [id, { small: 1 }]);
    const entry = { position: 0, state: "WAITING", attempts: 1, ...wait } as const;
    await changeObject(deps, "operation", order.operation, ({ status, steps, ...rest }) => ({
      ...rest,
      status: { ...status, state: "RUNNING" },
      steps: { ...steps, DeployControlPlane: entry },
    }));
    await put(deps, "cluster", order.cluster);
    await put(deps, "operation", order.operation);
    return order;
  }

  async function put(deps: Records, kind: Kind, id: string): Promise<void> {
    const store = dynamodbStore({ client: aws.dynamodb.client, table: "slipway-test" });
    const item = await deps.store.get(objectKey(kind, id));
    if (item) await store.transact([{ put: item }]);
  }

  it("the observers end a wait when its news has come", async () => {
    await waiting("c1", "one", { token: "token-7" });
    const available = newsOfKind("HostedCluster", {
      metadata: { labels: { [clusterLabel]: "c1" } },
      status: {
        conditions: [{ type: "Available", status: "True" }],
        controlPlaneEndpoint: { host: "api.c1.example.com", port: 6443 },
      },
    });
    const event = reportEvent("slipway.hub.one", { heartbeat: false, news: [available] });
    const { error, calls } = await run("observe", event);
    expect(error).toBeUndefined();
    expect(calls).toContainEqual({
      action: "states:SendTaskSuccess",
      body: { taskToken: "token-7", output: "{}" },
    });
  });

  it("the schedule's call has every shard of what is due swept, and reads the hubs that were asked for", async () => {
    const { error, calls } = await run("due", {});
    expect(error).toBeUndefined();
    const asked = calls.filter(({ action }) => action === "lambda:InvokeFunction");
    expect(asked.map(({ body }) => body)).toEqual(
      expect.arrayContaining([{ shard: 0 }, { shard: dueShards - 1 }]),
    );
    expect(asked).toHaveLength(dueShards);
    const others = calls.map(({ action }) => action).filter((action) => !/^lambda/.test(action));
    expect(others).toEqual(["dynamodb:Query"]);
  });

  it("the sweep of a shard reads whose time has come, where the last left off, and what is due", async () => {
    const store = dynamodbStore({ client: aws.dynamodb.client, table: "slipway-test" });
    const shards = Array.from({ length: dueShards }, (_, shard) => shard);
    const due = await Promise.all(
      shards.map((shard) => store.query({ index: "g2", pk: duePartition(shard) })),
    );
    // The operations of the tests above lie in shards by their random ids.
    const shard = due.findIndex(({ items }) => items.length === 0);
    const { error, calls } = await run("due", { shard });
    expect(error).toBeUndefined();
    const [ofTimers, ...ofOperations] = calls.map(({ action }) => action);
    expect(ofTimers).toBe("dynamodb:Query");
    expect(ofOperations).toEqual(["dynamodb:GetItem", "dynamodb:Query"]);
  });

  it("a recheck of an operation that is gone is done with", async () => {
    const body = JSON.stringify({ operation: "gone-since", step: "ReserveCapacity" });
    const { error, calls } = await run("due", queueEvent("", { "m-1": body }));
    expect(error).toBeUndefined();
    expect(calls.map(({ action }) => action)).toEqual(["dynamodb:GetItem"]);
  });

  it("the sweep prints what it has measured, as CloudWatch reads it", async () => {
    const { error, lines } = await run("sweep", { sweep: "metrics" });
    expect(error).toBeUndefined();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { Stage: "slipway-test", OperationsStuck: 0, _aws: { CloudWatchMetrics: [{}] } },
    ]);
  });

  it("the sweep has a hub read whose reports a step has awaited for long", async () => {
    await waiting("c2", "two", { waiting_since: "2026-01-01T00:00:00Z" });
    const { error, calls } = await run("sweep", { sweep: "hubs" });
    expect(error).toBeUndefined();
    const asked = calls.filter(({ action }) => action === "lambda:InvokeFunction");
    expect(asked.map(({ body }) => body)).toContainEqual({ hub: "two", sweep: true });
  });

  it("the API cancels a queued operation", async () => {
    const { cluster, operation } = await waiting("c3", "three", {});
    const store = dynamodbStore({ client: aws.dynamodb.client, table: "slipway-test" });
    const deps = { ...waitingDeps(), store };
    const queued = asOperationId("queued-c3");
    await store.transact(
      putNew(kinds, {
        ...(await mustLoad(deps, "operation", operation)),
        id: queued,
        queued: true,
      }),
    );
    await changeObject(deps, "cluster", cluster, (before) => ({ ...before, queued }));
    const { metadata } = await mustLoad(deps, "cluster", cluster);
    const claims = { iss: issuer, sub: "ann", tenant: metadata.tenant, roles: ["tenant-admin"] };
    const path = `/api/fulfillment/v1/operations/${queued}/cancel`;
    const { result } = await run("api", verifiedEvent(claims, { path, method: "POST" }));
    expect(result).toMatchObject({ statusCode: 200 });
    expect(await mustLoad(deps, "cluster", cluster)).not.toHaveProperty("queued");
  });

  it("the sender of webhooks reads every shard of those that are due", async () => {
    const { error, calls } = await run("webhooks", {});
    expect(error).toBeUndefined();
    expect(calls.map(({ action }) => action)).toEqual(Array(4).fill("dynamodb:Query"));
  });

  it("the sender of webhooks takes a message of its queue", async () => {
    const body = JSON.stringify({ tenant: "tenant-a", webhook: "gone-since" });
    const { result, calls } = await run("webhooks", queueEvent("tenant-a", { "m-1": body }));
    expect(result).toEqual({ batchItemFailures: [] });
    expect(calls[0]).toMatchObject({ action: "dynamodb:GetItem" });
  });

  it("the relay puts a webhook that is due into the queue", async () => {
    const cursor = { webhook: "w-1", tenant: "tenant-a", position: 0, deliveries: 0, due: 1000 };
    const key = { pk: "webhooks#tenant-a", sk: "w-1" };
    const record = streamRecord({ sequence: "1", key, after: { ...key, revision: 2, cursor } });
    const { result, calls } = await run("relay", { Records: [record] });
    expect(result).toEqual({ batchItemFailures: [] });
    expect(calls).toEqual([
      {
        action: "sqs:SendMessage",
        body: {
          QueueUrl: environment().WEBHOOK_QUEUE,
          MessageBody: JSON.stringify({ tenant: "tenant-a", webhook: "w-1" }),
          MessageGroupId: "tenant-a",
          DelaySeconds: 0,
        },
      },
    ]);
  });

  it("a halted execution of nobody is let go", async () => {
    const { error, calls } = await run("halted", executionEvent("by-hand", "ABORTED"));
    expect(error).toBeUndefined();
    expect(calls.map(({ action }) => action)).toEqual(["dynamodb:GetItem"]);
  });

  it.each(functionNames)("%s says of its lines which run they are of", async (name) => {
    const { meta } = bundleOf(name);
    const handlers = Object.values(meta.outputs).flatMap(({ inputs }) => Object.keys(inputs));
    expect(handlers).toContain("functions/runtime/handled.ts");
  });

  it("a line of the relay names its run", async () => {
    // Not a record of the table: it cannot be handled.
    const { lines } = await run("relay", { Records: [{ dynamodb: { SequenceNumber: "1" } }] });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { message: "stream record failed", function_request_id: "r-1", cold_start: true },
    ]);
  });

  it.each(["core-worker", "hub-worker", "site-worker"] as const)(
    "the %s answers the token of a task that it cannot begin",
    async (name) => {
      const task = { operation: "nobody", step: "ReserveCapacity", token: "token-1" };
      const { error, calls } = await run(name, task);
      expect(error).toBeUndefined();
      const last = calls.at(-1);
      expect(last).toMatchObject({
        action: "states:SendTaskFailure",
        body: { taskToken: "token-1", error: "NotFound" },
      });
    },
  );

  it("the hub worker reads a hub over TLS, with the credentials of its registration", async () => {
    const hub = new TestHub();
    const server = await serveHub(hub.fetch);
    onTestFinished(() => server.close());
    aws.secrets.set("slipway/test/hub/hub-1/kubeconfig", server.kubeconfig);
    const store = dynamodbStore({ client: aws.dynamodb.client, table: "slipway-test" });
    await store.transact([...putNew(kinds, hubRecord("hub-1", {}, Date.now()))]);

    const { error, calls } = await run("hub-worker", { hub: "hub-1", sweep: true });
    expect(error).toBeUndefined();
    expect(calls).toContainEqual({
      action: "secretsmanager:GetSecretValue",
      body: { SecretId: "slipway/test/hub/hub-1/kubeconfig" },
    });
    const read = hub.requests.map(({ url }) => new URL(url).pathname.split("/").at(-1));
    expect(read).toEqual(expect.arrayContaining(["hostedclusters", "nodepools", "agents"]));
  });
});
