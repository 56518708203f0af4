import { beforeEach, describe, expect, it } from "vitest";
import { relay } from "../../../core/kernel/relay/relay.ts";
import type { Store } from "../../../core/kernel/store/store.ts";
import { createApp } from "../../../functions/api/app.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, order, type Person, people, v1 } from "../../support/api.ts";
import { counting } from "../../support/counting-store.ts";
import { testDeps } from "../../support/deps.ts";
import { meeting } from "../../support/meeting-store.ts";
import { seeded } from "../../support/random.ts";

/** How many may wait for events at a time. */

const watchPath = "/api/events/v1/events";
const limits = { everybody: 8, tenant: 4, user: 2 };

let api: Api;
beforeEach(async () => {
  api = await catalogApi(testDeps({ watchLimits: limits }));
});

/** A watch over a store of its own, as another process would have it. */
function watch(
  person: Person | "zoe",
  store: Store = api.deps.store,
  headers: Record<string, string> = {},
) {
  const principal = () => (person === "zoe" ? { ...people.ann, user: "zoe" } : people[person]);
  const app = createApp({ ...api.deps, store }, { profile: "slipway", principal });
  return app.request(watchPath, { headers });
}

/** Watches that have begun to wait. */
async function waiting(...who: Person[]): Promise<Promise<Response>[]> {
  const watches: Promise<Response>[] = [];
  for (const person of who) {
    watches.push(Promise.resolve(watch(person)));
    await api.deps.clock.advance(0);
  }
  return watches;
}

const ended = (watches: Promise<Response>[]) => api.deps.clock.until(Promise.all(watches));
const statuses = async (watches: Promise<Response>[]) =>
  (await ended(watches)).map(({ status }) => status);

describe("watches that wait", () => {
  it("are limited for a user, while those of others go on", async () => {
    const watches = await waiting("ann", "ann");
    await api.deps.clock.advance(9_000);
    const refused = await watch("ann");
    expect(refused.status).toBe(429);
    // The first of them has waited for 9 of 25 seconds.
    expect(refused.headers.get("Retry-After")).toBe("16");
    expect(await refused.json()).toMatchObject({
      message: "too many watches of a user: 2 may wait at a time",
    });
    expect(await statuses([...watches, ...(await waiting("amy", "bob"))])).toEqual(
      Array(4).fill(200),
    );
  });

  it("are limited for a tenant, while those of others go on", async () => {
    const watches = await waiting("ann", "ann", "amy", "amy");
    const refused = await watch("zoe");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      message: "too many watches of a tenant: 4 may wait at a time",
    });
    expect(await statuses([...watches, ...(await waiting("bob"))])).toEqual(Array(5).fill(200));
  });

  it("are limited together: 503 says when to come back, and the rest of the API answers", async () => {
    const watches = await waiting("ann", "ann", "amy", "amy", "bob", "bob", "eve", "eve");
    const refused = await watch("admin");
    expect(refused.status).toBe(503);
    const seconds = Number(refused.headers.get("Retry-After"));
    expect(seconds).toBeGreaterThanOrEqual(5);
    expect(seconds).toBeLessThan(15);
    expect(await refused.json()).toMatchObject({ retryable: true });
    // A user beyond the own limit is told that.
    expect((await watch("ann")).status).toBe(429);
    expect((await api.ask("ann", "GET", `${v1}/clusters`)).status).toBe(200);
    expect((await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).status).toBe(200);
    expect(await statuses(watches)).toEqual(Array(8).fill(200));
    expect(await statuses(await waiting("admin"))).toEqual([200]);
  });

  it("wait for 5 seconds only once half of all wait", async () => {
    const lasting = async (watches: Promise<Response>[]) => {
      const start = api.deps.clock.now();
      await ended(watches);
      return api.deps.clock.now() - start;
    };
    const [first, second, third, fourth, fifth] = await waiting("ann", "ann", "amy", "bob", "bob");
    if (!first || !second || !third || !fourth || !fifth) throw new Error("five watches wait");
    expect(await lasting([fifth])).toBe(5_000);
    expect(await lasting([first, second, third, fourth])).toBe(20_000);
  });

  it("that begin together share no slot", async () => {
    const store = meeting(api.deps.store, seeded(1));
    const watches = Array.from({ length: 5 }, async () => watch("ann", store));
    expect((await statuses(watches)).sort()).toEqual([200, 200, 429, 429, 429]);
  });

  it("hold their slots until they end, and no longer than that when their process dies", async () => {
    await ended(await waiting("ann", "ann"));
    expect(await statuses(await waiting("ann", "ann"))).toEqual([200, 200]);
    // What a process does that is gone reaches the store no more.
    const dying: Store = {
      ...counting(api.deps.store).counted,
      transact: async (writes) => {
        if (writes.every((write) => "put" in write)) await api.deps.store.transact(writes);
      },
    };
    const lost = [watch("ann", dying), watch("ann", dying)].map(async (each) => each);
    await ended(lost);
    const refused = await watch("ann");
    expect(refused.status).toBe(429);
    await api.deps.clock.advance(5_000);
    expect(await statuses(await waiting("ann"))).toEqual([200]);
  });
});

describe("a watch that has something to say at once", () => {
  it("needs no slot, and writes nothing", async () => {
    await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
    for (const record of api.deps.store.stream(undefined, 10_000))
      await relay(api.deps, sagas, record);
    const last = (await ended([watchFrom("0")]))[0]?.headers.get("Last-Event-ID") ?? "";
    const watches = [watchFrom(last), watchFrom(last)];
    await api.deps.clock.advance(0);
    const { counted, calls } = counting(api.deps.store);
    const answer = await watch("ann", counted, { "Last-Event-ID": "0" });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("EVENT_TYPE_OBJECT_CREATED");
    expect(calls.transact).toBe(0);
    expect(await statuses(watches)).toEqual([200, 200]);
  });

  const watchFrom = async (id: string) => watch("ann", api.deps.store, { "Last-Event-ID": id });
});
