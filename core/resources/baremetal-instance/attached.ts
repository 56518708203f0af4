import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load } from "../../kernel/object/records.ts";
import type { Write } from "../../kernel/store/store.ts";
import type { BaremetalInstance } from "./model.ts";

/** Throws FailedPrecondition for a server with an external IP that did not come with it, naming the attachment, which goes first. */
export async function refuseAttached(
  deps: Deps,
  { id, external_ip: at, automatic_ip: own }: BaremetalInstance,
): Promise<Write[]> {
  if (!at || at.attachment === own?.attachment) return [];
  const kind = "external_ip_attachment";
  const found = await load(deps, kind, at.attachment);
  const name = found?.metadata.name ?? at.attachment;
  throw new AppError(
    "FailedPrecondition",
    `cannot delete server '${id}': in use by external ip attachment '${name}' (${at.attachment})`,
    { inUse: [{ kind, count: 1, objects: [{ id: at.attachment, name }] }] },
  );
}
