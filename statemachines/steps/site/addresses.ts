import { type AtSite, floatingIpUses, type SiteRecord } from "../../../core/at-site/at-site.ts";
import { donePart } from "../../../core/at-site/parts.ts";
import { addressOf, numberOf } from "../../../core/ipv4.ts";
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

const addresses = {
  use: "floating_ips",
  part: "floating_ips",
  count: 2,
  held: ({ floating_ips: ips }: SiteRecord) =>
    ips ? [numberOf(ips.api), numberOf(ips.ingress)] : [],
  hold: (site: SiteRecord, [api = 0, ingress = 0]: number[]): SiteRecord => ({
    ...site,
    floating_ips: { api: addressOf(api), ingress: addressOf(ingress) },
  }),
  release: ({ floating_ips: _, ...site }: SiteRecord): SiteRecord => site,
} as const;

/** Claims outside addresses for API and ingress, and routes each to an inside one. */
export async function allocateFloatingIps(
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  if (!here.fabric || !here.record.network) return note("floating_ips", donePart, context);
  const record = await claim(here, addresses, context);
  if (!record?.floating_ips || !record.network) return;
  const { floating_ips: outside, network: inside } = record;
  let status = donePart;
  for (const use of floatingIpUses) {
    const plan = { use, internal: inside[use], address: outside[use] };
    try {
      const { progress } = await here.fabric.ensureFloatingIp(here.networkOwner, plan);
      const seen = siteStatusOf(progress, `floating IP ${outside[use]} for ${use}`);
      if (seen.state === "failed") return note("floating_ips", seen, context);
      // Both are requested before the step waits for either.
      if (status.state === "done") status = seen;
    } catch (error) {
      if (!(error instanceof Taken)) throw error;
      const message = `address ${outside[use]} is in use by others; others are claimed`;
      await note("floating_ips", { state: "pending", message }, context);
      // Floating IPs that exist are removed first; then both addresses are released, and the next check claims
      // others.
      const removal = await here.fabric.removeFloatingIps(here.networkOwner);
      if (removal.state === "absent")
        await releaseSiteNumbers(here, addresses, context, addresses.held(record));
      return;
    }
  }
  await note("floating_ips", status, context);
}

export async function releaseFloatingIps(
  target: AtSite,
  context: StepContext<AtSite>,
): Promise<void> {
  const here = await siteOf(target, context);
  if (!here) return;
  const removal =
    here.fabric && here.record.floating_ips
      ? await here.fabric.removeFloatingIps(here.networkOwner)
      : ({ state: "absent" } as const);
  if (removal.state === "absent") await releaseWithPart(here, addresses, context);
  await noteRemoval("floating_ips", removal, context);
}
