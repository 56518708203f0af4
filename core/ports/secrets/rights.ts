import { AppError } from "../../error.ts";
import { familyOf, type SecretFamily, type Secrets } from "./secrets.ts";

/** The uses of secrets. */
export const secretUses = ["read", "write", "remove"] as const;
export type SecretUse = (typeof secretUses)[number];

/** The permitted families, by use. */
export type SecretRights = Readonly<Record<SecretUse, readonly SecretFamily[]>>;

/**
 * Limits a secret store to these rights. Throws Internal for every other use, before the store is called; AWS
 * would refuse it too, since its policies are generated from the same rights. `rights` is called for each
 * use.
 */
export function withinRights(
  secrets: Secrets,
  rights: (use: SecretUse, family: SecretFamily | undefined) => boolean,
): Secrets {
  const allow = (use: SecretUse, reference: string) => {
    const family = familyOf(reference);
    refuseUnless(rights(use, family), use, family);
  };
  return {
    async get(reference) {
      allow("read", reference);
      return secrets.get(reference);
    },
    async put(reference, value) {
      allow("write", reference);
      await secrets.put(reference, value);
    },
    async remove(reference) {
      allow("remove", reference);
      await secrets.remove(reference);
    },
  };
}

/** Throws Internal for a use that the rights do not include. */
export function refuseUnless(
  isAllowed: boolean,
  use: SecretUse,
  family: SecretFamily | undefined,
): void {
  if (isAllowed) return;
  const detail = `no right to ${use} a secret of ${family ?? "no family"}`;
  throw new AppError("Internal", "internal error", { detail });
}

/** Whether these rights include the use of a family. */
export const includes = (
  rights: SecretRights,
  use: SecretUse,
  family: SecretFamily | undefined,
): boolean => family !== undefined && rights[use].includes(family);
