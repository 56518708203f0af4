import { beforeEach, expect, it } from "vitest";
import { type Api, catalogApi, order, priv, v1 } from "../../support/api.ts";
import { testDeps } from "../../support/deps.ts";

/** The switch that keeps a deployment from taking anything in. */

let api: Api;
beforeEach(async () => {
  api = await catalogApi(testDeps());
});

it("while it is paused, tenants change nothing, and read all the same", async () => {
  const { body: before } = await api.ask("ann", "POST", `${v1}/clusters`, order("one"));
  expect((await api.ask("admin", "GET", `${priv}/intake`)).body).toEqual({ paused: false });
  const paused = await api.ask("admin", "POST", `${priv}/intake:pause`, {});
  expect(paused.body).toMatchObject({ paused: true, by: expect.any(String) });

  const refused = [
    await api.ask("ann", "POST", `${v1}/clusters`, order("two")),
    await api.ask("ann", "DELETE", `${v1}/clusters/${before.id}`),
    await api.ask("ann", "PATCH", `${v1}/clusters/${before.id}`, { metadata: { labels: {} } }),
    await api.ask("bob", "POST", `${v1}/webhooks`, { metadata: { name: "hook" } }),
    await api.ask("admin", "DELETE", `${priv}/clusters/${before.id}`),
  ];
  for (const { status, headers, body } of refused) {
    expect(status).toBe(503);
    expect(headers.get("Retry-After")).toBe("5");
    expect(body).toMatchObject({ retryable: true });
  }
  expect((await api.ask("ann", "GET", `${v1}/clusters/${before.id}`)).status).toBe(200);

  await api.ask("admin", "POST", `${priv}/intake:resume`, {});
  expect((await api.ask("ann", "DELETE", `${v1}/clusters/${before.id}`)).status).toBe(200);
});

it("while it is paused, the provider goes on with all but clusters", async () => {
  await api.ask("admin", "POST", `${priv}/intake:pause`, {});
  const type = await api.ask("admin", "POST", `${priv}/host_types`, {
    metadata: { name: "enormous" },
  });
  expect(type.status, type.text).toBe(200);
  expect((await api.ask("admin", "POST", `${priv}/removal:pause`, {})).status).toBe(200);
});

it("it holds as soon as somebody has put it into the table by hand", async () => {
  await api.deps.store.transact([{ put: { pk: "setting#intake", sk: "-", paused: true } }]);
  expect((await api.ask("ann", "POST", `${v1}/clusters`, order("one"))).status).toBe(503);
});
