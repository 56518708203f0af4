import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { defaultClassKey } from "../../kernel/object/keys.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { absent, any, eq, type Write } from "../../kernel/store/store.ts";
import type { NetworkClass } from "./model.ts";

/** The class for orders without one. */

export async function defaultClass(records: Records): Promise<NetworkClass | undefined> {
  const claim = await records.store.get(defaultClassKey);
  return typeof claim?.id === "string" ? load(records, "network_class", claim.id) : undefined;
}

/**
 * The writes that move the mark of the default, like OSAC: the previous default class loses it in the same
 * transaction.
 */
export async function defaultWrites(
  deps: Deps,
  { id, isDefault, was }: { id: string; isDefault: boolean; was: boolean },
): Promise<Write[]> {
  const isMine = eq("id", id);
  if (!isDefault) return was ? [{ delete: defaultClassKey, if: isMine }] : [];
  const claim: Write = { put: { ...defaultClassKey, id }, if: any(absent, isMine) };
  const previous = await defaultClass(deps);
  if (!previous || previous.id === id) return [claim];
  const changed = { ...previous, generation: previous.generation + 1 };
  const spec = { ...previous.spec, is_default: false };
  return [
    { put: { ...defaultClassKey, id }, if: eq("id", previous.id) },
    ...written(deps, previous, { ...changed, spec }).writes,
  ];
}

/** The write that removes the mark of the default with a class, if the class has it. */
export const forgetDefault = ({ id, spec }: NetworkClass): Write[] =>
  spec.is_default ? [{ delete: defaultClassKey, if: eq("id", id) }] : [];
