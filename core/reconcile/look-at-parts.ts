import { isDeepStrictEqual } from "node:util";
import { toAppError } from "../error.ts";
import type { Deps } from "../kernel/deps.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import { heldHosts } from "../placement/release.ts";
import type { Dns } from "../ports/dns/dns.ts";
import type { Fabric, Observation, Progress } from "../ports/fabric/fabric.ts";
import type { Storage } from "../ports/storage/storage.ts";
import type { Cluster } from "../resources/cluster/model.ts";
import { ownedDomain, recordsOf } from "../resources/cluster/owner.ts";
import { storageOf } from "../resources/cluster-template/content/render.ts";
import { loadRevision } from "../resources/cluster-template/content/revisions.ts";
import type { Host } from "../resources/host/model.ts";
import {
  type FloatingIpUse,
  floatingIpUses,
  type SitePart,
  type SiteRecord,
} from "../resources/site/at-site.ts";
import { linksOf, networkOf, ownerOf } from "../resources/site/owner.ts";
import { donePart, type PartStatus, withPart } from "../resources/site/parts.ts";

/** What was seen of each part; a part that its system says nothing about is left out. */
type Seen = Partial<Record<SitePart, PartStatus>>;

/**
 * Whether nothing changes the cluster now, so that its parts at the site should be as they were
 * left.
 */
export const isAtRest = ({ published, operation, metadata }: Cluster): boolean =>
  published && operation === undefined && metadata.deletion_timestamp === undefined;

/**
 * Checks whether a READY cluster still has all its parts at its site, and records parts that are
 * missing or back. It mends nothing. A part that its system says nothing about keeps its state.
 */
export async function lookAtParts(deps: Deps, cluster: Cluster): Promise<void> {
  const { site: own } = cluster;
  if (!own) return;
  const { fabric, dns, storage } = await deps.sites.systems(own.id);
  const seen: Seen = {
    ...(await told(deps, cluster, fabric, partsAtFabric)),
    ...(await told(deps, cluster, dns, partsAtDns)),
    ...(await told(deps, cluster, storage, partsAtStorage)),
  };
  await changeObject(deps, "cluster", cluster.id, (current) => {
    // The check did not see what an operation has done meanwhile.
    const same =
      isDeepStrictEqual(current.site, own) &&
      isDeepStrictEqual(current.placement, cluster.placement);
    return isAtRest(current) && same ? withSeen(current, own, seen, deps.clock.now()) : undefined;
  });
}

function withSeen(cluster: Cluster, own: SiteRecord, seen: Seen, now: number): Cluster | undefined {
  let site = own;
  for (const [part, is] of Object.entries(seen) as [SitePart, PartStatus][]) {
    if (own.parts[part]) site = withPart(site, part, is, now);
  }
  return isDeepStrictEqual(site, own) ? undefined : { ...cluster, site };
}

async function told<System>(
  deps: Deps,
  cluster: Cluster,
  system: System | undefined,
  look: (deps: Deps, cluster: Cluster, system: System) => Promise<Seen>,
): Promise<Seen> {
  if (!system) return {};
  try {
    return await look(deps, cluster, system);
  } catch (thrown) {
    const { kind, message, detail } = toAppError(thrown);
    deps.log.warn({ cluster: cluster.id, kind, detail: detail ?? message }, "a look failed");
    return {};
  }
}

async function partsAtFabric(deps: Deps, cluster: Cluster, fabric: Fabric): Promise<Seen> {
  const { site: own } = cluster;
  if (own?.vlan === undefined) return {};
  const hosts = (await heldHosts(deps, cluster)).map(({ host }) => host);
  const seen = await fabric.observe(networkOf(cluster));
  return {
    ...part("layer2", problem(seen.layer2, "the network")),
    ...(own.network && part("layer3", problem(seen.layer3, "the gateway"))),
    ...(own.network && part("attachments", attachmentProblem(seen, hosts))),
    ...part("floating_ips", addressProblem(seen, own)),
  };
}

/** Empty for no problem; undefined where the system does not tell. */
type Problem = string | undefined;

const part = (name: SitePart, found: Problem): Seen =>
  found === undefined
    ? {}
    : { [name]: found === "" ? donePart : { state: "pending", message: found } };

function problem(is: Progress, what: string): Problem {
  switch (is.state) {
    case "done":
      return "";
    case "unknown":
      return undefined;
    case "absent":
      return `${what} is gone`;
    default:
      return `${what}: ${is.message}`;
  }
}

/** Says which switch ports of these hosts are not bound. */
export function attachmentProblem({ attachments }: Observation, hosts: Host[]): Problem {
  const links = hosts.flatMap(linksOf);
  const stateOf = (mac: string) =>
    attachments.find((each) => each.mac.toLowerCase() === mac.toLowerCase())?.state;
  const states = links.map(({ mac }) => stateOf(mac));
  if (states.includes("unknown")) return undefined;
  const unbound = states.filter((state) => state !== "bound").length;
  return unbound === 0 ? "" : `${unbound} of ${links.length} switch ports are not bound`;
}

function addressProblem({ floatingIps }: Observation, own: SiteRecord): Problem {
  const { floating_ips: outside, network: inside } = own;
  if (!outside || !inside) return undefined;
  const problems = floatingIpUses.map((use: FloatingIpUse): Problem => {
    const what = `floating IP ${outside[use]} for ${use}`;
    const found = floatingIps.find((each) => each.use === use && each.address === outside[use]);
    if (!found) return `${what} is gone`;
    return problem(found.progress, what);
  });
  return problems.find((each) => each !== undefined && each !== "") ?? problems[0];
}

async function partsAtDns(_: Deps, cluster: Cluster, dns: Dns): Promise<Seen> {
  const { site: own } = cluster;
  if (own?.domain === undefined) return {};
  const records = recordsOf(own, own.domain);
  const seen = await dns.observe(ownedDomain(cluster, own.domain), records, own.dns_change);
  if (seen.state === "unknown") return {};
  return part("dns_records", seen.state === "done" ? "" : seen.message);
}

async function partsAtStorage(deps: Deps, cluster: Cluster, storage: Storage): Promise<Seen> {
  if (!storageOf(await loadRevision(deps.store, cluster))) return {};
  const { state } = await storage.observe(ownerOf(cluster));
  return part("storage", state === "done" ? "" : "its share of the storage is gone");
}
