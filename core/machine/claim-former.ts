import { atOnce } from "../at-once.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { identitiesClaimedKey, kindPartition } from "../kernel/object/keys.ts";
import { objectsIn, type Records } from "../kernel/object/records.ts";
import {
  claimServer,
  type IdentityClaimant,
  type IdentityClaims,
  ServerTaken,
} from "./identity-claim.ts";
import { once } from "./once.ts";

/**
 * Claims the servers of hosts and DPUs that were registered before such claims existed, once in each
 * deployment, because a new host could be the same server. Hosts in use come first: if two objects claim one
 * server, the tenant's host keeps it.
 */

type ClaimDeps = Pick<Deps, "store" | "kinds" | "clock">;

/** How many objects claim concurrently. Requests wait for this, so thousands must take only seconds. */
export const claimedAtOnce = 20;

/** Makes every object claim its known server, unless that was done before. Has to run before the next claim. */
export const claimFormer = (deps: ClaimDeps): Promise<unknown> =>
  once(deps.store, identitiesClaimedKey, async () => {
    const former: IdentityClaimant[] = [];
    for await (const objects of everyMachine(deps)) former.push(...objects.filter(isUnclaimed));
    const isHeld = (one: IdentityClaimant) =>
      "owner" in one.status && one.status.owner !== undefined;
    for (const these of [former.filter(isHeld), former.filter((each) => !isHeld(each))])
      await atOnce(claimedAtOnce, these, (one) => claimKnown(deps, one));
  });

/** All hosts and DPUs, page by page. */
export async function* everyMachine(records: Records): AsyncGenerator<IdentityClaimant[]> {
  for (const kind of ["host", "dpu"] as const)
    yield* objectsIn<typeof kind>(records, { pk: kindPartition(kind), index: "g4" });
}

const isUnclaimed = ({ identity }: IdentityClaimant): boolean =>
  identity?.known !== undefined && identity.claims === undefined;

/**
 * An object whose server another object has claimed gets no claim, and is quarantined at its next contact.
 */
async function claimKnown(deps: ClaimDeps, { kind, id }: IdentityClaimant): Promise<void> {
  let claimed: IdentityClaims | undefined;
  const claim = async <C extends IdentityClaimant>(now: C): Promise<C | undefined> => {
    claimed = undefined;
    const { known } = now.identity ?? {};
    if (!known || !isUnclaimed(now)) return undefined;
    claimed = await claimServer(deps, now, known);
    return { ...now, identity: { ...now.identity, claims: claimed.claims } };
  };
  const beside = () => claimed?.writes ?? [];
  try {
    await changeObject(deps, kind, id, claim, undefined, beside);
  } catch (error) {
    if (!(error instanceof ServerTaken)) throw error;
  }
}
