import { lackingIn } from "../../placement/hubs/hub.ts";
import type { Hub } from "./model.ts";

/** The spec in the API's answers, without the credentials and without their reference. */
export const hubSpecShown = ({ spec: { credentials: _, ...spec } }: Pick<Hub, "spec">) => spec;

/** The status in the API's answers. Until a hub can get orders, it does not matter whether it reports. */
export function hubStatusShown({ spec, status }: Pick<Hub, "spec" | "status">) {
  const lacking = lackingIn(spec).map((member) => `spec.${member}`);
  if (lacking.length === 0) return status;
  const message = `no order is placed on this hub until it has ${lacking.join(", ")}`;
  return { ...status, state: "HUB_STATE_INCOMPLETE" as const, message };
}
