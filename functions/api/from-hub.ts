import { timestamp } from "../../core/clock.ts";
import { AppError, toAppError } from "../../core/error.ts";
import { asHubId } from "../../core/id.ts";
import type { ClusterCredentials } from "../../core/ports/hub/credentials/port.ts";
import type { Call } from "./call.ts";

/**
 * Asks a hub. A hub's reason not to answer is not the caller's to mend, so it goes to the log. `unanswered` says what is
 * not known then, and what the caller is to do.
 */
export async function fromHub<T>(
  call: Call,
  id: string,
  read: (credentials: ClusterCredentials) => Promise<T>,
  unanswered?: { what: string; cure: string },
): Promise<T> {
  const { hubs, log, clock } = call.deps;
  const since = timestamp(clock.now());
  try {
    const { credentials } = await hubs.client(asHubId(id));
    return await read(credentials);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal") throw error;
    log.warn({ hub: id, kind: error.kind, detail: error.message }, "a hub cannot be read");
    const message =
      unanswered && error.kind === "Unavailable"
        ? `${unanswered.what}: the cluster's hub has not answered since ${since}; ${unanswered.cure}`
        : "the hub cannot be read now";
    throw new AppError("Unavailable", message, { cause: error });
  }
}
