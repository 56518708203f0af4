import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { hours, minutes } from "../../../core/clock.ts";
import { openDatabase } from "../../../sim/database.ts";
import { fabricApi } from "../../../sim/fabric/api.ts";
import type { ApplicationCredential, SimulatedKeystone } from "../../../sim/fabric/keystone.ts";
import { cloud, TestFabric } from "../../support/fabric.ts";

let test: TestFabric;
let keystone: SimulatedKeystone;
beforeEach(() => {
  test = new TestFabric();
  keystone = test.sim.keystone;
});

const bodySchema = z.object({
  token: z.object({ expires_at: z.string(), roles: z.array(z.object({ name: z.string() })) }),
});

const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  fabricApi(test.sim)(new Request(cloud + path, { method, headers, ...(body && { body }) }));

const login = ({ id, secret }: Pick<ApplicationCredential, "id" | "secret">) => {
  const methods = ["application_credential"];
  const identity = { methods, application_credential: { id, secret } };
  const headers = { "content-type": "application/json" };
  return ask("POST", "/v3/auth/tokens", headers, JSON.stringify({ auth: { identity } }));
};

const atNeutron = async (token: string) =>
  (await ask("GET", "/v2.0/networks", { "x-auth-token": token })).status;

it("has credentials with roles of their own, beside the site's", async () => {
  const response = await login(keystone.make({ name: "other", roles: ["member"] }));
  const { roles } = bodySchema.parse(await response.json()).token;
  expect(roles.map(({ name }) => name)).toEqual(["member", "reader"]);
  expect((await login(keystone.credential)).status).toBe(201);
});

it("keeps them when it is opened again", async () => {
  const database = openDatabase(":memory:");
  const made = new TestFabric({}, { database }).sim.keystone.make({ roles: ["member"] });
  test = new TestFabric({}, { database });
  expect(test.sim.keystone.find(made.id)).toEqual(made);
  expect((await login(made)).status).toBe(201);
});

it("lets a token end with its credential's time", async () => {
  const until = test.clock.now() + minutes(10);
  const made = keystone.make({ until });
  const response = await login(made);
  const { expires_at } = bodySchema.parse(await response.json()).token;
  expect(Date.parse(expires_at)).toBe(until);
  const token = response.headers.get("x-subject-token") ?? "";
  expect(await atNeutron(token)).toBe(200);
  await test.clock.advance(minutes(11));
  expect(await atNeutron(token)).toBe(401);
  expect((await login(made)).status).toBe(401);
});

describe("what ends a token", () => {
  const cases: [string, (token: string, of: ApplicationCredential) => unknown][] = [
    ["its time", () => test.clock.advance(hours(2))],
    ["its credential is deleted", (_, { id }) => keystone.remove(id)],
    [
      "somebody revokes it",
      (token) =>
        ask("DELETE", "/v3/auth/tokens", { "x-auth-token": token, "x-subject-token": token }),
    ],
  ];
  it.each(cases)("%s", async (_, end) => {
    const made = keystone.make();
    const { token } = keystone.issue(made);
    expect(await atNeutron(token)).toBe(200);
    await end(token, made);
    expect(await atNeutron(token)).toBe(401);
  });
});

it("lets nobody in whose user is disabled", async () => {
  expect((await login(keystone.make({ isEnabled: false }))).status).toBe(401);
});
