import { AppError } from "../../../core/error.ts";
import type { Deps } from "../../../core/kernel/deps.ts";
import type { Kind } from "../../../core/kernel/object/object.ts";
import type { ObjectOf } from "../../../core/kernel/object/object-of.ts";
import type { Placed } from "../../../core/kernel/object/traits.ts";
import type { StepDeps } from "../../../core/kernel/saga/context.ts";
import type { Starting } from "../../../core/machine/boot.ts";
import { AnotherServer } from "../../../core/machine/identity.ts";
import { heldHosts } from "../../../core/placement/reserve/release.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import { onServerOf as onHost } from "../../../core/resources/host/on-server.ts";

/** An object that runs on the server of one host. */
export interface OnServer extends Placed, Starting {
  kind: Kind;
  id: string;
}

/** The host of an object; undefined where it has none. */
export const hostOf = async (
  deps: Deps,
  target: Pick<OnServer, "placement">,
): Promise<ObjectOf["host"] | undefined> => (await heldHosts(deps, target))[0]?.host;

/** The host of a placed object. Throws Rejected where the host was removed from the records. */
export async function mustHaveHost(
  deps: Deps,
  target: Pick<OnServer, "placement">,
): Promise<ObjectOf["host"]> {
  const host = await hostOf(deps, target);
  if (host) return host;
  throw new AppError("Rejected", "expected a host; the inventory has none for it any more");
}

/** Works on the server of a host once its identity is verified; errors for tenants name no hardware. */
export async function onServerOf<T>(
  deps: StepDeps,
  host: ObjectOf["host"],
  work: (server: BareMetalServer) => Promise<T>,
): Promise<T> {
  try {
    return await onHost(deps, host, work);
  } catch (error) {
    if (!(error instanceof AnotherServer)) throw error;
    const message =
      "another server than the host's was found; the host is quarantined until an operator decides";
    throw new AnotherServer("Rejected", message, { detail: error.message, cause: error });
  }
}
