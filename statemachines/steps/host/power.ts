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
 * Claims the server for Slipway at its bare metal service if that is shared, cuts its power, and empties its
 * virtual drive. Some controllers accept a change without effect, so each check repeats the requests that had
 * none.
 */
async function cutPower(host: Host, context: StepContext<Host>): Promise<void> {
  await onServer(host, context, async (server) => {
    await server.take?.(host.id);
    await server.powerOff("forced");
    await server.ejectMedia();
    await noteSeen(server, context);
  });
}

/** Switches the server off as above, and reads the firmware versions. */
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

/** Empties the virtual drive of a running server, so that no later start boots the image. */
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

/** Switches a server off and empties its virtual drive. Several sagas use this. */
export const powerOff: StepAction<Host> = {
  system: systems.bareMetal,
  act: cutPower,
  look: cutPower,
  looksLater: true,
  until: isOff,
  deadline: minutes(30),
  usually: minutes(1),
};

/** The first step of a discovery, which also reads the firmware versions. */
export const powerOffKnown: StepAction<Host> = { ...powerOff, act: cutPowerAndRead };
