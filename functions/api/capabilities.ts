import * as z from "zod";
import { defaultQuotas } from "../../core/kernel/claim/quota.ts";
import { pluralOf } from "../../core/kernel/object/object.ts";
import { type Profile, profiles } from "../../core/kernel/object/view.ts";
import { isStaff, type Role } from "../../core/kernel/request/roles.ts";
import manifest from "../../package.json" with { type: "json" };
import { bodyLimit } from "./body.ts";
import { permissions } from "./permissions.ts";
import { isRegisteredKind } from "./registry.ts";

/** The capabilities of this deployment: the only operation that needs no token. */
export const capabilitiesSchema = z.object({
  version: z.string().optional().describe("Which Slipway this is."),
  authn: z
    .object({
      trusted_token_issuers: z
        .array(z.string())
        .describe("URLs of the issuers whose tokens are accepted."),
    })
    .describe("How clients authenticate."),
  kinds: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe("Verbs of each kind that tenants have."),
  profiles: z
    .array(z.enum(profiles))
    .optional()
    .describe("Forms of answers that can be asked for by `Accept`."),
  default_quota: z
    .enum(defaultQuotas)
    .optional()
    .describe("What tenants may have where no quota sets a limit."),
  limits: z
    .object({ body_bytes: z.int().describe("The largest body, in bytes.") })
    .optional()
    .describe("Limits of requests."),
});
type Capabilities = z.output<typeof capabilitiesSchema>;

/** The capabilities. Their kinds and verbs are those of tenants in the table of permissions. */
export function capabilitiesOf(
  trusted_token_issuers: readonly string[] = [],
  profile: Profile,
  default_quota: Capabilities["default_quota"] = "unlimited",
): Capabilities {
  const authn = { trusted_token_issuers: [...trusted_token_issuers] };
  if (profile === "osac") return { authn };
  const kinds = Object.entries(permissions.public).map(([subject, verbs]) => [
    nameOf(subject),
    Object.entries<readonly Role[]>(verbs).flatMap(([verb, roles]) =>
      roles.every(isStaff) ? [] : [verb],
    ),
  ]);
  return {
    version: manifest.version,
    authn,
    kinds: Object.fromEntries(kinds),
    profiles: [...profiles],
    default_quota,
    limits: { body_bytes: bodyLimit },
  };
}

/** The public name of a subject. Of the tenants' subjects only events are not a kind. */
const nameOf = (subject: string): string =>
  isRegisteredKind(subject) ? pluralOf(subject) : "events";
