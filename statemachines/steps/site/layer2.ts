import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { Taken } from "../../../core/ports/fabric/fabric.ts";
import type { ClusterSite } from "../../../core/resources/cluster/cluster-site.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import { isDone } from "../../../core/site/parts.ts";
import { claim, giveBack, note, noteRemoval, siteOf, toldBy } from "./site.ts";

const vlans = {
  use: "vlans",
  part: "layer2",
  count: 1,
  held: ({ vlan }: ClusterSite) => (vlan === undefined ? [] : [vlan]),
  hold: (site: ClusterSite, [vlan = 0]: number[]): ClusterSite => ({ ...site, vlan }),
  letGo: ({ vlan: _, ...site }: ClusterSite): ClusterSite => site,
} as const;

/** A VLAN id of the cluster's own, and its network on the fabric. */
export async function createLayer2Network(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  if (!here.fabric) return note("layer2", isDone, context);
  const own = await claim(here, vlans, context);
  if (!own) return;
  const { vlan = 0 } = own;
  await context.guard();
  try {
    const seen = await here.fabric.ensureLayer2(here.order, vlan);
    await note("layer2", toldBy(seen, "the layer 2 network"), context);
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    // Somebody has made a network with it past us: this one rests, the next look claims another.
    await giveBack(here, vlans, context);
    const message = `VLAN id ${vlan} is in use by others; another is taken`;
    await note("layer2", { state: "pending", message }, context);
  }
}

/** The id goes to rest only when the fabric has nothing of it any more. */
export async function removeLayer2Network(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const removal =
    here.fabric && here.own.vlan !== undefined
      ? await here.fabric.removeLayer2(here.order)
      : ({ state: "absent" } as const);
  if (removal.state === "absent") await giveBack(here, vlans, context);
  await noteRemoval("layer2", removal, context);
}
