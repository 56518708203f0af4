import { hours, minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { done } from "../../../core/kernel/saga/saga.ts";
import { hasAsked, hasPhoned } from "../../../core/machine/boot.ts";
import { systems } from "../systems.ts";
import { awaiting, type Goal, goOn, patience } from "./start.ts";
import type { OnServer } from "./target.ts";

/** The starts of an object's server: from the network for its image, and from its disk. */

const loading: Goal = { from: "network", patience: patience.asked, isReached: hasAsked };
const load = (target: OnServer, context: StepContext<OnServer>) => goOn(target, context, loading);

/** Boots the server once from the site controller, until it requests its boot script there. */
export const bootImage: StepAction<OnServer> = {
  system: systems.bareMetal,
  act: load,
  look: load,
  looksLater: true,
  until: (target, context) =>
    hasAsked(target) && target.boot?.operation === context.operation.id
      ? done
      : awaiting(target, context, {
          what: "the server to ask the site controller what to boot",
          patience: patience.asked,
        }),
  deadline: hours(4),
  usually: minutes(5),
};

/** Waits until the system on the server reports after its start; starts the server again when it does not. */
const phoneHome = (from: Goal["from"]): StepAction<OnServer> => {
  const goal: Goal = { from, patience: patience.phoned, isReached: hasPhoned };
  const wait = (target: OnServer, context: StepContext<OnServer>) => goOn(target, context, goal);
  return {
    system: systems.bareMetal,
    act: wait,
    look: wait,
    looksLater: true,
    until: (target, context) =>
      hasPhoned(target) && target.boot?.operation === context.operation.id
        ? done
        : awaiting(target, context, {
            what: "the instance to report its start",
            patience: patience.phoned,
          }),
    deadline: hours(8),
    usually: minutes(8),
  };
};

export const awaitPhoneHome = phoneHome("network");

/** Restarts a server from its disk: first by a graceful shutdown, after a while by force. */
export const restartServer = phoneHome("disk");
