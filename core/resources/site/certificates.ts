import type { SiteSpec } from "../../at-site/site.ts";
import { certificatesEnd, endingSoon } from "../../ending.ts";
import type { Condition } from "../../kernel/object/condition.ts";
import type { SiteStatus } from "./model.ts";

/** The name of the expiring thing, in conditions and in the attention list. */
export const ofAuthority = "its authority of certificates";

/**
 * The end of the authority that signs at a site: the earliest end in its chain, from its own
 * certificate to the root. Pure.
 */
export function authorityEnds({
  certificates,
}: Pick<SiteSpec, "certificates">): Pick<SiteStatus, "authority_ends"> {
  const ends = certificates && certificatesEnd(certificates.authority);
  return ends === undefined ? {} : { authority_ends: ends };
}

/** The condition that `what` of an object is valid for less than 30 days more; nothing while it is valid longer. */
export function ofEnding<Type extends string>(
  type: Type,
  ends: string | undefined,
  now: number,
  what: string,
): { conditions?: Condition<Type>[] } {
  const ending = ends === undefined ? undefined : endingSoon(ends, now);
  if (!ending) return {};
  const { hasEnded, since, words } = ending;
  return {
    conditions: [
      {
        ...{ type, status: "CONDITION_STATUS_FALSE", reason: hasEnded ? "Ended" : "EndsSoon" },
        ...{ message: `${what} ${words}`, last_transition_time: since },
      },
    ],
  };
}
