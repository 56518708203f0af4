import { AppError } from "../../error.ts";
import { chainTo } from "../../machine/ipxe.ts";
import type { Serving } from "../../machine/serving.ts";
import { secretReference } from "../../ports/secrets/secrets.ts";
import { reported } from "./health.ts";
import { ownSources } from "./health-sources.ts";
import { serverOf } from "./server.ts";

/**
 * The answers to a booting free host: the discovery image of its hub, which reports the host's health until the
 * agent is admitted.
 */
export const machines: Serving<"host"> = {
  allows(host, request) {
    const { boot } = serverOf(host);
    if (host.operation === undefined || boot === undefined) return false;
    return request === "boot" || (request === "health" && boot.since !== undefined);
  },
  async boot(deps, { id }) {
    const image = await deps.secrets.get(secretReference.discoveryImage(id));
    if (image !== undefined) return chainTo(image);
    throw new AppError("Unavailable", "the discovery image of the hub is not known");
  },
  // The hub reports the result of the boot.
  reported: (host, report, { now }) =>
    report.of === "health"
      ? reported(host, ownSources.machine, report, Date.parse(now))
      : undefined,
};
