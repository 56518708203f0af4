import type { Stand } from "../../at-site/at-site.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load } from "../../kernel/object/records.ts";
import type { Write } from "../../kernel/store/store.ts";
import { primaryAddress } from "./members.ts";
import type { BaremetalInstance } from "./model.ts";

/**
 * Refuses to delete a server while an external IP leads to it, except the one that its order created. Throws
 * FailedPrecondition with the attachment to delete first.
 */
export async function refuseAttachedServer(
  deps: Deps,
  { id, external_ip: at, automatic_ip: own }: BaremetalInstance,
): Promise<Write[]> {
  if (!at || at.attachment === own?.attachment) return [];
  throw await inUseBy(deps, at.attachment, `cannot delete server '${id}'`);
}

/**
 * Refuses a change that would remove the address to which an external IP leads, even the one that the order
 * created. Throws FailedPrecondition, which names the attachment.
 */
export async function refuseLedTo(
  deps: Deps,
  before: BaremetalInstance,
  stands: readonly Stand[],
): Promise<void> {
  const { id, external_ip: at } = before;
  if (!at) return;
  const [from, to] = [primaryAddress(before), primaryAddress({ ...before, stands })];
  if (from?.stand.subnet === to?.stand.subnet && from?.address === to?.address) return;
  const what = `cannot take its primary address ${from?.address} from server '${id}'`;
  throw await inUseBy(deps, at.attachment, what);
}

async function inUseBy(deps: Deps, id: string, what: string): Promise<AppError> {
  const kind = "external_ip_attachment";
  const name = (await load(deps, kind, id))?.metadata.name ?? id;
  return new AppError(
    "FailedPrecondition",
    `${what}: in use by external ip attachment '${name}' (${id})`,
    { inUse: [{ kind, count: 1, objects: [{ id, name }] }] },
  );
}
