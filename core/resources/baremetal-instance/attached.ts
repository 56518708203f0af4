import type { Stand } from "../../at-site/at-site.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load } from "../../kernel/object/records.ts";
import type { Write } from "../../kernel/store/store.ts";
import { primaryAddress } from "./members.ts";
import type { BaremetalInstance } from "./model.ts";

/** Throws FailedPrecondition for a server with an external IP that did not come with it, naming the attachment, which goes first. */
export async function refuseAttached(
  deps: Deps,
  { id, external_ip: at, automatic_ip: own }: BaremetalInstance,
): Promise<Write[]> {
  if (!at || at.attachment === own?.attachment) return [];
  throw await inUseBy(deps, at.attachment, `cannot delete server '${id}'`);
}

/**
 * Throws FailedPrecondition where a server is to leave the address to which its external IP leads, naming the attachment.
 * One that came with the server stays, and so does the address.
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
