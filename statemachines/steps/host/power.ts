import { minutes } from "../../../core/clock.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import { withVersions } from "../../../core/resources/host/firmware.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { serverOf } from "../../../core/resources/host/server.ts";
import { ofControllers, pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { noteSeen, onServer } from "./server.ts";

/**
 * Takes a server that is not ours alone, cuts the power, and takes any image out of the virtual drive. Some controllers accept a change and do
 * nothing, so each look asks again; a controller is asked for nothing that is so already.
 */
async function cutPower(host: Host, context: StepContext<Host>): Promise<void> {
  await onServer(host, context, async (server) => {
    await server.take?.(host.id);
    await server.powerOff("forced");
    await server.ejectMedia();
    await noteSeen(server, context);
  });
}

/** The same, and reads the versions of the firmware. */
async function cutPowerAndRead(host: Host, context: StepContext<Host>): Promise<void> {
  await cutPower(host, context);
  await onServer(host, context, async ({ firmware }) => {
    const versions = await firmware?.versions();
    const now = context.deps.clock.now();
    if (versions) await context.change((current) => withVersions(current, versions, now));
  });
}

async function eject(host: Host, context: StepContext<Host>): Promise<void> {
  await onServer(host, context, async (server) => {
    await server.ejectMedia();
    await noteSeen(server, context);
  });
}

/** Empties the virtual drive of a server that runs, so that no later start finds the image there. */
export const ejectMedia: StepAction<Host> = {
  system: systems.bareMetal,
  act: eject,
  look: eject,
  looksLater: true,
  until: (host, context) =>
    serverOf(host).seen?.hasMedia === false
      ? done
      : pending("the image to be ejected", pause(context, ofControllers)),
  deadline: minutes(30),
};

function isOff(host: Host, context: Context): Outcome {
  const { seen } = serverOf(host);
  if (seen?.power === "off" && !seen.hasMedia) return done;
  const what = seen?.power === "off" ? "the image to be ejected" : "the power to be off";
  return pending(
    `${what}; the controller says that it is ${seen?.power ?? "unknown"}`,
    pause(context, ofControllers),
  );
}

/** A server that is off, with an empty drive. Shared by several sagas. */
export const powerOff: StepAction<Host> = {
  system: systems.bareMetal,
  act: cutPower,
  look: cutPower,
  looksLater: true,
  until: isOff,
  deadline: minutes(30),
  usually: minutes(1),
};

/** With that the discovery of a server begins, which tells its firmware. */
export const powerOffKnown: StepAction<Host> = { ...powerOff, act: cutPowerAndRead };
