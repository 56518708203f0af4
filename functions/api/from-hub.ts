import { AppError, toAppError } from "../../core/error.ts";
import { asHubId } from "../../core/id.ts";
import type { ClusterCredentials } from "../../core/ports/hub/credentials/port.ts";
import type { Call } from "./call.ts";

/** Reads a hub. A hub's reason not to answer is not the caller's to mend, so it goes to the log. */
export async function fromHub<T>(
  call: Call,
  id: string,
  read: (credentials: ClusterCredentials) => Promise<T>,
): Promise<T> {
  const { hubs, log } = call.deps;
  try {
    const { credentials } = await hubs.client(asHubId(id));
    return await read(credentials);
  } catch (thrown) {
    const error = toAppError(thrown);
    if (error.kind === "Internal") throw error;
    log.warn({ hub: id, kind: error.kind, detail: error.message }, "a hub cannot be read");
    throw new AppError("Unavailable", "the hub cannot be read now", { cause: error });
  }
}
