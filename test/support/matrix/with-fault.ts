import type { Site } from "../site.ts";
import type { Stage } from "./stage.ts";

/** Sends a request on to a system outside; whichever of these it is treats it so. */
export const withFaultAt =
  ({ world }: Site, systems: readonly string[]): Stage["withFault"] =>
  async (fault, request, send) => {
    const operation = `${request.method} ${new URL(request.url).pathname}`;
    for (const target of systems) world.faults.add({ target, operation, ...fault });
    try {
      return await send();
    } finally {
      world.faults.clear();
    }
  };
