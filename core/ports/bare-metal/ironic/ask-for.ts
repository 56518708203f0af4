import { AppError } from "../../../error.ts";
import type { IronicApi } from "./api.ts";
import { nodeFieldsOf, nodeSchema } from "./node.ts";

/** A provision state, and what the service is to do on the way to it. */
interface Wanted {
  target: "manage" | "inspect" | "clean";
  clean_steps?: readonly { interface: string; step: string }[];
}

/**
 * Asks for a provision state of a node that was seen in the state `seen`. Throws Unavailable where the service refuses it
 * and the node is in another state by then: another attempt was first to ask, and the next one looks again. Throws
 * Rejected where it refuses the node as it was seen.
 */
export async function askFor(
  api: IronicApi,
  path: string,
  seen: string | null,
  wanted: Wanted,
): Promise<void> {
  try {
    await api.change("PUT", `${path}/states/provision`, wanted);
  } catch (error) {
    if (!(error instanceof AppError && error.kind === "Rejected")) throw error;
    const { provision_state: state } = await api.read(
      `${path}?fields=${nodeFieldsOf(nodeSchema)}`,
      nodeSchema,
    );
    if (state === seen) throw error;
    throw new AppError(
      "Unavailable",
      `the node was ${seen} and is ${state} now: another client has changed it`,
      { detail: error.message },
    );
  }
}
