import { type AuditedRequest, audienceOf, auditedStore } from "../../core/audit/audited-store.ts";
import { appendAudit } from "../../core/audit/chain.ts";
import type { Deps } from "../../core/deps.ts";
import { toAppError } from "../../core/error.ts";
import type { Behalf } from "../../core/model/object.ts";
import type { Caller } from "../../core/order/caller.ts";
import type { Principal } from "./principal.ts";
import type { Route } from "./route.ts";

/** Who asks and from where, as the audit has it. */
interface Witness {
  principal: Principal;
  behalf: Behalf | undefined;
  caller: Caller;
  source: string;
  request_id: string;
}

/**
 * Handles a request under the audit: what changes something with a store that keeps the audit in
 * the same transaction; what reads a credential with an entry before the answer, so that nobody has one without it.
 */
export async function audited(
  deps: Deps,
  route: Route,
  id: string,
  witness: Witness,
  handle: (deps: Deps) => Promise<Response>,
): Promise<Response> {
  const request = requestOf(route, id, witness);
  if (route.verb === "credentials") return readingCredential(deps, request, handle);
  // What hubs report is news, not anybody's wish.
  if (route.method === "GET" || route.verb === "report") return handle(deps);
  return handle({ ...deps, store: auditedStore(deps, request) });
}

function requestOf(
  { subject, verb }: Route,
  object_id: string,
  { principal, behalf, caller, source, request_id }: Witness,
): AuditedRequest {
  const { user, tenant, roles } = principal;
  const actor = { user, tenant, roles };
  return {
    actor,
    ...(behalf && { on_behalf_of: behalf }),
    source,
    request_id,
    kind: subject,
    verb,
    object_id,
    tenant: caller.tenant,
  };
}

async function readingCredential(
  deps: Deps,
  request: AuditedRequest,
  handle: (deps: Deps) => Promise<Response>,
): Promise<Response> {
  // Of an object that the caller may not even know of, the audit of its owner tells all the same.
  const act = { ...request, tenant: await audienceOf(deps.store, request) };
  let answer: Response;
  try {
    answer = await handle(deps);
  } catch (error) {
    const reason = toAppError(error).kind;
    await appendAudit(deps, { ...act, result: "AUDIT_RESULT_REFUSED", reason });
    throw error;
  }
  await appendAudit(deps, { ...act, result: "AUDIT_RESULT_GRANTED" });
  return answer;
}
