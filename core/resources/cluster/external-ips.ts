import { isDeepStrictEqual } from "node:util";
import { type FloatingIpUse, floatingIpUses } from "../../at-site/at-site.ts";
import { donePart, withPart } from "../../at-site/parts.ts";
import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import type { ObjectOf } from "../../kernel/object/object-of.ts";
import { load, mustLoad } from "../../kernel/object/records.ts";
import { referenceTo } from "../../kernel/request/resolve.ts";
import { optimisticallyFenced } from "../../kernel/store/optimistically.ts";
import type { Check, Write } from "../../kernel/store/store.ts";
import { claimExternalAddresses, type PoolsRead } from "../external-ip/address.ts";
import { newAutomatic, removePair } from "../external-ip/automatic.ts";
import { mostFree } from "../external-ip-pool/choose.ts";
import type { ExternalIpPool } from "../external-ip-pool/model.ts";
import type { AutomaticIps, Cluster } from "./model.ts";

type ExternalIpAttachment = ObjectOf["external_ip_attachment"];

/**
 * The external IPs that an order creates with its cluster, each attached to one of the cluster's endpoints. The
 * sagas of the cluster connect, disconnect and delete them. Nobody else can delete them while the cluster uses
 * them.
 */

/**
 * The external IPs of an ordered cluster from these pools, and the writes that create them and their
 * attachments. Throws FailedPrecondition if no pool has enough. `read`: the answer of `readPools` for one address
 * for each use.
 */
export async function orderAutomatic(
  deps: Deps,
  cluster: Cluster,
  pools: readonly ExternalIpPool[],
  read?: PoolsRead,
): Promise<{ ips: AutomaticIps; writes: Write[] }> {
  const pool = await mostFree(deps, pools, read);
  if (!pool?.spec.site) throw new AppError("Internal", "there is no pool at a site");
  const ids = floatingIpUses.map(() => deps.newId());
  const { addresses, writes } = await claimExternalAddresses(deps, pool, ids, read);
  const site = pool.spec.site.id;
  const [api, ingress] = floatingIpUses.map((use, n) => {
    const [id = "", address = ""] = [ids[n], addresses[n]];
    const leadsTo = { cluster: referenceTo(cluster), target_endpoint: endpoints[use] };
    const awaits = `cluster '${cluster.metadata.name}' to be made`;
    return newAutomatic(deps, { id, address, pool, owner: cluster, leadsTo, use, awaits });
  });
  if (!api || !ingress) throw new AppError("Internal", "there is a use without an address");
  return {
    ips: { site, api: api.at, ingress: ingress.at },
    writes: [...writes, ...api.writes, ...ingress.writes],
  };
}

const endpoints = {
  api: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_API",
  ingress: "EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS",
} as const satisfies Record<FloatingIpUse, unknown>;

/** Records that each external IP leads to its endpoint. Idempotent. */
export const noteAutomaticLeads = (deps: Deps, fence: Check[], ips: AutomaticIps): Promise<void> =>
  changeAttachments(deps, fence, ips, ({ site, ...attachment }) => ({
    ...attachment,
    made: true,
    ...(site && { site: withPart(site, "external_ip", donePart, deps.clock.now()) }),
  }));

/** Records that the external IPs are being deleted. Idempotent. */
export const noteAutomaticGoes = (deps: Deps, fence: Check[], ips: AutomaticIps): Promise<void> =>
  changeAttachments(deps, fence, ips, ({ metadata, ...attachment }) => ({
    ...attachment,
    metadata: {
      ...metadata,
      deletion_timestamp: metadata.deletion_timestamp ?? timestamp(deps.clock.now()),
    },
  }));

const changeAttachments = (
  deps: Deps,
  fence: Check[],
  ips: AutomaticIps,
  change: (attachment: ExternalIpAttachment) => ExternalIpAttachment,
): Promise<void> =>
  optimisticallyFenced(deps.store, fence, async () => {
    const found = await attachmentsOf(deps, ips);
    const writes = found.flatMap((before) => {
      const { object, writes } = written(deps, before, change(before));
      return isDeepStrictEqual(object, before) ? [] : writes;
    });
    return { writes, result: undefined };
  });

/**
 * Deletes a cluster's external IPs and attachments once nothing at the site uses them; the addresses are not
 * reused for a while. Each has a transaction of its own, because its labels are deleted with it. Idempotent.
 */
export async function removeAutomatic(deps: Deps, fence: Check[], id: string): Promise<void> {
  const { automatic_ips: ips } = await mustLoad(deps, "cluster", id);
  if (!ips) return;
  for (const use of floatingIpUses) await removePair(deps, fence, ips[use]);
  await optimisticallyFenced(deps.store, fence, async () => {
    const before = await mustLoad(deps, "cluster", id);
    const { automatic_ips: had, ...rest } = before;
    if (!had) return { writes: [], result: undefined };
    return { writes: written<Cluster>(deps, before, rest).writes, result: undefined };
  });
}

async function attachmentsOf(deps: Deps, ips: AutomaticIps): Promise<ExternalIpAttachment[]> {
  const found = await Promise.all(
    floatingIpUses.map((use) => load(deps, "external_ip_attachment", ips[use].attachment)),
  );
  return found.filter((each) => each !== undefined);
}
