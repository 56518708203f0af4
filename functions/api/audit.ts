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
import type { Caller } from "../../core/kernel/request/caller.ts";
import { isStaff } from "../../core/kernel/request/roles.ts";
import { wireForms } from "../../core/resources/generated/wire-forms.ts";
import type { Audited, AuditOfRequest, Authenticated, ChainLink } from "./chain.ts";
import { isDryRun } from "./preconditions.ts";
import { httpStatusOf } from "./problem.ts";

/**
 * Audits a request. The entry of a change is written in the same transaction. The entry of a credential is written
 * before the answer, so that nobody gets one without an entry. A refusal of either gets an entry with the reason.
 */
export const audit: ChainLink<Authenticated, Audited> = (next) => async (request) => {
  const { c, route, deps, principal } = request;
  const { isCredential = false } = route;
  // A hub's report is not a change by a user. A dry run changes nothing, even if its answer looks
  // like a change.
  const isChange = route.method !== "GET" && route.verb !== "report" && !isDryRun(c.req);
  if (!isCredential && !isChange) return next({ ...request, audit: undefined });
  let entry = entryOf(request);
  const chain = anyChain(deps.random);
  const ofCaller = (caller: Caller) => {
    entry = { ...entry, tenant: caller.tenant };
  };
  // Only changes prefetch the head: a credential waits for its hub before its entry is written, and the head may
  // have changed by then.
  const ofChange: AuditOfRequest = {
    headOf: (tenant) => auditHeadKey(tenant, chain),
    depsFor(caller) {
      ofCaller(caller);
      return { ...deps, store: auditedStore({ ...deps, wireForms }, entry, chain) };
    },
  };
  const ofCredential: AuditOfRequest = {
    depsFor(caller) {
      ofCaller(caller);
      return deps;
    },
  };
  try {
    if (!isCredential) return await next({ ...request, audit: ofChange });
    const answer = await next({ ...request, audit: ofCredential });
    const tenant = await audienceOf(deps, entry);
    await appendAudit(deps, { ...entry, tenant, result: "AUDIT_RESULT_GRANTED" });
    return answer;
  } catch (error) {
    const isOfStaff = principal.roles.some(isStaff);
    await tellRefusal(deps, entry, { thrown: error, isOfStaff, chain });
    throw error;
  }
};

/**
 * The request in the audit entry. Until the tenant of a portal's caller is verified, the entry is in the audit
 * of the caller's own tenant.
 */
function entryOf({ c, route, options, principal, behalf }: Authenticated): AuditedRequest {
  const { subject, verb } = route;
  const { user, tenant, roles } = principal;
  return {
    actor: { user, tenant, roles },
    ...(behalf && { on_behalf_of: behalf }),
    source: options.source?.(c) ?? "",
    request_id: c.get("requestId"),
    kind: subject,
    verb,
    object_id: c.req.param("id") ?? "",
    tenant: tenant || sharedTenant,
  };
}

/**
 * Records a refusal in the audit of the caller's tenant, so that others cannot fill the audit of an object's owner.
 * Refusals of the provider's own people are also recorded for the owner. Failures of ours, or of an unavailable
 * system, are no refusals.
 */
async function tellRefusal(
  deps: Deps,
  request: AuditedRequest,
  { thrown, isOfStaff, chain }: { thrown: unknown; isOfStaff: boolean; chain: number },
): Promise<void> {
  const { kind: reason } = toAppError(thrown);
  const status = httpStatusOf(reason);
  if (status >= 500) return;
  const tenant = isOfStaff ? await audienceOf(deps, request) : request.tenant;
  const act = { ...request, tenant, result: "AUDIT_RESULT_REFUSED", reason, status } as const;
  await appendAudit(deps, act, [], { first: chain });
}
