import type { Item } from "../../../kernel/store/store.ts";

/** Who has a number by Slipway's own store. */
export type NumberState =
  /** `foreign`: it is held for what is outside and has no owner, in the name that this carries. */
  | { use: "held" | "foreign"; holder: string }
  /** Nobody can claim it, because NetBox has it for something else. */
  | { use: "elsewhere" }
  /** Nobody has it: it rests, or is free. */
  | { use: "none" };

/** In whose name a number is held that somebody else has in NetBox. No object has this name. */
export const elsewhere = "netbox";

/** What the item of a number says. What holds one for something outside has no kind. */
export function stateIn(item: Item | undefined): NumberState {
  if (!item) return { use: "none" };
  const { owner, kind } = item;
  if (typeof kind === "string") return { use: "held", holder: `${kind}/${owner}` };
  return owner === elsewhere ? { use: "elsewhere" } : { use: "foreign", holder: String(owner) };
}
