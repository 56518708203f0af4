import { AppError, toAppError } from "../../../core/error.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { TokenUse } from "../../../core/machine/machine.ts";
import { mintToken } from "../../../core/machine/tokens.ts";
import { urlsOf } from "../../../core/machine/urls.ts";
import type { BareMetalServer, ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import { machinesAt } from "./site.ts";

/**
 * Sets the next boot of a machine to the site controller, with a token for this use. Each start is a use of its
 * own, so that none can report for another.
 */
export async function bootFromNetwork(
  server: Pick<BareMetalServer, "bootOnce">,
  at: { hub: string },
  use: Omit<TokenUse, "site">,
  { deps, guard, fence }: Pick<StepContext<never>, "deps" | "guard" | "fence">,
): Promise<void> {
  const { site, machines } = await machinesAt(deps, at);
  const token = await mintToken(deps, { ...use, site: site.id }, { guard, fence });
  const url = urlsOf(machines.url, token).loader;
  try {
    await server.bootOnce({ from: "http", url });
  } catch (thrown) {
    throw withoutUrl(toAppError(thrown), url);
  }
}

/** Whether the controller shows the site controller as the next boot. */
export const isSetToNetwork = ({ nextBoot }: ServerObservation): boolean =>
  nextBoot?.from === "http";

/** The error without the URL, which contains a token: controllers quote what they refuse. */
function withoutUrl(error: AppError, url: string): AppError {
  if (error.kind === "Internal") return error;
  const message = error.message.replaceAll(url, "the URL of its boot");
  return message === error.message ? error : new AppError(error.kind, message);
}
