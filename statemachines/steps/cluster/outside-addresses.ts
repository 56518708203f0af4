import { type FloatingIpUse, floatingIpUses } from "../../../core/at-site/at-site.ts";
import { donePart, type PartStatus } from "../../../core/at-site/parts.ts";
import { AppError } from "../../../core/error.ts";
import type { StepAction } from "../../../core/kernel/saga/action.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { Owner } from "../../../core/ports/owner.ts";
import {
  noteAutomaticGoes,
  noteAutomaticLeads,
  removeAutomatic,
} from "../../../core/resources/cluster/external-ips.ts";
import type { AutomaticIps, Cluster } from "../../../core/resources/cluster/model.ts";
import { allocateFloatingIps, releaseFloatingIps } from "../site/addresses.ts";
import { note, noteBegun, noteRemoval, siteOf, siteStatusOf } from "../site/site.ts";

/** The outside addresses of a cluster: its own, or the external IPs that were ordered with it. */

type Step = StepContext<Cluster>;

export const leadAddresses = (cluster: Cluster, context: Step): Promise<void> =>
  cluster.automatic_ips
    ? leadExternalIps(cluster, cluster.automatic_ips, context)
    : allocateFloatingIps(cluster, context);

export const removeAddresses = (cluster: Cluster, context: Step): Promise<void> =>
  cluster.automatic_ips
    ? removeExternalIps(cluster, cluster.automatic_ips, context)
    : releaseFloatingIps(cluster, context);

/** On the fabric, each attachment owns the floating IP that routes its external IP to the endpoint. */
const ownerOf = ({ metadata }: Cluster, ips: AutomaticIps, use: FloatingIpUse): Owner => ({
  kind: "external_ip_attachment",
  id: ips[use].attachment,
  tenant: metadata.tenant,
  name: ips[use].name,
});

async function leadExternalIps(cluster: Cluster, ips: AutomaticIps, context: Step): Promise<void> {
  const here = await siteOf(cluster, context);
  const inside = here?.record.network;
  if (!here?.fabric || !inside)
    throw new AppError("Rejected", "the cluster has no network at a fabric");
  await noteBegun("floating_ips", "external IPs", cluster, context);
  let status: PartStatus = donePart;
  for (const use of floatingIpUses) {
    const { address } = ips[use];
    const plan = { network: here.networkOwner, use, internal: inside[use], address };
    const seen = await here.fabric.ensureExternalIp(ownerOf(cluster, ips, use), plan);
    const is = siteStatusOf(seen, `external IP ${address} for ${use}`);
    if (is.state === "failed") return note("floating_ips", is, context);
    // Both are requested before the step waits for either.
    if (status.state === "done") status = is;
  }
  if (status.state !== "done") return note("floating_ips", status, context);
  await noteAutomaticLeads(context.deps, context.fence(), ips);
  await note("floating_ips", status, context, (site) => ({
    ...site,
    external_ips: { api: leading(ips, "api"), ingress: leading(ips, "ingress") },
  }));
}

function leading(ips: AutomaticIps, use: FloatingIpUse) {
  const { attachment, name, address } = ips[use];
  return { attachment, name, address, leads: true } as const;
}

async function removeExternalIps(
  cluster: Cluster,
  ips: AutomaticIps,
  context: Step,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  await noteAutomaticGoes(context.deps, context.fence(), ips);
  for (const use of here.fabric ? floatingIpUses : []) {
    const removal = await here.fabric?.removeExternalIp(ownerOf(cluster, ips, use));
    if (removal?.state === "pending") return noteRemoval("floating_ips", removal, context);
  }
  // The network owns the ports with the inside addresses.
  const removal = (await here.fabric?.removeFloatingIps(here.networkOwner)) ?? absent;
  if (removal.state === "pending") return noteRemoval("floating_ips", removal, context);
  await note("floating_ips", "gone", context, ({ external_ips: _, ...site }) => site);
}

const absent = { state: "absent" } as const;

/**
 * The undo of a create's first step, which removes the objects that were ordered with the cluster after
 * everything else. It runs even if the step never began, because the order created them.
 */
export const withoutExternalIps = (undo: StepAction<Cluster>): StepAction<Cluster> => ({
  ...undo,
  fromOrder: true,
  async act(cluster, context) {
    await undo.act?.(cluster, context);
    if (cluster.automatic_ips) await removeAutomatic(context.deps, context.fence(), cluster.id);
  },
});
