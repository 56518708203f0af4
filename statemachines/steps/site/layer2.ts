import type { AtSite, SiteRecord } from "../../../core/at-site/at-site.ts";
import { donePart } from "../../../core/at-site/parts.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { Taken } from "../../../core/ports/taken.ts";
import {
  claim,
  note,
  noteRemoval,
  releaseSiteNumbers,
  releaseWithPart,
  siteOf,
  siteStatusOf,
} from "./site.ts";

const vlans = {
  use: "vlans",
  part: "layer2",
  count: 1,
  held: ({ vlan }: SiteRecord) => (vlan === undefined ? [] : [vlan]),
  hold: (site: SiteRecord, [vlan = 0]: number[]): SiteRecord => ({ ...site, vlan }),
  release: ({ vlan: _, ...site }: SiteRecord): SiteRecord => site,
} as const;

/**
 * Claims a VLAN id for the target and creates its network on the fabric; nothing to do for a target in a tenant's
 * subnet.
 */
export async function createLayer2Network(
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  if (!here.fabric || target.stands_in) return note("layer2", donePart, context);
  const record = await claim(here, vlans, context);
  if (!record) return;
  const { vlan = 0 } = record;
  try {
    const seen = await here.fabric.ensureLayer2(here.networkOwner, vlan);
    await note("layer2", siteStatusOf(seen, "the layer 2 network"), context);
  } catch (error) {
    if (!(error instanceof Taken)) throw error;
    // The VLAN id is in use on the fabric by others: it is released for a later use, and the next check claims
    // another.
    await releaseSiteNumbers(here, vlans, context, [vlan]);
    const message = `VLAN id ${vlan} is in use by others; another is claimed`;
    await note("layer2", { state: "pending", message }, context);
  }
}

/** Removes the network. The id is released only when nothing on the fabric uses it. */
export async function removeLayer2Network(
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  const removal =
    here.fabric && here.record.vlan !== undefined
      ? await here.fabric.removeLayer2(here.networkOwner)
      : ({ state: "absent" } as const);
  if (removal.state === "absent") await releaseWithPart(here, vlans, context);
  await noteRemoval("layer2", removal, context);
}
