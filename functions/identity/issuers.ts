import * as z from "zod/mini";
import { namePattern, nameRule } from "../../core/model/metadata.ts";
import { tokenRoles } from "../api/principal.ts";

/**
 * Whose tokens are accepted, and what their claims mean: a stage's parameter, and a laptop's file. In
 * zod's small form, since every start of the API reads it: the other takes as long as all else.
 */

/** Fetched in the clear, keys are anybody's; but for what is on this machine. */
export const isSafeUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && hostname === "127.0.0.1");
};

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max));
const filled = z.string().check(z.minLength(1));
const claim = z.optional(text(253));

export const issuerSchema = z.strictObject({
  /** Exactly as its tokens say it in `iss`. */
  issuer: z.string().check(
    z.refine((url) => isSafeUrl(url) && !/[?#]/.test(url), {
      error: "must be an https URL without a query",
    }),
  ),
  /** A token is for Slipway when its `aud` has one of them. */
  audiences: z.array(filled).check(z.minLength(1)),
  claims: z.optional(z.strictObject({ user: claim, tenant: claim, groups: claim, roles: claim })),
  userPrefix: z.optional(text(63)),
  rolePrefix: z.optional(text(63)),
  groups: z.optional(z.record(filled, z.array(z.enum(tokenRoles)).check(z.minLength(1)))),
  tenants: z.optional(
    z.array(z.string().check(z.regex(namePattern, nameRule))).check(z.minLength(1)),
  ),
});
export type IssuerOptions = z.output<typeof issuerSchema>;

export const issuersSchema = z.array(issuerSchema).check(z.minLength(1), ({ value, issues }) => {
  value.forEach(({ issuer }, n) => {
    if (value.findIndex((other) => other.issuer === issuer) < n)
      issues.push({
        code: "custom",
        path: [n, "issuer"],
        message: "is there twice",
        input: issuer,
      });
  });
});
