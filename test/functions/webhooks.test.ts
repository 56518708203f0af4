import { beforeEach, describe, expect, it } from "vitest";
import { minutes, seconds } from "../../core/clock.ts";
import { AppError } from "../../core/error.ts";
import { longestDelay } from "../../core/kernel/delay-queue.ts";
import { relay } from "../../core/kernel/relay/relay.ts";
import { webhooks } from "../../functions/webhooks.ts";
import { sagas } from "../../statemachines/index.ts";
import { type Api, catalogApi, priv, v1 } from "../support/api.ts";
import { queueEvent } from "../support/aws-events/sqs.ts";
import { testDeps } from "../support/deps.ts";

/** The webhooks' function behind its queue: no sweep runs in these tests unless it is called. */

let api: Api;
let relayed: string | undefined;
beforeEach(async () => {
  api = await catalogApi(testDeps());
  relayed = undefined;
});

async function relayAll() {
  for (;;) {
    const records = api.deps.store.stream(relayed, 10_000);
    if (records.length === 0) return;
    for (const record of records) {
      await relay(api.deps, sagas, record);
      relayed = record.sequence;
    }
  }
}

async function webhook(): Promise<string> {
  const spec = { url: "https://receiver.example.com/events" };
  const { body } = await api.ask("bob", "POST", `${v1}/webhooks`, {
    metadata: { name: "hook" },
    spec,
  });
  await relayAll();
  // Its own creation has been told, and it has been woken.
  await deliverQueued();
  api.deps.posts.splice(0);
  return body.id;
}

/** Something that bob's tenant has an event of: its own template. */
async function happen(name: string) {
  await api.ask("admin", "POST", `${priv}/cluster_templates`, {
    id: name,
    metadata: { name, tenant: "tenant-b" },
    node_sets: { w: { host_type: "small", size: 1 } },
  });
  await relayAll();
}

/** A batch of messages, each of which names a webhook. */
const batch = (...ids: string[]) =>
  queueEvent(
    "tenant-b",
    Object.fromEntries(
      ids.map((webhook, n) => [`m-${n}`, JSON.stringify({ tenant: "tenant-b", webhook })]),
    ),
  );
const call = (event: unknown) => webhooks(api.deps)(event);

/** Delivers what is in the queue, when it is to be; answers what came back. */
async function deliverQueued() {
  const queued = api.deps.queuedWebhooks.splice(0);
  await api.deps.clock.advance(Math.max(0, ...queued.map(({ after }) => after)));
  const answer = await call(batch(...queued.map(({ webhook }) => webhook)));
  await relayAll();
  return answer;
}

const sent = () => api.deps.posts.map(({ body }) => JSON.parse(body).data.object.id);

describe("a webhook on a queue", () => {
  it("is handed over as soon as its tenant's log has grown, and gets the event", async () => {
    const id = await webhook();
    await happen("one");
    expect(api.deps.queuedWebhooks).toEqual([{ webhook: id, after: 0 }]);
    expect(await deliverQueued()).toEqual({ batchItemFailures: [] });
    expect(sent()).toEqual(["one"]);
    expect(api.deps.queuedWebhooks).toEqual([]);
  });

  it("comes again after the pause of a retry, until that is longer than a queue can wait", async () => {
    await webhook();
    api.deps.receive = async () => ({ status: 503, text: "" });
    await happen("one");
    const waits: number[] = [];
    while (api.deps.queuedWebhooks.length > 0) {
      waits.push(...api.deps.queuedWebhooks.map(({ after }) => after));
      await deliverQueued();
    }
    // At once, then after about 5 s, 30 s, 2 min and 10 min; half an hour is the sweep's.
    const pauses = [0, seconds(5), seconds(30), minutes(2), minutes(10)];
    expect(waits).toHaveLength(pauses.length);
    for (const [n, pause] of pauses.entries()) {
      expect(waits[n]).toBeGreaterThanOrEqual(0.75 * pause);
      expect(waits[n]).toBeLessThanOrEqual(1.25 * pause);
    }
    expect(Math.max(...waits)).toBeLessThanOrEqual(longestDelay);
    await api.deps.clock.advance(minutes(45));
    await call({});
    expect(api.deps.posts).toHaveLength(6);
  });

  it("is left alone when its message comes twice, early or late", async () => {
    const id = await webhook();
    await happen("one");
    expect(await call(batch(id, id))).toEqual({ batchItemFailures: [] });
    await call(batch(id, id));
    expect(sent()).toEqual(["one"]);
  });

  it("is told again of what broke off, without the others of its batch", async () => {
    const id = await webhook();
    await happen("one");
    api.deps.secretValues.clear();
    expect(await call(batch(id, "nobody"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "m-0" }],
    });
  });

  it("of a slow receiver is given back by the sweep after a minute, for the next one", async () => {
    await webhook();
    api.deps.receive = async () => {
      await api.deps.clock.advance(seconds(20));
      return { status: 200, text: "" };
    };
    const names = ["a", "b", "c", "d", "e", "f"];
    for (const name of names) await happen(name);
    await call({});
    expect(sent()).toEqual(["a", "b", "c", "d"]);
    await call({});
    expect(sent()).toEqual(names);
  });

  it("is found by the sweep when its message could not be sent, which holds up nothing", async () => {
    await webhook();
    api.deps.webhookQueue = {
      put: async () => {
        throw new AppError("Unavailable", "the queue takes no message");
      },
    };
    await happen("one");
    expect(sent()).toEqual([]);
    await call({});
    expect(sent()).toEqual(["one"]);
  });
});
