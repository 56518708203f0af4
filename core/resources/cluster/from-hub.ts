import { timestamp, timeText } from "../../clock.ts";
import { AppError, toAppError } from "../../error.ts";
import { asHubId } from "../../id.ts";
import type { RequestDeps } from "../../kernel/request/request-deps.ts";
import type { ClusterCredentials } from "../../ports/hub/credentials/port.ts";

/**
 * Calls a hub. If the call fails, the reason is logged, because the caller cannot repair it; `unanswered` tells
 * the caller what remains unknown and what to do.
 */
export async function fromHub<T>(
  { askableHubs, log, clock }: Pick<RequestDeps, "askableHubs" | "log" | "clock">,
  id: string,
  read: (credentials: ClusterCredentials) => Promise<T>,
  unanswered?: { what: string; cure: string },
): Promise<T> {
  const since = timestamp(clock.now());
  try {
    const { credentials } = await askableHubs.client(asHubId(id));
    return await read(credentials);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal") throw error;
    log.warn({ hub: id, kind: error.kind, detail: error.message }, "a hub cannot be read");
    const message =
      unanswered && error.kind === "Unavailable"
        ? `${unanswered.what}: the cluster's hub has not answered since ${timeText(since)}; ${unanswered.cure}`
        : "the hub cannot be read now";
    throw new AppError("Unavailable", message, { cause: error });
  }
}
