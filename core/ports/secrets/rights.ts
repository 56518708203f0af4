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
export function withinRights<S extends Partial<Secrets>>(
  secrets: S,
  rights: (use: SecretUse, family: SecretFamily | undefined) => boolean,
): S {
  const held =
    <Rest extends unknown[], Answer>(
      use: SecretUse,
      call: (reference: string, ...rest: Rest) => Promise<Answer>,
    ) =>
    async (reference: string, ...rest: Rest): Promise<Answer> => {
      const family = familyOf(reference);
      refuseUnless(rights(use, family), use, family);
      return call.call(secrets, reference, ...rest);
    };
  const { get, put, remove }: Partial<Secrets> = secrets;
  return {
    ...secrets,
    ...(get && { get: held("read", get) }),
    ...(put && { put: held("write", put) }),
    ...(remove && { remove: held("remove", remove) }),
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
