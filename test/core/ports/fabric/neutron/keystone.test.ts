import { beforeEach, expect, it } from "vitest";
import { hours, minutes } from "../../../../../core/clock.ts";
import { AppError } from "../../../../../core/error.ts";
import { neutronFabric } from "../../../../../core/ports/fabric/neutron/neutron.ts";
import { cloud, order, TestFabric } from "../../../../support/fabric.ts";

let test: TestFabric;
beforeEach(() => {
  test = new TestFabric();
});

const logins = () => test.asked.filter(({ path }) => path === "/v3/auth/tokens").length;
const observe = () => test.run(test.fabric.observe(order));

const adapter = (secret: string, region?: string, id = test.sim.keystone.credential.id) =>
  neutronFabric({
    authUrl: `${cloud}/v3/`,
    credential: async () => ({ id, secret }),
    physicalNetwork: "physnet1",
    externalNetwork: test.sim.externalNetwork,
    wall: test.clock,
    fetch: test.fetch,
    ...(region !== undefined && { region }),
  });

const failureOf = async (call: Promise<unknown>): Promise<AppError> => {
  const error: unknown = await test.run(
    call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError: ${String(error)}`);
  return error;
};

it("asks for a token with an application credential and no scope", async () => {
  await observe();
  const { id, secret } = test.sim.keystone.credential;
  expect(test.asked[0]).toEqual({
    method: "POST",
    path: "/v3/auth/tokens",
    body: {
      auth: {
        identity: { methods: ["application_credential"], application_credential: { id, secret } },
      },
    },
  });
});

it("keeps the token until shortly before it expires", async () => {
  await Promise.all([observe(), observe()]);
  await test.clock.advance(minutes(54));
  await observe();
  expect(logins()).toBe(1);
  await test.clock.advance(minutes(2));
  await observe();
  expect(logins()).toBe(2);
});

it("asks for a new one when the fabric refuses it in between", async () => {
  await observe();
  test.sim.keystone.revokeTokens();
  await Promise.all([observe(), observe()]);
  expect(logins()).toBe(2);
});

it("gives up after one new token", async () => {
  test.faults.add({
    target: "fabric",
    operation: "GET /v2.0/",
    fault: "error",
    status: 401,
    count: 0,
  });
  const failure = await failureOf(test.fabric.observe(order));
  expect(failure).toMatchObject({
    kind: "Unavailable",
    message: "the fabric does not accept our credentials",
  });
  expect(logins()).toBe(2);
  test.faults.clear();
  await observe();
});

it("waits when its credential is refused, and never shows it", async () => {
  const failure = await failureOf(adapter("wrong-secret").observe(order));
  expect(failure).toMatchObject({
    kind: "Unavailable",
    message: "the fabric does not accept our credentials",
  });
  const shown = `${failure.stack} ${failure.detail} ${JSON.stringify(failure)}`;
  expect(shown).not.toContain("wrong-secret");
});

it("waits when its credential is unknown, which Keystone says otherwise", async () => {
  expect(await failureOf(adapter("secret", undefined, "no-such-id").observe(order))).toMatchObject({
    kind: "Unavailable",
    message: "the fabric does not accept our credentials",
  });
});

it("says that there is no Keystone where something else answers", async () => {
  test.intercept = async () => new Response("<h1>Not Found</h1>", { status: 404 });
  expect(await failureOf(adapter("secret").observe(order))).toMatchObject({
    kind: "Unavailable",
    message: "the fabric's auth_url leads to no Keystone (404)",
  });
});

it("never shows a credential or a token when the cloud does not answer", async () => {
  const { secret } = test.sim.keystone.credential;
  for (const operation of ["POST /v3/", "GET /v2.0/"]) {
    test.faults.add({ target: "fabric", operation, fault: "crash_before" });
    const failure = await failureOf(test.fabric.observe(order));
    expect(failure.kind).toBe("Unavailable");
    const shown = `${failure.stack} ${failure.detail} ${String(failure.cause)}`;
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain("gAAAAA");
  }
});

it("takes the network service of its region from the catalog", async () => {
  const { secret } = test.sim.keystone.credential;
  await test.run(adapter(secret, "RegionOne").observe(order));
  expect(await failureOf(adapter(secret, "Elsewhere").observe(order))).toMatchObject({
    kind: "Unavailable",
    message: "the fabric's catalog has no network service in region Elsewhere",
  });
});

it("works on with tokens that live shorter than it keeps them", async () => {
  test = new TestFabric({ tokenLife: minutes(1) });
  await observe();
  await test.clock.advance(hours(1));
  await observe();
});
