import { accountKeys } from "../../core/kernel/claim/quota.ts";
import type { Deps } from "../../core/kernel/deps.ts";
import {
  archiveKey,
  countKey,
  idempotencyKey,
  objectKey,
  projectNameKey,
  switchKey,
  userKey,
} from "../../core/kernel/object/keys.ts";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import type { Kind } from "../../core/kernel/object/object.ts";
import { begun } from "../../core/kernel/request/begun.ts";
import { type Caller, isPlausibleId } from "../../core/kernel/request/caller.ts";
import { takenKeys } from "../../core/kernel/request/checks.ts";
import { type NewPlace, placeOf, tenantUnlessNamed } from "../../core/kernel/request/place.ts";
import type { ReadAhead } from "../../core/kernel/store/read-ahead.ts";
import type { Key } from "../../core/kernel/store/store.ts";
import { isLikely, Rights } from "./authorize.ts";
import { readBody } from "./body.ts";
import { callOf } from "./call.ts";
import type { Audited, Authorized } from "./chain.ts";
import { isTakenIn } from "./paused.ts";
import { isIdempotencyKey } from "./preconditions.ts";
import { definitionOf, isRegisteredKind } from "./registry.ts";
import type { Route } from "./route.ts";

/**
 * Begins the reads that follow from the request alone: the user's record, the intake switch, the head of the audit
 * and the object in the path; for a GET the first reads of its route; for a new object its name and its quotas'
 * accounts. None is evaluated before the caller is authorized, and errors in the request are left to the handler.
 * Answers a function that begins to read the tenant once the caller is authorized; for a portal's caller the tenant is
 * read already.
 */
export async function prefetch<D extends Deps>(request: Audited<D>): Promise<() => void> {
  const { c, route, reads, principal, behalf, audit } = request;
  const headOf = audit?.headOf;
  const heads = (...tenants: string[]): Key[] =>
    headOf ? tenants.map((tenant) => headOf(tenant)) : [];
  // A refusal is recorded in the caller's own audit.
  const own = principal.tenant || sharedTenant;
  if (!isLikely(principal, route, behalf !== undefined)) {
    void reads.ahead(heads(own));
    return () => undefined;
  }
  const asker = { ...principal, ...behalf };
  const tenant = asker.tenant || sharedTenant;
  const rights = new Rights(reads, asker);
  // By grants a caller sees projects, which are not known yet.
  const caller = behalf
    ? { user: asker.user, tenant, everywhere: false }
    : rights.callerByToken(route);
  const made = await madeBy(request, caller ?? { tenant, everywhere: false });
  const id = c.req.param("id") ?? "";
  const given = c.req.header("Idempotency-Key");
  const isRemembered =
    given !== undefined && route.headers?.includes("Idempotency-Key") && isIdempotencyKey(given);
  void reads.ahead([
    ...heads(own, made?.tenant ?? tenant),
    ...(asker.tenant === "" ? [] : [userKey(asker.tenant, asker.user)]),
    ...(isTakenIn(route) ? [switchKey("intake")] : []),
    ...(isRegisteredKind(route.subject) && isPlausibleId(id) ? [objectKey(route.subject, id)] : []),
    ...(isRemembered ? [idempotencyKey(tenant, given)] : []),
    ...(made?.names ?? []),
  ]);
  if (route.begins && caller) begin({ ...request, caller, rights }, route.begins);
  const accounts = reads.ahead(made?.accounts ?? []);
  return () => {
    if (made && route.creates !== "itself") void readTenant(reads, made.tenant, accounts);
  };
}

/** Begins the reads of a GET as this caller. The handler uses those that it asks for itself, after authorization. */
function begin<D extends Deps>(
  request: Authorized<D>,
  begins: NonNullable<Route<D>["begins"]>,
): void {
  const { deps, reads } = request;
  const call = callOf({ ...request, deps: { ...deps, store: reads.unanswering() } });
  // An error in the request is the handler's to throw.
  void begun((async () => begins(call))());
}

/** What a request for a new object reads: its name's claims, and its tenant. */
interface Made {
  tenant: string;
  names: Key[];
  accounts: Key[];
}

async function madeBy(
  { c, route }: Audited,
  caller: Pick<Caller, "tenant" | "everywhere">,
): Promise<Made | undefined> {
  const { subject: kind, creates } = route;
  if (!creates || !isRegisteredKind(kind)) return undefined;
  const place = await readBody(c.req).then(placeOf, () => undefined);
  if (!place) return undefined;
  const tenant = place.tenant || tenantUnlessNamed(creates, caller, place.name);
  const { project = "" } = place;
  const names = [
    ...takenKeys(kind, { ...place, tenant }),
    ...(project === "" ? [] : [projectNameKey(tenant, project)]),
  ];
  return { tenant, names, accounts: accountsFor(kind, tenant, place) };
}

/** The accounts of the quotas that count a new object: only objects in projects count. */
const accountsFor = (kind: Kind, tenant: string, { project }: NewPlace): Key[] =>
  definitionOf(kind).inProjects ? accountKeys({ tenant, ...(project && { project }) }) : [];

/**
 * An account changes when its tenant is deleted, so an account read before the tenant's record is still valid if
 * the tenant exists. If it does not, the order requests what the previous tenant of that name has left.
 */
async function readTenant(
  reads: ReadAhead,
  tenant: string,
  accounts: Promise<unknown>,
): Promise<void> {
  if (tenant === sharedTenant) return;
  const [record] = await reads.ahead([objectKey("tenant", tenant)], accounts);
  if (!record) void reads.ahead([archiveKey("tenant", tenant), countKey("operation", tenant)]);
}
