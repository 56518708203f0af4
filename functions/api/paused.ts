import { AppError } from "../../core/error.ts";
import { readSwitch } from "../../core/kernel/request/maintenance-switch.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import { definitionOf, isRegisteredKind } from "./registry.ts";
import type { Route } from "./route.ts";

/** Whether a request is refused while intake is paused: every change by tenants, and every order. */
export const isTakenIn = ({
  area,
  subject,
  method,
}: Pick<Route, "area" | "subject" | "method">): boolean => {
  const isOrder = isRegisteredKind(subject) && definitionOf(subject).isOrdered === true;
  return method !== "GET" && (area === "public" || isOrder);
};

/** Throws Unavailable for such a request while intake is paused. */
export async function refusePaused(
  store: Store,
  route: Pick<Route, "area" | "subject" | "method">,
): Promise<void> {
  if (!isTakenIn(route)) return;
  if (!(await readSwitch(store, "intake")).paused) return;
  throw new AppError("Unavailable", "orders and changes are paused at the moment; ask again later");
}
