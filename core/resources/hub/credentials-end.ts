import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import type { Hub } from "./model.ts";

/**
 * Records the end of a hub's credentials if the record lacks it, because the hub was registered before Slipway
 * recorded it. Writes nothing if the hub has other credentials by now.
 */
export async function noteCredentialsEnd(
  deps: Pick<Deps, "store" | "kinds" | "clock">,
  { id, spec: { credentials, credentials_end } }: Hub,
  ends: string | undefined,
): Promise<void> {
  if (ends === undefined || ends === credentials_end) return;
  await changeObject(deps, "hub", id, (hub) =>
    hub.spec.credentials === credentials
      ? { ...hub, spec: { ...hub.spec, credentials_end: ends } }
      : undefined,
  );
}
