import { beforeEach, expect, it } from "vitest";
import { type Api, catalogApi, v1 } from "../../support/api.ts";

let api: Api;
beforeEach(async () => {
  api = await catalogApi();
});

const path = `${v1}/identity_providers`;
const oidc = {
  issuer: "https://login.example.com",
  client_id: "portal",
  default_scopes: ["openid"],
  validate_signature: true,
};
const create = (client: object) =>
  api.ask("amy", "POST", path, {
    metadata: { name: "login" },
    spec: { title: "Login", enabled: true, oidc: { ...oidc, ...client } },
  });
const kept = () => [...api.deps.secretValues.values()];

it("keeps the secret of its client in the store of secrets, and never answers it", async () => {
  const { body, text } = await create({ client_secret: "canary" });
  expect(body.spec).toEqual({
    title: "Login",
    enabled: true,
    oidc: { ...oidc, client_secret: "***" },
  });
  expect(body.status).toEqual({ phase: "IDENTITY_PROVIDER_PHASE_UNKNOWN" });
  expect(kept()).toEqual(["canary"]);
  const stored = JSON.stringify(api.deps.store.stream(undefined, 1000));
  expect(text + stored).not.toContain("canary");
});

it("keeps it when it is sent back or left out, replaces it, and lets it go", async () => {
  const { id } = (await create({ client_secret: "one" })).body;
  const change = async (client: object) => {
    const spec = { oidc: client };
    const { status, text } = await api.ask("amy", "PATCH", `${path}/${id}`, { spec });
    expect(status, text).toBe(200);
    return kept();
  };
  expect(await change({ client_secret: "***", client_id: "other" })).toEqual(["one"]);
  expect(await change({ client_id: "third" })).toEqual(["one"]);
  expect(await change({ client_secret: "two" })).toEqual(["two"]);
  expect(await change({ client_secret: null })).toEqual([]);
  await change({ client_secret: "three" });
  expect((await api.ask("amy", "DELETE", `${path}/${id}`)).status).toBe(200);
  expect(kept()).toEqual([]);
});

it("is refused with what is no URL of the web", async () => {
  const { status, body } = await create({ token_url: "file:///etc/passwd", jwks_url: "x" });
  expect(status).toBe(400);
  expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
    "spec.oidc.jwks_url",
    "spec.oidc.token_url",
  ]);
});
