import * as z from "zod";
import { poolSeenKey, poolUseKey } from "../../../kernel/object/number-keys.ts";
import { absent, all, eq, type Item, type Store, type Write } from "../../../kernel/store/store.ts";
import type { NumberPool, PoolDefinition, Survey } from "../ipam.ts";

/** What Slipway notes of a pool whose numbers NetBox allocates; for processes that have no way to NetBox too. */

/** Whether numbers were ever allocated. */
export const netboxDefinition = ({ store }: { store: Store }): PoolDefinition => ({
  wasUsed: async ({ name }) => isUsed(await store.get(poolUseKey(name))),
  async redefine({ name }) {
    const key = poolUseKey(name);
    return (await store.get(key))
      ? [{ update: key, add: { redefined: 1 }, if: eq("used", 0) }]
      : [{ put: { ...key, used: 0, redefined: 1 }, if: absent }];
  },
});

export const isUsed = (use: Item | undefined): boolean => use?.used === 1;

/** Notes that the pool is used from now on; refused when its definition has changed since `use` was read. */
export function firstUse({ name }: NumberPool, use: Item | undefined): Write[] {
  const key = poolUseKey(name);
  if (isUsed(use)) return [];
  const asRead = all(eq("used", 0), eq("redefined", Number(use?.redefined)));
  return use
    ? [{ update: key, add: { used: 1 }, if: asRead }]
    : [{ put: { ...key, used: 1, redefined: 0 }, if: absent }];
}

const seenSchema = z.object({
  used: z.int(),
  resting: z.int(),
  size: z.int(),
  foreign: z.int().default(0),
});

/** Notes how full NetBox says that a pool is. The last one who asks is right. */
export const noteUsage = (
  { store }: { store: Store },
  { name }: NumberPool,
  { used, resting, size, ...rest }: Omit<Survey, "foreign"> & Partial<Survey>,
): Promise<void> =>
  store.transact([{ update: poolSeenKey(name), set: { used, resting, size, ...rest } }]);

/** What NetBox said last; undefined before it was asked. */
export async function lastUsage(
  { store }: { store: Store },
  { name }: NumberPool,
): Promise<Survey | undefined> {
  const seen = await store.get(poolSeenKey(name));
  return seen && seenSchema.parse(seen);
}
