import { AppError } from "../../../error.ts";
import type { PowerState } from "../server.ts";
import { actionParametersOf } from "./action.ts";
import type { RedfishApi } from "./api.ts";
import type { RedfishSystem } from "./system.ts";

const powerStates: Record<string, PowerState> = {
  On: "on",
  Off: "off",
  PoweringOn: "turning_on",
  PoweringOff: "turning_off",
};

export const powerOf = ({ PowerState }: RedfishSystem): PowerState =>
  powerStates[PowerState ?? ""] ?? "unknown";

/** Redfish's reset types for each purpose, in order of preference. */
const resets = {
  on: ["On", "ForceOn", "PushPowerButton"],
  graceful: ["GracefulShutdown", "PushPowerButton"],
  forced: ["ForceOff"],
  cycle: ["ForceRestart", "PowerCycle"],
} as const;
export type Reset = keyof typeof resets;

/** Resets a system by the preferred type in its list. Answers the controller's answer. */
export async function reset(api: RedfishApi, system: RedfishSystem, purpose: Reset) {
  const action = system.Actions?.["#ComputerSystem.Reset"];
  if (!action) throw new AppError("Rejected", "the server's controller cannot switch its power");
  const allowed = (await actionParametersOf(api, action)).get("ResetType");
  const wanted: readonly string[] = resets[purpose];
  // If the controller lists none, the preferred type is requested.
  const type = allowed ? wanted.find((each) => allowed.includes(each)) : wanted[0];
  if (type === undefined) {
    const message = `the server's controller knows no ${wanted.join(" and no ")}, only ${allowed?.join(", ")}`;
    throw new AppError("Rejected", message);
  }
  return api.send({ method: "POST", path: action.target, body: { ResetType: type } });
}
