import { type AppError, isKind } from "../../../error.ts";
import type { ObjectName } from "../../kubernetes/kube-object.ts";
import { codeOf } from "../../kubernetes/refusal.ts";
import { failed, type GuestObservation, guestPending } from "../guest.ts";

/** An object's title in messages: `Deployment chat in namespace ai`. */
export function titleOf({ kind, metadata }: ObjectName): string {
  const where = metadata.namespace === undefined ? "" : ` in namespace ${metadata.namespace}`;
  return `${kind} ${metadata.name}${where}`;
}

/**
 * Applies an object. Undefined if the cluster accepted it; otherwise an observation. A refusal is
 * `failed`. An error that is transient while operators start is `pending`. Throws Unavailable.
 */
export async function tellGuest(
  object: ObjectName,
  apply: (object: ObjectName) => Promise<void>,
): Promise<GuestObservation | undefined> {
  try {
    await apply(object);
    return undefined;
  } catch (error) {
    const title = titleOf(object);
    if (isKind(error, "Rejected")) {
      if (isNotServed(error))
        return guestPending(`${title}: the cluster does not know this kind yet`);
      return failed(`${title}: ${error.message}`);
    }
    const webhook = isKind(error, "Unavailable") ? silentWebhook(error) : undefined;
    if (webhook !== undefined) return guestPending(`${title}: ${webhook}`);
    throw error;
  }
}

/** Applies objects in order; stops at the first that the cluster does not accept (yet). */
export async function tellAll(
  objects: ObjectName[],
  apply: (object: ObjectName) => Promise<void>,
): Promise<GuestObservation | undefined> {
  for (const object of objects) {
    const said = await tellGuest(object, apply);
    if (said) return said;
  }
  return undefined;
}

/** Whether the server lacks the kind; a missing namespace is a 404 too. */
function isNotServed(error: AppError): boolean {
  return codeOf(error.cause) === 404 && !/^namespaces "/.test(error.message);
}

/** The name of an admission webhook whose pods do not answer yet; the server reports it with status 500. */
function silentWebhook({ detail = "" }: AppError): string | undefined {
  const name = /failed calling webhook \\?"([^"\\]+)/.exec(detail)?.[1];
  const why = /no endpoints available|connection refused/.exec(detail)?.[0];
  return name && why && `its webhook ${name} does not answer yet (${why})`;
}
