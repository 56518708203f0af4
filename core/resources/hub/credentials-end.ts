import type { Deps } from "../../kernel/deps.ts";
import { changeObject } from "../../kernel/events/rewrite.ts";
import type { Hub } from "./model.ts";

/**
 * Writes down when what Slipway logs in to a hub with ends, where the record does not say so: it was registered before
 * records did. Nothing is written once the hub has other credentials.
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
