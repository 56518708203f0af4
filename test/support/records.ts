import type { Records } from "../../core/kernel/object/records.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import { kinds } from "../../core/resources/generated/kinds.ts";

/** The objects in a store, for a test that has no more of the world. */
export const recordsIn = (store: Store): Records => ({ store, kinds });
