import { AppError } from "../../../core/error.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { heldHosts } from "../../../core/placement/release.ts";
import { overlap } from "../../../core/resources/cluster/cidr.ts";
import type { ClusterNetwork, ClusterSite } from "../../../core/resources/cluster/cluster-site.ts";
import type { Cluster } from "../../../core/resources/cluster/model.ts";
import type { SiteNetwork } from "../../../core/resources/site/model.ts";
import { networkPlan, refuseTooMany } from "../../../core/site/network.ts";
import { isDone } from "../../../core/site/parts.ts";
import { claim, giveBack, note, noteRemoval, siteOf, toldBy } from "./site.ts";

const prefixes = (network: SiteNetwork) =>
  ({
    use: "prefixes",
    part: "layer3",
    count: 1,
    held: (site: ClusterSite) => (site.network ? [site.network.number] : []),
    hold: (site: ClusterSite, [number = 0]: number[]): ClusterSite => ({
      ...site,
      network: networkPlan(network, number),
    }),
    letGo: ({ network: _, ...site }: ClusterSite): ClusterSite => site,
  }) as const;

/** A prefix of the cluster's own: gateway and DHCP on its layer 2 network, and a way to the outside. */
export async function createLayer3Network(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const { network } = here.site.spec;
  if (!here.fabric || !network) return note("layer3", isDone, context);
  const held = await heldHosts(context.deps, cluster);
  refuseTooMany(network, held.flatMap(({ host }) => host.spec.nics).length);
  const plan = (await claim(here, prefixes(network), context))?.network;
  if (!plan) return;
  refuseOverlap(cluster, plan);
  await context.guard();
  const seen = await here.fabric.ensureLayer3(here.order, layer3Of(plan));
  await note("layer3", toldBy(seen, "the gateway"), context);
}

/** Hosts could not tell the addresses of their pods from those of each other. */
function refuseOverlap({ spec }: Cluster, { prefix }: ClusterNetwork): void {
  const inside = { pod_cidr: spec.network.pod_cidr, service_cidr: spec.network.service_cidr };
  for (const [member, cidr] of Object.entries(inside)) {
    if (cidr !== undefined && overlap(cidr, prefix))
      throw new AppError(
        "Rejected",
        `spec.network.${member} ${cidr} overlaps the network of its hosts, ${prefix}: order it with another`,
      );
  }
}

const layer3Of = ({ prefix, gateway, range, dns_servers }: ClusterNetwork) => ({
  prefix,
  gateway,
  range,
  dnsServers: dns_servers,
});

export async function removeLayer3Network(
  cluster: Cluster,
  context: StepContext<Cluster>,
): Promise<void> {
  const here = await siteOf(cluster, context);
  if (!here) return;
  const { network } = here.site.spec;
  const removal =
    here.fabric && here.own.network
      ? await here.fabric.removeLayer3(here.order)
      : ({ state: "absent" } as const);
  if (removal.state === "absent" && network) await giveBack(here, prefixes(network), context);
  await noteRemoval("layer3", removal, context);
}
