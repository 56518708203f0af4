import { saga } from "../core/kernel/saga/action.ts";
import { step } from "../core/kernel/saga/saga.ts";
import { powerOff } from "./steps/host/power.ts";
import { prepareDiscovery } from "./steps/host/prepare.ts";

const setAside = { none: "the host is set aside as it is" };

/** Switches a free host off that the pool does not need. Its drives stay erased. */
export const hostSwitchOff = saga<"host">("host-switch-off", {
  comment: "A free server is switched off, and its hub forgets its agent",
  nodes: [step("PowerOff", powerOff, setAside), step("ForgetAgent", prepareDiscovery, setAside)],
});
