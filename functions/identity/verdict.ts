import * as z from "zod";
import { AppError, toAppError } from "../../core/error.ts";
import { tokenRoles } from "../../core/kernel/request/roles.ts";
import type { Principal } from "./principal.ts";

/**
 * The authorizer's verdict on a token, passed to the API as text: the principal, or the reason of a refusal. The
 * API writes the answer, so it is the same wherever tokens are verified.
 */

/** Must have every member of a principal: any other member would be lost. */
const principalSchema = z.object({
  user: z.string(),
  tenant: z.string(),
  roles: z.array(z.enum(tokenRoles)),
  groups: z.array(z.string()).exactOptional(),
  hub: z.string().exactOptional(),
  isRestricted: z.literal(true).exactOptional(),
} satisfies Record<keyof Principal, z.ZodType>);

const verdictSchema = z.union([
  z.object({ principal: principalSchema }),
  z.object({ kind: z.enum(["Unauthenticated", "Unavailable"]), message: z.string() }),
]);

export const verdictOf = async (verified: Promise<Principal>): Promise<string> =>
  verified.then(
    (principal) => JSON.stringify({ principal }),
    (thrown: unknown) => {
      const { kind, message } = toAppError(thrown);
      if (kind !== "Unauthenticated" && kind !== "Unavailable") throw thrown;
      return JSON.stringify({ kind, message });
    },
  );

/** The principal of a verdict. Throws Unauthenticated or Unavailable. */
export function principalBy(verdict: string): Principal {
  const said = verdictSchema.parse(JSON.parse(verdict));
  if ("kind" in said) throw new AppError(said.kind, said.message);
  return said.principal;
}
