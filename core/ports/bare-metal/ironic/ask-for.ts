import { AppError } from "../../../error.ts";
import type { IronicApi } from "./api.ts";
import { nodeFieldsOf, nodeSchema } from "./node.ts";

/** A target provision state, with the clean steps on the way to it. */
interface Wanted {
  target: "manage" | "inspect" | "clean";
  clean_steps?: readonly { interface: string; step: string }[];
}

/**
 * Requests a provision state for a node that was seen in the state `seen`. Throws Unavailable if
 * Ironic refuses and the node's state has changed: another attempt was faster, and the next attempt
 * reads the state again. Throws Rejected if Ironic refuses and the state is still the seen one.
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
