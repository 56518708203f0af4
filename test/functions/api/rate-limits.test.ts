import { beforeEach, expect, it } from "vitest";
import { type Api, catalogApi, type Person, priv, v1 } from "../../support/api.ts";
import { oneOfEach } from "../../support/one-of-each.ts";

/** How often one may ask. Time stands still unless a test moves it. */

let api: Api;
beforeEach(async () => {
  // A user may ask 40 times at once, a tenant 60 times, and watch 10 times.
  api = await catalogApi(undefined, "slipway", { user: 4, tenant: 6, watch: 1 });
  // What made the world has been forgotten.
  await api.deps.clock.advance(10_000);
});

const list = (person: Person) => api.ask(person, "GET", `${v1}/clusters`);

/** How many of so many are not too many. */
async function passing(count: number, ask: () => ReturnType<typeof list>): Promise<number> {
  let passed = 0;
  for (let n = 0; n < count; n++) if ((await ask()).status !== 429) passed++;
  return passed;
}

it("lets a user ask as often as the limit says, and then as fast", async () => {
  expect(await passing(100, () => list("ann"))).toBe(40);
  await api.deps.clock.advance(2_000);
  expect(await passing(100, () => list("ann"))).toBe(8);
  await api.deps.clock.advance(3_600_000);
  expect(await passing(100, () => list("ann"))).toBe(40);
});

it("says which limit it was, and when to come again", async () => {
  const first = await list("ann");
  expect(first.headers.get("RateLimit-Policy")).toBe('"user";q=40;w=10, "tenant";q=60;w=10');
  expect(first.headers.get("RateLimit")).toBe('"user";r=39;t=0, "tenant";r=59;t=0');
  await passing(39, () => list("ann"));
  const refused = await list("ann");
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    title: "Too many requests",
    detail: "too many requests of a user: the limit is 4 a second",
    retryable: true,
    code: 8,
  });
  expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
  expect(refused.headers.get("RateLimit")).toBe('"user";r=0;t=1');
  const seconds = Number(refused.headers.get("Retry-After"));
  expect(seconds).toBe(1);
  await api.deps.clock.advance(seconds * 1000);
  expect((await list("ann")).status).toBe(200);
});

it("lets the users of a tenant ask no more than their tenant may", async () => {
  const all = async (person: Person) => passing(100, () => list(person));
  expect([await all("ann"), await all("amy"), await all("mia")]).toEqual([40, 20, 0]);
  const { body, headers } = await list("mia");
  expect(body.detail).toBe("too many requests of a tenant: the limit is 6 a second");
  expect(headers.get("RateLimit")).toContain('"tenant";r=0;t=1');
});

it("does not let one tenant's flood change what another is answered", async () => {
  const quiet = await passing(40, () => list("bob"));
  await api.deps.clock.advance(3_600_000);
  const flooded = await passing(40, async () => {
    await passing(20, () => list("ann"));
    return list("bob");
  });
  expect([quiet, flooded]).toEqual([40, 40]);
  expect(await passing(40, () => list("admin"))).toBe(40);
});

it("counts what a portal asks for each tenant apart, and beside what the tenant asks", async () => {
  for (const name of ["tenant-a", "tenant-b"]) {
    const spec = { service_accounts: [{ user: "portal", role: "tenant-user" }] };
    await api.ask("admin", "POST", `${priv}/tenants`, { metadata: { name }, spec });
  }
  const ask = (tenant: string) => () =>
    api.ask("portal", "GET", `${v1}/clusters`, undefined, { "Slipway-On-Behalf-Of": tenant });
  expect(await passing(50, ask("tenant-a"))).toBe(40);
  expect(await passing(50, ask("tenant-b"))).toBe(40);
  expect(await passing(50, () => list("bob"))).toBe(40);
});

it("reads nothing for those who ask too often", async () => {
  await passing(40, () => list("ann"));
  const before = api.dump();
  const create = await api.ask("ann", "POST", `${v1}/clusters`, "{");
  expect(create.status).toBe(429);
  expect(api.dump()).toBe(before);
});

it("counts watches apart from requests", async () => {
  const watch = () => api.ask("bob", "GET", "/api/events/v1/events?last_event_id=x");
  expect(await passing(20, watch)).toBe(10);
  expect((await watch()).body.detail).toContain("watches of a user: the limit is 1 a second");
  expect(await passing(40, () => list("bob"))).toBe(40);
});

it("takes what hubs report, however often", async () => {
  await oneOfEach(api);
  const report = { heartbeat: true, news: [] };
  const ask = () => api.ask("hub", "POST", `${priv}/hubs/hub-1/reports`, report);
  expect(await passing(100, ask)).toBe(100);
});

it("is as patient as one likes when it is not told otherwise", async () => {
  const open = await catalogApi(undefined, "slipway", { user: 0, tenant: 0, watch: 0 });
  const { headers } = await open.ask("ann", "GET", `${v1}/clusters`);
  expect(headers.get("RateLimit")).toBeNull();
});
