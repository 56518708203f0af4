import { hours, inMinutes, minutes, timestamp } from "../../../core/clock.ts";
import { AppError, isKind } from "../../../core/error.ts";
import { mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { Context, StepContext } from "../../../core/kernel/saga/context.ts";
import { done, type Outcome, pending } from "../../../core/kernel/saga/saga.ts";
import type { ServerFirmware } from "../../../core/ports/bare-metal/firmware.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import { otherThan, withVersions } from "../../../core/resources/host/firmware.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { type ServerUpdate, serverOf, withServer } from "../../../core/resources/host/server.ts";
import type { FirmwareWanted } from "../../../core/resources/host-type/model.ts";
import { ofControllers, pause } from "../pace.ts";
import { systems } from "../systems.ts";
import { isSetToDiscover, onServer, setToDiscover } from "./server.ts";

/**
 * Updates the firmware components of a server that differ from its type, one after the other: the controller
 * writes the image, the server or the controller restarts, and the new version has to be reported. A failed
 * attempt is repeated after a pause.
 */

/** The time limit of each phase of an attempt. */
const patience = minutes(40);
/** How long a controller may write an image without showing a task. */
const untold = minutes(20);
/** How long a controller may take to restart by itself, before a restart is requested. */
const ownRestart = minutes(5);
/** The pause after a failed try. */
const rest = minutes(60);
/** The number of tries in all. */
const budget = 5;

/** A server whose firmware is updated. */
export interface Updating {
  host: Host;
  /** The number of tries. */
  tries: number;
  change(edit: (host: Host) => Host): Promise<unknown>;
  /** Starts the server, which is off; whatever it boots must be allowed to run. */
  start(server: BareMetalServer): Promise<void>;
}

type Wanted = readonly FirmwareWanted[] | undefined;

const words = { bmc: "BMC", bios: "BIOS" } as const;
const named = ({ component, version }: NonNullable<ServerUpdate["of"]>): string =>
  `${words[component]} ${version}`;

/** The update that belongs to this operation. */
export function updateOf(
  host: Host,
  { operation }: Pick<Context, "operation">,
): ServerUpdate | undefined {
  const { update } = serverOf(host);
  return update?.operation === operation.id ? update : undefined;
}

/** Advances the update by one phase, if the controller's state allows it. */
export async function continueUpdate(
  server: BareMetalServer,
  updating: Updating,
  context: Pick<Context, "deps" | "operation">,
): Promise<void> {
  const { host, change } = updating;
  const { deps, operation } = context;
  const now = deps.clock.now();
  const first = {
    operation: operation.id,
    number: 1,
    phase: "checking",
    at: timestamp(now),
  } as const;
  const known = updateOf(host, context);
  const update = known ?? first;
  if (!known) await change((current) => withServer(current, { update }));
  const next = await advanced(server, update, updating, context);
  if (next) await change((current) => withServer(current, { update: next }));
}

async function advanced(
  server: BareMetalServer,
  update: ServerUpdate,
  updating: Updating,
  { deps }: Pick<Context, "deps">,
): Promise<ServerUpdate | undefined> {
  const { firmware } = server;
  if (!firmware) throw new AppError("Rejected", "expected a service that updates firmware");
  const now = deps.clock.now();
  const waited = now - Date.parse(update.at);
  const failed = (said: string): ServerUpdate => {
    const { task: _, isStarted: __, ...kept } = update;
    const phase = update.number < updating.tries ? "resting" : "failed";
    return { ...kept, phase, said, at: timestamp(now) };
  };
  const { host_type } = updating.host.spec;
  const wanted = (await mustLoad(deps, "host_type", host_type)).spec.firmware;
  try {
    switch (update.phase) {
      case "checking":
        return await checked(firmware, update, updating, { now, wanted });
      case "asking":
        return await asked(firmware, update, { now, wanted });
      case "writing":
        return await written(server, update, { now, waited, failed });
      case "starting": {
        const versions = await noted(firmware, updating, now);
        const { of } = update;
        if (!of || versions[of.component] === of.version) return begun(update, now);
        if (waited > patience)
          return failed(
            `the controller reports ${versions[of.component] ?? "none"} ${inMinutes(patience)} after it was written`,
          );
        return await started(server, firmware, update, updating, waited);
      }
      case "resting":
        return waited >= rest ? { ...begun(update, now), number: update.number + 1 } : undefined;
      case "done":
      case "failed":
        return undefined;
    }
  } catch (error) {
    if (isKind(error, "Rejected")) return failed(error.message);
    // The answer may have been lost, and a staged image blocks others until the server starts.
    if (isKind(error, "Unavailable") && update.phase === "asking" && waited > untold)
      return { ...update, phase: "starting", at: timestamp(now) };
    // A restarting controller does not answer for some minutes.
    if (isKind(error, "Unavailable") && waited > patience) return failed(error.message);
    throw error;
  }
}

const begun = ({ operation, number }: ServerUpdate, now: number): ServerUpdate => ({
  ...{ operation, number, phase: "checking", at: timestamp(now) },
});

/** Reads and records the versions. */
async function noted(firmware: ServerFirmware, { change }: Updating, now: number) {
  const versions = await firmware.versions();
  await change((host) => withVersions(host, versions, now));
  return versions;
}

/** Finds the first component whose version differs. */
async function checked(
  firmware: ServerFirmware,
  update: ServerUpdate,
  updating: Updating,
  { now, wanted }: { now: number; wanted: Wanted },
): Promise<ServerUpdate> {
  const [next] = otherThan(await noted(firmware, updating, now), wanted);
  if (!next) return { ...begun(update, now), phase: "done" };
  const { component, version } = next;
  return { ...begun(update, now), phase: "asking", of: { component, version } };
}

/** Has the controller fetch the image, if it is still desired. */
async function asked(
  firmware: ServerFirmware,
  update: ServerUpdate,
  { now, wanted = [] }: { now: number; wanted: Wanted },
): Promise<ServerUpdate> {
  const { of } = update;
  const image = wanted.find(
    ({ component, version }) => component === of?.component && version === of.version,
  )?.image;
  if (!of || image === undefined) return begun(update, now);
  const task = await firmware.update(of.component, image);
  return { ...begun(update, now), of, phase: "writing", ...(task !== undefined && { task }) };
}

/** Continues once the image is written, or staged for the server's next start. */
async function written(
  server: BareMetalServer,
  update: ServerUpdate,
  { now, waited, failed }: { now: number; waited: number; failed: (said: string) => ServerUpdate },
): Promise<ServerUpdate | undefined> {
  const starting = { ...update, phase: "starting", at: timestamp(now) } as const;
  const { task } = update;
  if (task === undefined) return waited > untold ? starting : undefined;
  const seen = (await server.observe(task)).task;
  if (seen?.state === "failed") return failed(seen.message);
  if (seen?.state !== "pending") return starting;
  if (waited > patience) return failed(`it is not written after ${inMinutes(patience)}`);
  return { ...update, said: seen.message };
}

/** Activates the written firmware: starts the server, or restarts a controller that does not restart by itself. */
async function started(
  server: BareMetalServer,
  firmware: ServerFirmware,
  update: ServerUpdate,
  updating: Updating,
  waited: number,
): Promise<ServerUpdate | undefined> {
  if (update.of?.component === "bmc") {
    if (update.isStarted || waited < ownRestart) return undefined;
    await firmware.restartController();
    return { ...update, isStarted: true };
  }
  const { power } = await server.observe();
  if (power !== "off" && (power !== "on" || update.isStarted)) return undefined;
  if (power === "off") await updating.start(server);
  else await server.powerCycle();
  return { ...update, isStarted: true };
}

/** Whether a host has the firmware of its type. Throws Rejected after the last try. */
export function isUpdated(host: Host, context: Context): Outcome {
  const update = updateOf(host, context);
  if (!update)
    return pending("the controller to report its versions", pause(context, ofControllers));
  const { of, phase, number, said = "" } = update;
  if (phase === "done") return done;
  const what = of ? named(of) : "the firmware";
  if (phase === "failed") {
    const seen = host.firmware?.find(({ component }) => component === of?.component)?.version;
    throw new AppError(
      "Rejected",
      `expected ${what}; the controller reports ${seen ?? "none"} after ${number} ${number === 1 ? "try" : "tries"}: ${said}`,
    );
  }
  const why = said && `: ${said}`;
  const awaited = {
    checking: "the controller to report its versions",
    asking: `the controller to fetch ${what}`,
    writing: `${what} to be written${why}`,
    starting: `the controller to report ${what} after a start`,
    resting: `an hour to pass until ${what} is tried again${why}`,
  }[phase];
  const left = rest - (context.deps.clock.now() - Date.parse(update.at));
  return pending(
    `${awaited}${number > 1 ? ` (try ${number} of ${budget})` : ""}`,
    phase === "resting" && left > 0 ? left : pause(context, ofControllers),
  );
}

async function update(before: Host, context: StepContext<Host>): Promise<void> {
  await onServer(before, context, async (server) => {
    const start = async () => {
      const seen = await server.observe();
      // No program on the drives may run.
      if (isSetToDiscover(seen)) await server.powerOn();
      else await setToDiscover(server, before, context);
    };
    const { change } = context;
    await continueUpdate(server, { host: before, tries: budget, change, start }, context);
  });
}

/** Updates the firmware of a server without an owner. */
export const updateFirmware: StepAction<Host> = {
  system: systems.bareMetal,
  act: update,
  look: update,
  looksLater: true,
  until: isUpdated,
  deadline: hours(24),
  usually: minutes(20),
};
