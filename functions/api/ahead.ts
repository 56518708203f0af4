import type { HonoRequest } from "hono";
import { idempotencyKey, objectKey, switchKey, userKey } from "../../core/kernel/object/keys.ts";
import { sharedTenant } from "../../core/kernel/object/metadata.ts";
import { isPlausibleId } from "../../core/kernel/request/caller.ts";
import type { Key } from "../../core/kernel/store/store.ts";
import type { Principal } from "../identity/principal.ts";
import { isTakenIn } from "./paused.ts";
import { isIdempotencyKey } from "./preconditions.ts";
import { isKind } from "./registry.ts";
import type { Route } from "./route.ts";

/**
 * The keys that a request of this user will read, as far as the request alone says. Errors in the
 * request are left to the answer. `headOf` gives the key of the tenant's audit head.
 */
export async function keysAhead(
  request: HonoRequest,
  route: Route,
  { user, tenant: own }: Pick<Principal, "user" | "tenant">,
  headOf?: (tenant: string) => Key,
): Promise<Key[]> {
  const { subject } = route;
  const tenant = own || sharedTenant;
  const id = request.param("id") ?? "";
  const given = request.header("Idempotency-Key");
  const isRemembered =
    given !== undefined && route.headers?.includes("Idempotency-Key") && isIdempotencyKey(given);
  const ofBody = await route.ahead?.(request, tenant).catch(() => undefined);
  return [
    ...(headOf ? [headOf(ofBody?.tenant ?? tenant)] : []),
    ...(ofBody?.keys ?? []),
    ...(own === "" ? [] : [userKey(own, user)]),
    ...(isTakenIn(route) ? [switchKey("intake")] : []),
    ...(isKind(subject) && isPlausibleId(id) ? [objectKey(subject, id)] : []),
    ...(isRemembered ? [idempotencyKey(tenant, given)] : []),
  ];
}
