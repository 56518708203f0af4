import { minutes } from "../core/clock.ts";
import { saga } from "../core/kernel/saga/action.ts";
import { backwards, phase, step } from "../core/kernel/saga/saga.ts";
import { instanceProvision } from "./instance-provision.ts";
import { forgetUserData } from "./steps/instance/publish.ts";

/** The undos of instance-provision in reverse order, so that each undo is written once. */
const undos = backwards(instanceProvision.nodes);
const isolated = undos.findIndex(({ name }) => name === "Undo PrepareNetworks");

/**
 * A deletion isolates the server first; then it is the tenant's no more. The host is erased by `host-clean`, for which
 * nobody waits here.
 */
export const instanceRelease = saga<"baremetal_instance">("instance-release", {
  comment: "A tenant's server is isolated and released; its host is erased after that",
  irreversible: true,
  nodes: [
    phase("Isolate", ...undos.slice(0, isolated)),
    phase(
      "ReleaseAndArchive",
      ...undos.slice(isolated),
      step(
        "ArchiveInstance",
        { act: forgetUserData, deadline: minutes(15) },
        { none: "nothing is left to go back to" },
      ),
    ),
  ],
});
