import type { Item } from "../../../kernel/store/store.ts";

/** The holder of a number by Slipway's own store. */
export type NumberState =
  /** `foreign`: blocked for an object outside without an owner, under that object's name. */
  | { use: "held" | "foreign"; holder: string }
  /** Nobody can claim it, because NetBox has it for somebody else. */
  | { use: "elsewhere" }
  /** Without a holder: resting or free. */
  | { use: "none" };

/** The holder's name for a number that somebody else has in NetBox. No object has this name. */
export const elsewhere = "netbox";

/** The state in a number's item. The item of a foreign number has no kind. */
export function stateIn(item: Item | undefined): NumberState {
  if (!item) return { use: "none" };
  const { owner, kind } = item;
  if (typeof kind === "string") return { use: "held", holder: `${kind}/${owner}` };
  return owner === elsewhere ? { use: "elsewhere" } : { use: "foreign", holder: String(owner) };
}
