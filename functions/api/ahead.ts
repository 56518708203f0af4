import type { HonoRequest } from "hono";
import { isKind } from "../../core/kinds/kinds.ts";
import { sharedTenant } from "../../core/model/metadata.ts";
import { isPlausibleId } from "../../core/order/caller.ts";
import { idempotencyKey, objectKey, switchKey } from "../../core/store/keys.ts";
import type { Key } from "../../core/store/store.ts";
import { isTakenIn } from "./paused.ts";
import { isIdempotencyKey } from "./preconditions.ts";
import type { Principal } from "./principal.ts";
import type { Route } from "./route.ts";

/** What a request will read, as far as itself says; what is wrong with it is said where it is answered. */
export async function keysAhead(
  request: HonoRequest,
  route: Route,
  principal: Pick<Principal, "tenant">,
): Promise<Key[]> {
  const { subject } = route;
  const tenant = principal.tenant || sharedTenant;
  const id = request.param("id") ?? "";
  const given = request.header("Idempotency-Key");
  const isRemembered =
    given !== undefined && route.headers?.includes("Idempotency-Key") && isIdempotencyKey(given);
  const ofBody = await route.ahead?.(request, tenant).catch(() => []);
  return [
    ...(ofBody ?? []),
    ...(isTakenIn(route) ? [switchKey("intake")] : []),
    ...(isKind(subject) && isPlausibleId(id) ? [objectKey(subject, id)] : []),
    ...(isRemembered ? [idempotencyKey(tenant, given)] : []),
  ];
}
