import { expect, it } from "vitest";
import { mustLoad } from "../../../../core/kernel/object/records.ts";
import { forgetTenant } from "../../../../core/resources/tenant/forget.ts";
import { catalogApi, order, priv, v1 } from "../../../support/api.ts";

/** What a tenant leaves behind when it is deleted. */

async function setUp() {
  const api = await catalogApi();
  for (const name of ["shop", "shop.web"])
    await api.ask("amy", "POST", `${v1}/projects`, { metadata: { name } });
  for (let n = 0; n < 45; n++) {
    const project = ["", "shop", "shop.web"][n % 3];
    const { status } = await api.ask(
      "amy",
      "POST",
      `${v1}/clusters`,
      order(`c${n}`, {}, { project }),
    );
    expect(status).toBe(200);
  }
  await api.ask("bob", "POST", `${v1}/clusters`, order("other"));
  const tenant = await mustLoad(api.deps, "tenant", "tenant-a");
  const end = (time: string) => ({ ...tenant, event: { ...tenant.event, time } });
  const totals = async () => {
    const total = async (person: "amy" | "bob" | "admin") => {
      const base = person === "admin" ? priv : v1;
      const { body } = await api.ask(person, "GET", `${base}/operations?limit=100`);
      expect(body.items).toHaveLength(body.total);
      return body.total;
    };
    return [await total("amy"), await total("bob"), await total("admin")];
  };
  return { api, end, totals };
}

it("takes all its operations out of lists and counters, and nobody else's", async () => {
  const { api, end, totals } = await setUp();
  expect(await totals()).toEqual([45, 1, 46]);
  await forgetTenant(api.deps, end("2099-01-01T00:00:00.000Z"));
  expect(await totals()).toEqual([0, 1, 1]);
  const counters = api.deps.store
    .stream(undefined, 100_000)
    .filter(({ key, after }) => key.pk.startsWith("count#operation#tenant-a") && after)
    .map(({ key, after }) => [key.pk, after?.count] as const);
  expect([...new Map(counters).values()]).toEqual([0, 0, 0]);
});

it("leaves those of who has the name since, however often it is told", async () => {
  const { api, end, totals } = await setUp();
  await forgetTenant(api.deps, end("2020-01-01T00:00:00.000Z"));
  expect(await totals()).toEqual([45, 1, 46]);
});
