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
import { begun } from "../../core/kernel/request/begun.ts";
import type { Caller } from "../../core/kernel/request/caller.ts";
import { isStaff } from "../../core/kernel/request/roles.ts";
import type { Key } from "../../core/kernel/store/store.ts";
import { wireForms } from "../../core/resources/generated/wire-forms.ts";
import type { Audited, AuditOfRequest, Authenticated, ChainStep } from "./chain.ts";
import { isDryRun } from "./preconditions.ts";
import { httpStatusOf } from "./problem.ts";

/**
 * Audits a request. The entry of a change is written in the same transaction. The entry of a credential is written
 * before the answer, so that nobody gets one without an entry. A refusal of either gets an entry with the reason.
 */
export const audit =
  <D extends Deps>(next: ChainStep<Audited<D>>): ChainStep<Authenticated<D>> =>
  async (request) => {
    const { c, route, deps, reads, principal } = request;
    const { isCredential = false } = route;
    // A hub's report is not a change by a user. A dry run changes nothing, even if its answer looks
    // like a change.
    const isChange = route.method !== "GET" && route.verb !== "report" && !isDryRun(c.req);
    if (!isCredential && !isChange) return next({ ...request, audit: undefined });
    let entry = entryOf(request);
    const chain = anyChain(deps.random);
    const isOfStaff = principal.roles.some(isStaff);
    const headOf = (tenant: string) => auditHeadKey(tenant, chain);
    const ofCaller = (caller: Caller) => {
      entry = { ...entry, tenant: caller.tenant };
    };
    const ofChange: AuditOfRequest<D> = {
      headOf,
      depsFor(caller) {
        ofCaller(caller);
        return { ...deps, store: auditedStore({ ...deps, wireForms }, entry, chain) };
      },
    };
    // The object is read once, for the handler and for the audience of the entry, and the head of the chain while the
    // hub is asked. If another entry moves the head meanwhile, the append reads it again.
    const early = { ...deps, store: { get: async (key: Key) => (await reads.ahead([key]))[0] } };
    let audience: Promise<string> | undefined;
    const ofCredential: AuditOfRequest<D> = {
      // Staff act on objects of all tenants.
      ...(!isOfStaff && { headOf }),
      depsFor(caller) {
        ofCaller(caller);
        audience = begun(audienceOf(early, entry));
        void begun(audience.then((tenant) => reads.ahead([headOf(tenant)])));
        return deps;
      },
    };
    try {
      if (!isCredential) return await next({ ...request, audit: ofChange });
      const answer = await next({ ...request, audit: ofCredential });
      const tenant = (await audience) ?? entry.tenant;
      const act = { ...entry, tenant, result: "AUDIT_RESULT_GRANTED" } as const;
      await appendAudit(deps, act, [], { first: chain });
      return answer;
    } catch (error) {
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
