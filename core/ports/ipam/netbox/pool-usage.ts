import * as z from "zod";
import { poolSeenKey, poolUseKey } from "../../../kernel/object/number-keys.ts";
import { absent, all, eq, type Item, type Store, type Write } from "../../../kernel/store/store.ts";
import type { NumberPool, PoolDefinition, Survey } from "../ipam.ts";

/** Slipway's notes about a pool whose numbers NetBox allocates, for processes that cannot reach NetBox. */

/** Whether numbers of the pool were ever allocated. */
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

/** Notes the first use of the pool; fails if its definition has changed since `use` was read. */
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

/** Stores the usage of a pool as NetBox reports it; the last write counts. */
export const noteUsage = (
  { store }: { store: Store },
  { name }: NumberPool,
  { used, resting, size, ...rest }: Omit<Survey, "foreign"> & Partial<Survey>,
): Promise<void> =>
  store.transact([{ update: poolSeenKey(name), set: { used, resting, size, ...rest } }]);

/** NetBox's last reported usage; undefined if there is none yet. */
export async function lastUsage(
  { store }: { store: Store },
  { name }: NumberPool,
): Promise<Survey | undefined> {
  const seen = await store.get(poolSeenKey(name));
  return seen && seenSchema.parse(seen);
}
