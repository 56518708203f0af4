import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { absent, any, eq, type Key, type Store } from "../../../core/kernel/store/store.ts";
import type { Check } from "../books/check.ts";
import { wrongInClaims } from "../books/claims.ts";
import type { Toy } from "./model.ts";

/** Places on the shelf: a claim in the store, one for each name of a toy. */

const shelfKey = (name: string): Key => ({ pk: `shelf#${name}`, sk: "-" });

/** Claims the place, under the fence of the operation. */
export const claimShelf = async (
  { id, metadata }: Toy,
  { deps, fence }: StepContext<Toy>,
): Promise<void> =>
  deps.store.transact([
    ...fence(),
    { put: { ...shelfKey(metadata.name), toy: id }, if: any(absent, eq("toy", id)) },
  ]);

/** Gives the place back, under the fence of the operation. */
export const releaseShelf = async (
  { id, metadata }: Toy,
  { deps, fence }: StepContext<Toy>,
): Promise<void> =>
  deps.store.transact([
    ...fence(),
    { delete: shelfKey(metadata.name), if: any(absent, eq("toy", id)) },
  ]);

/** The toy whose place it is. */
export const onShelf = async (store: Store, name: string): Promise<unknown> =>
  (await store.get(shelfKey(name)))?.toy;

/** The part of the books of the shelf: a toy that was made has its place, and nobody else has one. */
export const shelf: Check = {
  of: ["shelf"],
  wrong: ({ table }) =>
    wrongInClaims(
      table,
      ["shelf"],
      table
        .objects("toy")
        .filter(({ applied }) => applied !== undefined)
        .map(({ id, metadata }) => ({ holder: id, item: { ...shelfKey(metadata.name), toy: id } })),
    ),
};
