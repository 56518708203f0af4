import { lackingIn } from "../../placement/hub.ts";
import type { Hub } from "./model.ts";

/** The spec as the API shows it: credentials are never answered, not even where they are. */
export const hubSpecShown = ({ spec: { credentials: _, ...spec } }: Pick<Hub, "spec">) => spec;

/** The status as the API shows it: whether a hub reports is of no interest before it can get orders. */
export function hubStatusShown({ spec, status }: Pick<Hub, "spec" | "status">) {
  const lacking = lackingIn(spec).map((member) => `spec.${member}`);
  if (lacking.length === 0) return status;
  const message = `no order is placed on this hub until it has ${lacking.join(", ")}`;
  return { ...status, state: "HUB_STATE_INCOMPLETE" as const, message };
}
