import { expect, it } from "vitest";
import { machineTokenKey, machineTokenOfKey } from "../../../core/kernel/object/keys.ts";
import type { Item } from "../../../core/kernel/store/store.ts";
import type { TokenUse } from "../../../core/machine/machine.ts";
import {
  mintToken,
  revokeToken,
  tokenFor,
  tokenHash,
  useOf,
} from "../../../core/machine/tokens.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const machine = { kind: "host", id: "h1" } as const;
const serves = { kind: "cluster", id: "c1" } as const;
const use: TokenUse = { machine, serves, operation: "o1", site: "site-1" };
const free = { guard: async () => {}, fence: () => [] };

const itemsOf = ({ store }: TestDeps): Item[] =>
  [...store.items()].filter(({ pk }) => pk.startsWith("machine-token"));

it("a token is found by its value, and stored by its hash alone", async () => {
  const deps = testDeps();
  const token = await mintToken(deps, use, free);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await useOf(deps, token)).toEqual(use);
  expect(await useOf(deps, `${token}x`)).toBeUndefined();
  expect(JSON.stringify(itemsOf(deps))).not.toContain(token);
  expect([...deps.secretValues.values()]).toEqual([token]);
});

it("minting again for the same use answers the same token", async () => {
  const deps = testDeps();
  const token = await mintToken(deps, use, free);
  expect(await mintToken(deps, use, free)).toBe(token);
  expect(await tokenFor(deps, machine, serves)).toBe(token);
});

it.each([
  ["operation", { operation: "o2" }],
  ["object", { serves: { kind: "host", id: "h1" } as const }],
])("another %s gets another token, and the former one ends", async (_, other) => {
  const deps = testDeps();
  const former = await mintToken(deps, use, free);
  const token = await mintToken(deps, { ...use, ...other }, free);
  expect(token).not.toBe(former);
  expect(await useOf(deps, former)).toBeUndefined();
  expect(await useOf(deps, token)).toMatchObject(other);
  expect(itemsOf(deps)).toHaveLength(2);
  expect([...deps.secretValues.values()]).toEqual([token]);
});

it("a revoked token leaves nothing, and only its own object revokes it", async () => {
  const deps = testDeps();
  const token = await mintToken(deps, use, free);
  await revokeToken(deps, machine, { kind: "cluster", id: "c2" });
  expect(await useOf(deps, token)).toEqual(use);
  await revokeToken(deps, machine, serves);
  await revokeToken(deps, machine, serves);
  expect(await useOf(deps, token)).toBeUndefined();
  expect(await tokenFor(deps, machine, serves)).toBeUndefined();
  expect(itemsOf(deps)).toEqual([]);
  expect(deps.secretValues.size).toBe(0);
});

/** Cut off after so many calls of the store and the secret store. */
function cutOff(deps: TestDeps, after: number): TestDeps {
  let left = after;
  const counted =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (left-- <= 0) throw new Error("cut off");
      return call(...args);
    };
  const { store, secrets } = deps;
  return {
    ...deps,
    store: Object.assign(Object.create(store), {
      get: counted(store.get.bind(store)),
      transact: counted(store.transact.bind(store)),
    }),
    secrets: {
      get: counted(secrets.get),
      put: counted(secrets.put),
      remove: counted(secrets.remove),
    },
  };
}

it.each([0, 1, 2, 3, 4, 5, 6])(
  "cut off after %i calls, minting leaves no secret that no item names",
  async (calls) => {
    const deps = testDeps();
    await mintToken(deps, { ...use, operation: "o0" }, free);
    await mintToken(cutOff(deps, calls), use, free).catch(() => undefined);
    const item = await deps.store.get(machineTokenOfKey("host", "h1"));
    for (const reference of deps.secretValues.keys()) expect(reference).toBe(item?.secret);
    const token = await mintToken(deps, use, free);
    expect(await useOf(deps, token)).toEqual(use);
    expect([...deps.secretValues.values()]).toEqual([token]);
    expect(itemsOf(deps)).toHaveLength(2);
  },
);

it.each([0, 1, 2, 3])("cut off after %i calls, revoking goes on when repeated", async (calls) => {
  const deps = testDeps();
  await mintToken(deps, use, free);
  await revokeToken(cutOff(deps, calls), machine, serves).catch(() => undefined);
  await revokeToken(deps, machine, serves);
  expect(itemsOf(deps)).toEqual([]);
  expect(deps.secretValues.size).toBe(0);
});

it("of two attempts that mint at once, one token counts", async () => {
  const deps = testDeps();
  const minted = await Promise.allSettled([mintToken(deps, use, free), mintToken(deps, use, free)]);
  const token = await mintToken(deps, use, free);
  for (const each of minted)
    if (each.status === "fulfilled") expect(each.value).toBe(token);
    else expect(each.reason).toMatchObject({ kind: "Unavailable" });
  expect(await deps.store.get(machineTokenKey(tokenHash(token)))).toBeDefined();
  expect([...deps.secretValues.values()]).toEqual([token]);
});

it("an attempt whose saga has turned back mints nothing", async () => {
  const deps = testDeps();
  const fence = () => [{ check: { pk: "operation#o1", sk: "-" }, if: { test: "exists" } as const }];
  await expect(mintToken(deps, use, { ...free, fence })).rejects.toMatchObject({
    kind: "Unavailable",
  });
  expect(itemsOf(deps)).toEqual([]);
  expect(deps.secretValues.size).toBe(0);
});
