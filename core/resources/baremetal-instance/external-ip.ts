import { AppError, type Violation } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { Metadata } from "../../kernel/object/metadata.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import type { Check, Write } from "../../kernel/store/store.ts";
import { claimExternalAddresses, type PoolsRead, readPools } from "../external-ip/address.ts";
import { newAutomatic, removePair } from "../external-ip/automatic.ts";
import { ipv4Pools, leadingTo, mostFree } from "../external-ip-pool/choose.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import type { BaremetalInstance } from "./model.ts";

/**
 * The external IP that an order creates with its server. Its attachment is like any other: the attachment's own
 * operations connect it to the server. Nobody else can delete the attachment while the server uses it.
 */

type Had = Pick<BaremetalInstance, "automatic_ip" | "external_ip">;
type Ordered = Pick<BaremetalInstance, "id"> & {
  metadata: Pick<Metadata, "name" | "tenant" | "project" | "creator">;
};

/**
 * The pools whose addresses can lead to servers at a site (without a site: to servers behind DPUs),
 * with the usage of some of them.
 */
interface Pools {
  site: string | undefined;
  pools: ExternalIpPool[];
  read: PoolsRead;
}

export async function poolsAt(
  deps: Deps,
  tenant: string,
  of: Promise<string | undefined>,
): Promise<Pools> {
  const [all, site] = await Promise.all([ipv4Pools(deps, tenant), of]);
  const pools = leadingTo(all, site);
  return { site, pools, read: await readPools(deps, pools, 1) };
}

/**
 * The external IP of a server at a site or, without a site, behind DPUs, with the writes that create it and its
 * attachment. A violation if no pool has such addresses; throws FailedPrecondition if all are in use. `known`:
 * the answer of `poolsAt` for the likely site, if the caller has already asked.
 */
export async function orderAutomaticIp(
  deps: Deps,
  owner: Ordered,
  site: string | undefined,
  violations: Violation[],
  known?: Promise<Pools>,
): Promise<{ record: Had; writes: Write[] } | undefined> {
  const likely = await known;
  const { pools, read } =
    likely?.site === site && likely
      ? likely
      : await poolsAt(deps, owner.metadata.tenant, Promise.resolve(site));
  const pool = await mostFree(deps, pools, read);
  if (!pool) {
    const where = site === undefined ? "that DPUs announce" : "at the site of its subnets";
    const message = `needs a pool of IPv4 addresses ${where}, and there is none`;
    violations.push({ field: "spec.auto_external_ip_attachment", message });
    return undefined;
  }
  const id = deps.newId();
  const claimed = await claimExternalAddresses(deps, pool, [id], read);
  const [address = ""] = claimed.addresses;
  const { name } = owner.metadata;
  const leadsTo = { baremetal_instance: { id: owner.id, name } };
  const awaits = `server '${name}' to be made`;
  const { at, writes } = newAutomatic(deps, {
    ...{ id, address, pool, owner, leadsTo, awaits, use: "server" },
  });
  const { external_ip: _, ...external_ip } = at;
  return { record: { automatic_ip: at, external_ip }, writes: [...claimed.writes, ...writes] };
}

/** The attachment that the order created with a server, while it exists. */
export const automaticAttachmentOf = async (
  deps: Deps,
  { automatic_ip: at }: BaremetalInstance,
): Promise<ObjectOf["external_ip_attachment"] | undefined> =>
  at && load(deps, "external_ip_attachment", at.attachment);

/** Deletes the external IP that the order created, once it no longer leads to the server. Idempotent. */
export async function removeAutomaticIp(deps: Deps, fence: Check[], id: string): Promise<void> {
  const { automatic_ip: at } = await mustLoad(deps, "baremetal_instance", id);
  if (!at) return;
  const left = await load(deps, "external_ip_attachment", at.attachment);
  if (left?.operation !== undefined)
    throw new AppError("Unavailable", `external IP attachment '${at.attachment}' is at work`);
  await removePair(deps, fence, at);
  await optimisticallyFenced(deps.store, fence, async () => {
    const before = await mustLoad(deps, "baremetal_instance", id);
    const { automatic_ip: had, external_ip, ...rest } = before;
    if (!had) return { writes: [], result: undefined };
    const others = external_ip && external_ip.attachment !== had.attachment;
    const bare = { ...rest, ...(others && { external_ip }) };
    return { writes: written<BaremetalInstance>(deps, before, bare).writes, result: undefined };
  });
}
