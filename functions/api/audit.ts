import { toAppError } from "../../core/error.ts";
import {
  type AuditedRequest,
  audienceOf,
  auditedStore,
} from "../../core/kernel/audit/audited-store.ts";
import { anyChain, appendAudit } from "../../core/kernel/audit/chain.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import { auditHeadKey } from "../../core/kernel/object/log-keys.ts";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import type { Behalf } from "../../core/kernel/object/object.ts";
import { isStaff } from "../../core/kernel/request/roles.ts";
import type { Key } from "../../core/kernel/store/store.ts";
import { wireForms } from "../../core/resources/generated/wire-forms.ts";
import type { Principal } from "../identity/principal.ts";
import type { Admitted } from "./authorize.ts";
import { statusOf } from "./problem.ts";
import type { Route } from "./route.ts";

/** The parts of an audit entry that the request gives: who asks for what, and from where. */
interface Witness {
  principal: Principal;
  behalf: Behalf | undefined;
  source: string;
  request_id: string;
  /** The object's id in the path; empty without one. */
  object_id: string;
}

interface AuditedCall {
  /** A dry run: it changes nothing, whatever it answers. */
  isTrial: boolean;
  /**
   * Admits the caller, or throws. `headOf` gives the key after which an entry of a tenant's audit
   * will be appended, to be read at the same time; absent where the head is read later, or not at
   * all.
   */
  authorize(headOf?: (tenant: string) => Key): Promise<Admitted>;
  handle(deps: Deps, admitted: Admitted): Promise<Response>;
}

/**
 * Answers a request under the audit. A change gets a store that writes the entry in the same
 * transaction. A credential gets its entry before the answer, so that nobody has one without it. A
 * refusal of either gets an entry that says why.
 */
export async function audited(
  deps: Deps,
  route: Route,
  witness: Witness,
  { isTrial, authorize, handle }: AuditedCall,
): Promise<Response> {
  const { isCredential = false } = route;
  // A hub's report is not a change that somebody asked for.
  const isAudited = isCredential || (route.method !== "GET" && route.verb !== "report" && !isTrial);
  if (!isAudited) return handle(deps, await authorize());
  let request = requestOf(route, witness);
  const chain = anyChain(deps.random);
  // The head is read ahead for changes only: a credential waits for its hub before its entry is
  // written.
  const headOf = isCredential ? undefined : (tenant: string) => auditHeadKey(tenant, chain);
  try {
    const admitted = await authorize(headOf);
    request = { ...request, tenant: admitted.caller.tenant };
    if (!isCredential)
      return await handle(
        { ...deps, store: auditedStore({ ...deps, wireForms }, request, chain) },
        admitted,
      );
    const answer = await handle(deps, admitted);
    const tenant = await audienceOf(deps, request);
    await appendAudit(deps, { ...request, tenant, result: "AUDIT_RESULT_GRANTED" });
    return answer;
  } catch (error) {
    const isOfStaff = witness.principal.roles.some(isStaff);
    await tellRefusal(deps, request, { thrown: error, isOfStaff, chain });
    throw error;
  }
}

/**
 * The entry's request. Until it is known for whom the caller acts, the entry is about the caller's own
 * tenant.
 */
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
 * Records a refusal in the audit of the caller's tenant: others must not fill the audit of an
 * object's owner. Refusals of the provider's own people are recorded for the owner as well. A
 * failure of ours, or of a system that does not answer, is not a refusal.
 */
async function tellRefusal(
  deps: Deps,
  request: AuditedRequest,
  { thrown, isOfStaff, chain }: { thrown: unknown; isOfStaff: boolean; chain: number },
): Promise<void> {
  const { kind: reason } = toAppError(thrown);
  const status = statusOf(reason);
  if (status >= 500) return;
  const tenant = isOfStaff ? await audienceOf(deps, request) : request.tenant;
  const act = { ...request, tenant, result: "AUDIT_RESULT_REFUSED", reason, status } as const;
  await appendAudit(deps, act, [], { first: chain });
}
