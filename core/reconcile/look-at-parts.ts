import { isDeepStrictEqual } from "node:util";
import {
  type AtSite,
  type FloatingIpUse,
  floatingIpUses,
  type SitedKind,
  type SitePart,
  type SiteRecord,
  type Stand,
} from "../at-site/at-site.ts";
import { linksOf, networkIn, subnetOf, subnetPlanOf } from "../at-site/owner.ts";
import { type Owning, owningOf } from "../at-site/owners.ts";
import { donePart, type PartStatus, withPart } from "../at-site/parts.ts";
import { logged } from "../error.ts";
import { changeObject } from "../kernel/events/rewrite.ts";
import type { ObjectOf } from "../kernel/object/object-of.ts";
import type { Placed } from "../kernel/object/traits.ts";
import type { StepDeps } from "../kernel/saga/context.ts";
import { heldHosts } from "../placement/reserve/release.ts";
import type { Dhcp } from "../ports/dhcp/dhcp.ts";
import type { Dns } from "../ports/dns/dns.ts";
import type { Fabric, FabricObservation, ObjectState } from "../ports/fabric/fabric.ts";
import type { Storage } from "../ports/storage/storage.ts";
import type { Host } from "../resources/host/model.ts";

/** The observed state of each part; parts whose system does not report them are left out. */
type Seen = Partial<Record<SitePart, PartStatus>>;

/** An object that may have parts at a site. */
type Sited = ObjectOf[SitedKind];

/** A check of one object. */
interface Look {
  deps: StepDeps;
  target: Sited;
  own: SiteRecord;
  owning: Owning<SitedKind>;
}

/** Whether no operation changes the object, so that its parts at the site should be unchanged. */
export const isAtRest = (deps: Pick<StepDeps, "owners">, target: Sited): boolean =>
  owningOf(deps, target.kind)?.parts?.areMade(target) === true &&
  target.operation === undefined &&
  target.metadata.deletion_timestamp === undefined;

/**
 * Checks whether an object at rest still has all its parts at its site, and records missing parts and parts that are
 * back. The check repairs nothing. A part that its system does not report keeps its state. Answers whether a part is
 * missing.
 */
export async function lookAtParts(deps: StepDeps, target: Sited): Promise<boolean> {
  const at: AtSite = target;
  const { kind, id, site: own } = at;
  const owning = owningOf(deps, kind);
  if (!own || !owning) return false;
  const look: Look = { deps, target, own, owning };
  const { fabric, dhcp, dns, storage } = await deps.sites.systems(own.id);
  const seen: Seen = {
    ...(await told(look, fabric, partsAtFabric)),
    ...(await told(look, at.stands_in ? undefined : dhcp, problemsAtDhcp)),
    ...(await told(look, dns, partsAtDns)),
    ...(await told(look, storage, partsAtStorage)),
  };
  const { placement }: Placed = target;
  await changeObject(deps, kind, id, (current) => {
    // An operation may have changed it during the check.
    const now: Placed = current;
    const same =
      isDeepStrictEqual(current.site, own) && isDeepStrictEqual(now.placement, placement);
    return isAtRest(deps, current) && same
      ? withSeen(current, own, seen, deps.clock.now())
      : undefined;
  });
  return Object.values(seen).some(({ state }) => state !== "done");
}

function withSeen(target: Sited, own: SiteRecord, seen: Seen, now: number): Sited | undefined {
  let site = own;
  for (const [part, is] of Object.entries(seen) as [SitePart, PartStatus][]) {
    if (own.parts[part]) site = withPart(site, part, is, now);
  }
  return isDeepStrictEqual(site, own) ? undefined : { ...target, site };
}

async function told<System>(
  looked: Look,
  system: System | undefined,
  look: (looked: Look, system: System) => Promise<Seen>,
): Promise<Seen> {
  if (!system) return {};
  try {
    return await look(looked, system);
  } catch (thrown) {
    const { deps, target } = looked;
    deps.log.warn({ [target.kind]: target.id, ...logged(thrown) }, "a check failed");
    return {};
  }
}

async function partsAtFabric(look: Look, fabric: Fabric): Promise<Seen> {
  const { deps, target, own, owning }: Look = look;
  const { stands = [] }: AtSite = target;
  if (stands.length > 0) return portsIn(stands, look, fabric);
  const network = owning.network?.(target);
  const isOwn = own.vlan !== undefined;
  if (!network || !(isOwn || network.within)) return {};
  const hosts = (await heldHosts(deps, target)).map(({ host }) => host);
  const seen = await fabric.observe(network);
  return {
    ...(isOwn && part("layer2", problem(seen.layer2, "the network"))),
    ...(isOwn && own.network && part("layer3", problem(seen.layer3, "the gateway"))),
    ...(own.network && part("attachments", attachmentProblem(seen, hosts))),
    ...part(
      "floating_ips",
      worstOf([addressProblem(seen, own), ...(await externalProblems(target, own, fabric))]),
    ),
  };
}

/** The ports of an object that is in subnets of its tenant, and has nothing else at the fabric. */
async function portsIn(
  stands: readonly Stand[],
  { deps, target }: Look,
  fabric: Fabric,
): Promise<Seen> {
  const hosts = (await heldHosts(deps, target)).map(({ host }) => host);
  const seen = await Promise.all(stands.map((stand) => fabric.observe(networkIn(target, stand))));
  const attachments = seen.flatMap((each) => each.attachments);
  return part("attachments", attachmentProblem({ attachments }, hosts));
}

/** The problems at the DHCP server with parts of the fabric; parts without problems are left out. */
async function problemsAtDhcp({ deps, target, own }: Look, dhcp: Dhcp): Promise<Seen> {
  if (!own.network) return {};
  const seen = await dhcp.observe(subnetOf(target, own.network), subnetPlanOf(own.network));
  const { prefix } = own.network;
  if (seen.state !== "done") {
    const how = {
      absent: `does not serve ${prefix}`,
      foreign: `serves ${prefix} for another owner`,
      differs: `serves ${prefix} in another way`,
    };
    return part("layer3", `the DHCP server ${how[seen.state]}`);
  }
  const hosts = (await heldHosts(deps, target)).map(({ host }) => host);
  const macs = hosts.flatMap(linksOf).map(({ mac }) => mac.toLowerCase());
  const without = macs.filter((mac) => !seen.reservations.some((each) => each.mac === mac)).length;
  return without === 0
    ? {}
    : part("attachments", `${without} of ${macs.length} NICs have no reservation in ${prefix}`);
}

/** The problem of a part; empty for none, undefined where the system does not report it. */
type Problem = string | undefined;

const part = (name: SitePart, found: Problem): Seen =>
  found === undefined
    ? {}
    : { [name]: found === "" ? donePart : { state: "pending", message: found } };

function problem(is: ObjectState, what: string): Problem {
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

/** Counts the switch ports of these hosts that are not bound. */
export function attachmentProblem(
  { attachments }: Pick<FabricObservation, "attachments">,
  hosts: Host[],
): Problem {
  const links = hosts.flatMap(linksOf);
  const stateOf = (mac: string) =>
    attachments.find((each) => each.mac.toLowerCase() === mac.toLowerCase())?.state;
  const states = links.map(({ mac }) => stateOf(mac));
  if (states.includes("unknown")) return undefined;
  const unbound = states.filter((state) => state !== "bound").length;
  return unbound === 0 ? "" : `${unbound} of ${links.length} switch ports are not bound`;
}

function addressProblem({ floatingIps }: FabricObservation, own: SiteRecord): Problem {
  const { floating_ips: outside, network: inside } = own;
  if (!inside) return undefined;
  // An object without addresses of its own may have external IPs.
  if (!outside) return own.external_ips ? "" : undefined;
  const problems = floatingIpUses.map((use: FloatingIpUse): Problem => {
    const what = `floating IP ${outside[use]} for ${use}`;
    const found = floatingIps.find((each) => each.use === use && each.address === outside[use]);
    if (!found) return `${what} is gone`;
    // It leads nowhere while an external IP replaces it.
    return own.external_ips?.[use] ? "" : problem(found.progress, what);
  });
  return worstOf(problems);
}

/** The problems of external IPs that replace the object's own addresses. */
const externalProblems = (
  { metadata: { tenant } }: Sited,
  { external_ips: external = {}, network: inside }: SiteRecord,
  fabric: Fabric,
): Promise<Problem[]> =>
  Promise.all(
    floatingIpUses.map(async (use): Promise<Problem> => {
      const at = external[use];
      if (!at?.leads || !inside) return "";
      const { attachment: id, name, address } = at;
      const owner = { kind: "external_ip_attachment", id, tenant, name };
      const seen = await fabric.observeExternalIp(owner, { address, internal: inside[use] });
      return problem(seen, `external IP ${address} for ${use}`);
    }),
  );

/** The first problem; undefined where there is none, but a system does not report. */
const worstOf = (problems: Problem[]): Problem =>
  problems.find((each) => each !== undefined && each !== "") ??
  (problems.includes(undefined) ? undefined : "");

async function partsAtDns({ target, own, owning: { domains } }: Look, dns: Dns): Promise<Seen> {
  if (own.domain === undefined || !domains) return {};
  const records = domains.recordsOf(own, own.domain);
  const seen = await dns.observe(domains.owned(target, own.domain), records, own.dns_change);
  if (seen.state === "unknown") return {};
  return part("dns_records", seen.state === "done" ? "" : seen.message);
}

async function partsAtStorage({ deps, target, owning }: Look, storage: Storage): Promise<Seen> {
  if (!(await owning.parts?.wantsStorage(deps, target))) return {};
  const { state } = await storage.observe(owning.owner(target));
  return part("storage", state === "done" ? "" : "its share of the storage is gone");
}
