import { expect, it } from "vitest";
import { relay } from "../../../core/kernel/relay/relay.ts";
import { createApp } from "../../../functions/api/app.ts";
import { sagas } from "../../../statemachines/index.ts";
import { type Api, catalogApi, order, people, v1 } from "../../support/api.ts";
import { type Calls, counting } from "../../support/counting-store.ts";
import { testDeps } from "../../support/deps.ts";
import { meeting } from "../../support/meeting-store.ts";
import { seeded } from "../../support/random.ts";

/** What one tenant's requests cost in calls of the store, while another one floods the API. */

const flood = 100;

/** Each kind of request of bob's, and what the store is asked for it. */
async function costs({ deps }: Api): Promise<Record<string, Calls>> {
  const found: Record<string, Calls> = {};
  const ask = async (what: string, path: string, init?: RequestInit) => {
    const { counted, calls } = counting(meeting(deps.store, seeded(3)));
    const app = createApp(
      { ...deps, store: counted },
      { profile: "slipway", principal: () => people.bob, issuers: [] },
    );
    const answer = await app.request(path, init);
    expect(answer.status, await answer.clone().text()).toBe(200);
    found[what] = calls;
    return answer.text();
  };
  const body = JSON.stringify(order("b3"));
  const { id } = JSON.parse(await ask("create", `${v1}/clusters`, { method: "POST", body }));
  await ask("get", `${v1}/clusters/${id}`);
  await ask("list", `${v1}/clusters?limit=2`);
  await ask(
    "by name",
    `${v1}/clusters?${new URLSearchParams({ filter: `this.metadata.name == "b3"` })}`,
  );
  await ask(
    "by label",
    `${v1}/clusters?${new URLSearchParams({ filter: "!has(this.metadata.labels.x)" })}`,
  );
  await ask("watch", "/api/events/v1/events?last_event_id=0");
  await ask("change", `${v1}/clusters/${id}`, {
    method: "PATCH",
    body: JSON.stringify({ metadata: { labels: { round: "1" } } }),
  });
  await ask("delete", `${v1}/clusters/${id}`, { method: "DELETE" });
  return found;
}

/** Of a world of its own, in which another tenant floods the API. */
async function costsWith(when: "no flood" | "a flood before" | "a flood meanwhile") {
  const api = await catalogApi();
  const { store } = api.deps;
  for (const name of ["b1", "b2"]) await api.ask("bob", "POST", `${v1}/clusters`, order(name));
  for (const record of store.stream(undefined, 1000)) await relay(api.deps, sagas, record);
  const flooding = when === "no flood" ? undefined : floodOf(api);
  if (when === "a flood before") await flooding;
  const found = await costs(api);
  await flooding;
  return found;
}

async function floodOf({ deps }: Api): Promise<void> {
  const app = createApp(
    { ...deps, store: meeting(deps.store, seeded(2)) },
    { profile: "slipway", principal: () => people.ann, issuers: [] },
  );
  const orders = Array.from({ length: flood }, (_, n) =>
    app.request(`${v1}/clusters`, { method: "POST", body: JSON.stringify(order(`a${n}`)) }),
  );
  const lists = orders.map(() => app.request(`${v1}/clusters?limit=1000`));
  const answers = await Promise.all([...orders, ...lists]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
}

it.each(["a flood before", "a flood meanwhile"] as const)(
  "costs a tenant the same calls of the store with %s of another one's",
  async (when) => {
    expect(await costsWith(when)).toEqual(await costsWith("no flood"));
  },
);

it("costs the relay the same for a tenant's order behind those of another one", async () => {
  const deps = testDeps();
  const api = await catalogApi(deps);
  let last = deps.store.stream(undefined, 1000).at(-1)?.sequence;
  const relayed = async (person: "ann" | "bob", name: string): Promise<Calls> => {
    await api.ask(person, "POST", `${v1}/clusters`, order(name));
    const records = deps.store.stream(last, 1000);
    const { counted, calls } = counting(deps.store);
    for (const record of records) await relay({ ...deps, store: counted }, sagas, record);
    // What the relay itself wrote is no order.
    last = deps.store.stream(records.at(-1)?.sequence, 1000).at(-1)?.sequence;
    return calls;
  };
  // The first time somebody is seen, there is more to tell.
  for (const person of ["ann", "bob"] as const) await relayed(person, "first");
  const quiet = await relayed("bob", "b1");
  for (let n = 0; n < flood; n++) await relayed("ann", `a${n}`);
  expect(await relayed("bob", "b2")).toEqual(quiet);
});
