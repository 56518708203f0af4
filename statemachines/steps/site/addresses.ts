import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { Taken } from "../../../core/ports/fabric/fabric.ts";
import { type ClusterSite, floatingIpUses } from "../../../core/resources/cluster/cluster-site.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { addressOf, numberOf } from "../../../core/resources/site/model.ts";
import { isDone } from "../../../core/site/parts.ts";
import { claim, giveBack, note, noteRemoval, siteOf, toldBy } from "./site.ts";

const addresses = {
  use: "floating_ips",
  part: "floating_ips",
  count: 2,
  held: ({ floating_ips: ips }: ClusterSite) =>
    ips ? [numberOf(ips.api), numberOf(ips.ingress)] : [],
  hold: (site: ClusterSite, [api = 0, ingress = 0]: number[]): ClusterSite => ({
    ...site,
    floating_ips: { api: addressOf(api), ingress: addressOf(ingress) },
  }),
  letGo: ({ floating_ips: _, ...site }: ClusterSite): ClusterSite => site,
} as const;

/** Outside addresses for API and ingress, each leading to one inside. */
export async function allocateFloatingIps(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  if (!here.fabric || !here.own.network) return note("floating_ips", isDone, context);
  const own = await claim(here, addresses, context);
  if (!own?.floating_ips || !own.network) return;
  const { floating_ips: outside, network: inside } = own;
  for (const use of floatingIpUses) {
    await context.guard();
    const plan = { use, internal: inside[use], address: outside[use] };
    try {
      const { progress } = await here.fabric.ensureFloatingIp(here.order, plan);
      const told = toldBy(progress, `floating IP ${outside[use]} for ${use}`);
      if (told.state !== "done") return note("floating_ips", told, context);
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      const message = `address ${outside[use]} is in use by others; others are taken`;
      await note("floating_ips", { state: "pending", message }, context);
      // What was made of the pair goes first, then both go to rest and the next look claims others.
      const removal = await here.fabric.removeFloatingIps(here.order);
      if (removal.state === "absent") await giveBack(here, addresses, context);
      return;
    }
  }
  await note("floating_ips", isDone, context);
}

export async function releaseFloatingIps(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const removal =
    here.fabric && here.own.floating_ips
      ? await here.fabric.removeFloatingIps(here.order)
      : ({ state: "absent" } as const);
  if (removal.state === "absent") await giveBack(here, addresses, context);
  await noteRemoval("floating_ips", removal, context);
}
