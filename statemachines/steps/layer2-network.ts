import type { StepContext } from "../../core/kernel/saga/context.ts";
import { Taken } from "../../core/ports/fabric/fabric.ts";
import type { ClusterSite } from "../../core/resources/cluster/cluster-site.ts";
import { isDone } from "../../core/site/parts.ts";
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
export async function createLayer2Network(context: StepContext): Promise<void> {
  const here = await siteOf(context);
  if (!here) return;
  if (!here.fabric) return note(context, "layer2", isDone);
  if (!(await claim(context, here, vlans))) return;
  const { vlan = 0 } = (await siteOf(context))?.own ?? {};
  await context.guard();
  try {
    const seen = await here.fabric.ensureLayer2(here.order, vlan);
    await note(context, "layer2", toldBy(seen, "the layer 2 network"));
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    // Somebody has made a network with it past us: this one rests, the next look claims another.
    await giveBack(context, here, vlans);
    const message = `VLAN id ${vlan} is in use by others; another is taken`;
    await note(context, "layer2", { state: "pending", message });
  }
}

/** The id goes to rest only when the fabric has nothing of it any more. */
export async function removeLayer2Network(context: StepContext): Promise<void> {
  const here = await siteOf(context);
  if (!here) return;
  const removal =
    here.fabric && here.own.vlan !== undefined
      ? await here.fabric.removeLayer2(here.order)
      : ({ state: "absent" } as const);
  if (removal.state === "absent") await giveBack(context, here, vlans);
  await noteRemoval(context, "layer2", removal);
}
