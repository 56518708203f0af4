import { expect, it } from "vitest";
import { claimQuota, releaseQuota, usedIn } from "../../../../core/kernel/claim/quota.ts";
import { accountKey } from "../../../../core/kernel/object/keys.ts";
import type { Charged } from "../../../../core/kernel/object/traits.ts";
import { TransactionRefused, type Write } from "../../../../core/kernel/store/store.ts";
import { testDeps } from "../../../support/deps.ts";

/** What counts in quotas is of no matter to the accounts: these things count for gpus. */

const thing = (gpus: number, project?: string): Charged => ({
  metadata: { tenant: "tenant-a", ...(project && { project }) },
  charge: { gpus },
});
const field = (dimension: string) => `spec.${dimension}`;

async function accounts(limits: Record<string, number> = {}) {
  const deps = testDeps();
  const write = (writes: Write[]) => deps.store.transact(writes);
  for (const [project, gpus] of Object.entries(limits)) {
    const key = accountKey("tenant-a", project === "" ? undefined : project);
    await write([{ put: { ...key, limits: { gpus }, version: 1 } }]);
  }
  return {
    deps,
    write,
    used: async (project?: string) =>
      usedIn(await deps.store.get(accountKey("tenant-a", project))).gpus ?? 0,
  };
}

it("an object counts in its tenant, its project and those above, and is given back there", async () => {
  const { deps, write, used } = await accounts();
  await write(await claimQuota(deps, undefined, thing(3, "a.b"), field));
  await write(await claimQuota(deps, undefined, thing(2, "a"), field));
  expect([await used(), await used("a"), await used("a.b")]).toEqual([5, 5, 3]);
  await write(releaseQuota(thing(3, "a.b"), thing(1, "a.b")));
  expect([await used(), await used("a"), await used("a.b")]).toEqual([3, 3, 1]);
  await write(releaseQuota(thing(2, "a"), undefined));
  expect([await used(), await used("a"), await used("a.b")]).toEqual([1, 1, 1]);
});

it("what counts for no more than before asks no account", async () => {
  const { deps } = await accounts();
  expect(await claimQuota(deps, thing(2), thing(2), field)).toEqual([]);
  expect(releaseQuota(thing(2), thing(2))).toEqual([]);
});

it("every limit that is exceeded is told, with the member that asks for it", async () => {
  const { deps } = await accounts({ "": 3, a: 1, "a.b": 9 });
  await expect(claimQuota(deps, undefined, thing(4, "a.b"), field)).rejects.toMatchObject({
    kind: "QuotaExceeded",
    violations: [
      {
        field: "spec.gpus",
        message: "tenant 'tenant-a' has 0 of at most 3 gpus, and this asks for 4 more",
      },
      {
        field: "spec.gpus",
        message: "project 'a' has 0 of at most 1 gpus, and this asks for 4 more",
      },
    ],
  });
});

it("of two that are accepted at once by what is left, one is refused by the transaction", async () => {
  const { deps, write, used } = await accounts({ "": 3 });
  const [one, two] = [
    await claimQuota(deps, undefined, thing(2), field),
    await claimQuota(deps, undefined, thing(2), field),
  ];
  await write(one);
  await expect(write(two)).rejects.toBeInstanceOf(TransactionRefused);
  expect(await used()).toBe(2);
});
