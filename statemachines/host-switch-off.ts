import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { forgetAgent } from "./steps/host/agent.ts";
import { powerOff } from "./steps/host/power.ts";

const setAside = { none: "a host that failed is quarantined as it is" };

/** Switches off a free host that the pool does not need. Its drives stay erased. */
export const hostSwitchOff = saga<"host">("host-switch-off", {
  comment: "A free server is switched off, and its hub forgets its agent",
  nodes: [step("PowerOff", powerOff, setAside), step("ForgetAgent", forgetAgent, setAside)],
});
