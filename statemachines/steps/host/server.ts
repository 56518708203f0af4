import { minutes, timestamp } from "../../../core/clock.ts";
import { AppError } from "../../../core/error.ts";
import type { Context, StepContext, StepDeps } from "../../../core/kernel/saga/context.ts";
import type { BareMetalServer, ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import { secretReference } from "../../../core/ports/secrets/secrets.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { onServerOf } from "../../../core/resources/host/on-server.ts";
import { serverOf, withServer } from "../../../core/resources/host/server.ts";

/** The common part of steps on a host's server, through its controller. */

/** Runs `work` on the server of a host. */
export async function onServer<T>(
  host: Host,
  context: StepContext<Host>,
  work: (server: BareMetalServer) => Promise<T>,
): Promise<T> {
  await noteLate(host, context);
  const { deps, change } = context;
  return onServerOf(deps, host, work, change);
}

/** The duration of a discovery after which the pool no longer counts on it. */
const patience = minutes(30);

/** Records that a server is late even if its controller does not answer, because the pool needs another one. */
async function noteLate(host: Host, { deps, operation, change }: StepContext<Host>): Promise<void> {
  const { start_time } = operation.status;
  const { work, isLate } = serverOf(host);
  if (work !== "discover" || isLate || start_time === undefined) return;
  if (deps.clock.now() - Date.parse(start_time) <= patience) return;
  await change((current) => withServer(current, { isLate: true }));
}

/** Sets the server to boot the discovery image at its next start. Throws Unavailable while the image is unknown. */
export async function setToDiscover(
  server: BareMetalServer,
  { id }: Host,
  { deps }: Context<StepDeps>,
): Promise<void> {
  const image = await deps.secrets.get(secretReference.discoveryImage(id));
  if (image === undefined)
    throw new AppError("Unavailable", "the discovery image of the hub is not known");
  const task = await server.insertMedia(image);
  // A service that is still inserting the image accepts no other change, so a later check continues.
  const seen = task === undefined ? undefined : (await server.observe(task)).task;
  if (seen?.state !== "pending") await server.bootOnce({ from: "media" });
}

/** Whether the next boot is from the image in the virtual drive. Some controllers show either change late. */
export const isSetToDiscover = ({ media, nextBoot }: ServerObservation): boolean =>
  media !== undefined && nextBoot?.from === "media";

/** Reads and records the controller's state. */
export async function noteSeen(
  server: BareMetalServer,
  { change, deps }: StepContext<Host>,
): Promise<void> {
  const { power, media } = await server.observe();
  const at = timestamp(deps.clock.now());
  await change((host) => withServer(host, { seen: { power, hasMedia: media !== undefined, at } }));
}
