import { describe, expect, it } from "vitest";
import { hours } from "../../../core/clock.ts";
import { type Answer, type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";
import { meeting } from "../../support/meeting-store.ts";
import { seeded } from "../../support/random.ts";

/** What many at a time are answered who POST the same under one key. */
async function thousand(kind: string, body: object, api: Api): Promise<Answer[]> {
  const post = () => api.ask("amy", "POST", `${v1}/${kind}`, body, { "Idempotency-Key": "k1" });
  const answers: Answer[] = [];
  for (let round = 0; round < 10; round++)
    answers.push(...(await Promise.all(Array.from({ length: 100 }, post))));
  return answers;
}

const openApi = () => {
  const { store } = testDeps();
  return catalogApi(testDeps({ store: meeting(store, seeded(2)) }));
};

function expectOne(answers: Answer[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  for (const name of ["Operation-Location", "ETag"])
    expect(new Set(answers.map(({ headers }) => headers.get(name))).size).toBe(1);
  const first = answers.filter(({ headers }) => !headers.has("Idempotent-Replayed"));
  expect(first).toHaveLength(1);
}

const totalOf = async (api: Api, kind: string) =>
  (await api.ask("amy", "GET", `${v1}/${kind}`)).body.total;

describe("1,000 POSTs with one Idempotency-Key, 100 at a time", () => {
  it("make one order, all answered alike", async () => {
    const api = await openApi();
    expectOne(await thousand("clusters", order("one"), api));
    expect(await totalOf(api, "clusters")).toBe(1);
    expect(await totalOf(api, "operations")).toBe(1);
  });

  it("are not refused for the quota that the one among them took", async () => {
    const api = await openApi();
    const quota = { spec: { limits: { control_planes: 1 } } };
    const path = `${priv}/quotas`;
    const limits = { metadata: { name: "tenant-a", tenant: "tenant-a" }, ...quota };
    const made = await api.ask("admin", "POST", path, limits);
    expect(made.status, made.text).toBe(200);
    expectOne(await thousand("clusters", order("one"), api));
    expect((await api.ask("amy", "POST", `${v1}/clusters`, order("two"))).status).not.toBe(200);
  });

  it("make one object of a kind without a saga", async () => {
    const api = await openApi();
    expectOne(await thousand("projects", { metadata: { name: "shop" } }, api));
    expect(await totalOf(api, "projects")).toBe(1);
  });
});

it("a key is remembered for 24 hours", async () => {
  const api = await catalogApi();
  const body = { metadata: { name: "shop" } };
  const post = () => api.ask("amy", "POST", `${v1}/projects`, body, { "Idempotency-Key": "k1" });
  const first = await post();
  await api.deps.clock.advance(hours(24) - 1);
  expect(await post()).toMatchObject({ status: 200, text: first.text });
  await api.deps.clock.advance(1);
  expect((await post()).status).toBe(409);
});
