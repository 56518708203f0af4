import { beforeEach, expect, it } from "vitest";
import { type Api, catalogApi, order, pullSecret, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

it.each([
  "canary",
  '"canary"',
  "null",
  "{}",
  '["canary"]',
  '{"auth": "canary"}',
  '{"auths": "canary"}',
  '{"auths": ["canary"]}',
  '{"auths": {}}',
  '{"auths": {"quay.io": "canary"}}',
  '{"auths": {"": {"auth": "canary"}}}',
  "***",
])("is refused at once, and not quoted, when it is %s", async (secret) => {
  const before = api.dump();
  const order_ = order("one", { pull_secret: secret, version: "9-9-9" });
  for (const query of ["", "?dry_run=true"]) {
    const { status, body, text } = await api.ask("ann", "POST", `${v1}/clusters${query}`, order_);
    expect(status).toBe(400);
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      "spec.pull_secret",
      "spec.version",
    ]);
    expect(text).not.toContain("canary");
  }
  expect(api.dump()).toBe(before);
});

it("is not there when it is empty, in an order and in a change", async () => {
  const { body } = await api.ask(
    "ann",
    "POST",
    `${v1}/clusters`,
    order("one", { pull_secret: "" }),
  );
  expect(body.spec).not.toHaveProperty("pull_secret");
  expect(api.deps.secretValues.size).toBe(0);
  const second = order("two", { pull_secret: pullSecret("x") });
  const other = await api.ask("ann", "POST", `${v1}/clusters`, second);
  for (const { id, spec } of [body, other.body]) {
    const answer = await api.ask("ann", "PATCH", `${v1}/clusters/${id}`, {
      metadata: { labels: { a: "1" } },
      spec: { pull_secret: "" },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.spec).toEqual(spec);
  }
  expect([...api.deps.secretValues.values()]).toEqual([pullSecret("x")]);
});
