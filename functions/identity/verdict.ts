import * as z from "zod";
import { AppError, toAppError } from "../../core/error.ts";
import { type Principal, tokenRoles } from "../api/principal.ts";

/**
 * What the authorizer says of a token to the API, as text: who it is of, or why it is not good. The API
 * answers in its own words, so that clients see the same wherever tokens are checked.
 */

/** A member that is not here would be lost on the way. */
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

/** Throws Unauthenticated, Unavailable. */
export function principalBy(verdict: string): Principal {
  const said = verdictSchema.parse(JSON.parse(verdict));
  if ("kind" in said) throw new AppError(said.kind, said.message);
  return said.principal;
}
