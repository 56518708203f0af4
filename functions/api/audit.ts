import type { Deps } from "../../core/deps.ts";
import { toAppError } from "../../core/error.ts";
import {
  type AuditedRequest,
  audienceOf,
  auditedStore,
} from "../../core/kernel/audit/audited-store.ts";
import { anyChain, appendAudit } from "../../core/kernel/audit/chain.ts";
import { auditHeadKey } from "../../core/kernel/object/keys.ts";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import type { Behalf } from "../../core/kernel/object/object.ts";
import type { Key } from "../../core/kernel/store/store.ts";
import type { Admitted } from "./authorize.ts";
import { isStaff, type Principal } from "./principal.ts";
import { statusOf } from "./problem.ts";
import type { Route } from "./route.ts";

/** Who asks for what and from where, as the audit has it. */
interface Witness {
  principal: Principal;
  behalf: Behalf | undefined;
  source: string;
  request_id: string;
  /** In the path; empty when there is none. */
  object_id: string;
}

interface Request {
  /** Changes nothing, whatever it answers. */
  isTrial: boolean;
  /**
   * Throws what refuses the caller. `headOf`: where an entry of a tenant's audit will go on from, to be
   * read meanwhile; absent where it is read later, or not at all.
   */
  authorize(headOf?: (tenant: string) => Key): Promise<Admitted>;
  handle(deps: Deps, admitted: Admitted): Promise<Response>;
}

/**
 * Answers a request under the audit: what changes something with a store that keeps the audit in
 * the same transaction; what is about a credential with an entry before the answer, so that nobody has
 * one without it; and what of both is refused, to whomever, with an entry that says how.
 */
export async function audited(
  deps: Deps,
  route: Route,
  witness: Witness,
  { isTrial, authorize, handle }: Request,
): Promise<Response> {
  const isCredential = ["credentials", "issue", "revoke"].includes(route.verb);
  // What hubs report is news, not anybody's wish.
  const isWish = isCredential || (route.method !== "GET" && route.verb !== "report" && !isTrial);
  if (!isWish) return handle(deps, await authorize());
  let request = requestOf(route, witness);
  const chain = anyChain(deps.random);
  // Accepted or refused, the entry comes after it; a credential is waited for in between.
  const headOf = isCredential ? undefined : (tenant: string) => auditHeadKey(tenant, chain);
  try {
    const admitted = await authorize(headOf);
    request = { ...request, tenant: admitted.caller.tenant };
    if (!isCredential)
      return await handle({ ...deps, store: auditedStore(deps, request, chain) }, admitted);
    const answer = await handle(deps, admitted);
    const tenant = await audienceOf(deps.store, request);
    await appendAudit(deps, { ...request, tenant, result: "AUDIT_RESULT_GRANTED" });
    return answer;
  } catch (error) {
    const isOfStaff = witness.principal.roles.some(isStaff);
    await tellRefusal(deps, request, { thrown: error, isOfStaff, chain });
    throw error;
  }
}

/** Until it is known for whom the caller may act, it is about the caller's own tenant. */
function requestOf(
  { subject, verb }: Route,
  { principal, behalf, source, request_id, object_id }: Witness,
): AuditedRequest {
  const { user, tenant, roles } = principal;
  return {
    actor: { user, tenant, roles },
    ...(behalf && { on_behalf_of: behalf }),
    source,
    request_id,
    kind: subject,
    verb,
    object_id,
    tenant: tenant || sharedTenant,
  };
}

/**
 * A refusal is told in the audit of the caller's tenant: that of an object's owner is not for
 * others to fill. Only of the provider's own people are owners told. That we failed, or another
 * system does not answer, is nobody's refusal.
 */
async function tellRefusal(
  deps: Deps,
  request: AuditedRequest,
  { thrown, isOfStaff, chain }: { thrown: unknown; isOfStaff: boolean; chain: number },
): Promise<void> {
  const { kind: reason } = toAppError(thrown);
  const status = statusOf(reason);
  if (status >= 500) return;
  const tenant = isOfStaff ? await audienceOf(deps.store, request) : request.tenant;
  const act = { ...request, tenant, result: "AUDIT_RESULT_REFUSED", reason, status } as const;
  await appendAudit(deps, act, [], { first: chain });
}
