import * as z from "zod";
import { hostFault } from "../../core/kernel/input/address.ts";
import { nameSchema } from "../../core/kernel/object/metadata.ts";
import { tokenRoles } from "../../core/kernel/request/roles.ts";

/**
 * Issuers whose tokens are accepted, with the meaning of their claims. A stage has them as a parameter, a laptop as
 * a file.
 */

/**
 * Whether keys may be fetched from a URL. Only over TLS, since anybody could replace them in transit, except from
 * this computer.
 */
export const isSafeUrl = (text: string): boolean => {
  if (!URL.canParse(text) || hostFault(text) !== undefined) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && hostname === "127.0.0.1");
};

const claim = z.string().min(1).max(253);

export const issuerSchema = z.strictObject({
  /** The `iss` of its tokens. */
  issuer: z.string().refine((text) => isSafeUrl(text) && !/[?#]/.test(text), {
    error: "must be an https URL without a query",
  }),
  /** A token is for Slipway if its `aud` contains one of these. */
  audiences: z.array(z.string().min(1)).min(1),
  claims: z
    .strictObject({
      user: claim.optional(),
      tenant: claim.optional(),
      groups: claim.optional(),
      roles: claim.optional(),
    })
    .optional(),
  userPrefix: z.string().min(1).max(63).optional(),
  rolePrefix: z.string().min(1).max(63).optional(),
  groups: z.record(z.string().min(1), z.array(z.enum(tokenRoles)).min(1)).optional(),
  tenants: z.array(nameSchema).min(1).optional(),
});
export type IssuerOptions = z.output<typeof issuerSchema>;

export const issuersSchema = z
  .array(issuerSchema)
  .min(1)
  .check(({ value, issues }) => {
    value.forEach(({ issuer }, n) => {
      if (value.findIndex((other) => other.issuer === issuer) < n)
        issues.push({
          code: "custom",
          path: [n, "issuer"],
          message: "appears more than once",
          input: issuer,
        });
    });
  });
