import { AppError } from "../../core/error.ts";
import type { Store } from "../../core/kernel/store/store.ts";
import { readSwitch } from "../../core/switch.ts";
import type { Route } from "./route.ts";

/** Whether a request is refused while intake is paused. */
export const isTakenIn = ({
  area,
  subject,
  method,
}: Pick<Route, "area" | "subject" | "method">): boolean =>
  method !== "GET" && (area === "public" || subject === "cluster");

/** While intake is paused, tenants change nothing, and nobody changes clusters. Throws Unavailable. */
export async function refusePaused(
  store: Store,
  route: Pick<Route, "area" | "subject" | "method">,
): Promise<void> {
  if (!isTakenIn(route)) return;
  if (!(await readSwitch(store, "intake")).paused) return;
  throw new AppError("Unavailable", "orders and changes are paused at the moment; ask again later");
}
