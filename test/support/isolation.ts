import ipaddr from "ipaddr.js";
import type { Protocol } from "../../sim/packets/packets.ts";
import type { Answer, Site, Wire } from "./site.ts";

/** Tenants with clusters in their networks, and a model of the rules of packets that knows only what they ordered. */

/** Asks the public API as one tenant. */
type Ask = (method: string, path: string, body?: unknown) => Promise<Answer>;

export interface Tenant {
  ask: Ask;
  network: string;
  /** Subnets and groups by name, with their ids. */
  subnets: Record<string, string>;
  groups: Record<string, string>;
}

export interface Rule {
  protocol: `PROTOCOL_${"TCP" | "UDP" | "ICMP" | "ALL"}`;
  port_from?: number;
  port_to?: number;
  ipv4_cidr?: string;
  security_group?: { id: string } | string;
}

export const accepted = ({ status, body }: Answer): Wire => {
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(body)}`);
  return body;
};

/** Orders something and answers its id, once nothing works on it any more. */
export async function made(
  site: Site,
  ask: Ask,
  collection: string,
  name: string,
  spec: object,
): Promise<string> {
  const { id } = accepted(await ask("POST", collection, { metadata: { name }, spec }));
  await settledAs(site, ask, `${collection}/${id}`);
  return id;
}

/** Runs until nothing works on an object, and answers it; undefined for one that is gone. */
export async function settledAs(site: Site, ask: Ask, path: string): Promise<Wire> {
  const read = () => ask("GET", path);
  await site.laptop.until(
    async () => (await read()).body.status?.operation === undefined,
    `${path} at rest`,
  );
  const { status, body } = await read();
  return status === 404 ? undefined : body;
}

/** A NIC of a cluster's host, as the tenant's orders have it. */
interface Member {
  nic: string;
  host: string;
  address: string;
  /** The network that it stands in: the tenant's, or the cluster's own. */
  network: string;
  /** Undefined for the hosts of a cluster with a network of its own: everything passes in that. */
  groups: readonly string[] | undefined;
}

const protocols: Record<Rule["protocol"], Protocol | undefined> = {
  PROTOCOL_TCP: "tcp",
  PROTOCOL_UDP: "udp",
  PROTOCOL_ICMP: "icmp",
  PROTOCOL_ALL: undefined,
};

/** What was asked of the fabric, and what the orders say. */
export interface Judged {
  from: string;
  to: string;
  protocol: Protocol;
  port: number;
  arrives: boolean;
}

export interface Question {
  protocol: Protocol;
  port: number;
}

/** Each pair of hosts, in clusters or free: whether packets arrive, and whether the orders let them. */
export async function judgeAll(
  site: Site,
  tenants: readonly Tenant[],
  questions: readonly Question[],
): Promise<{ seen: Judged[]; wanted: Judged[] }> {
  const { members, rules } = await orders(site, tenants);
  const byNic = new Map(members.map((member) => [member.nic, member]));
  const nics = site.world.hosts().flatMap(({ nics }) => nics.map(({ mac }) => mac.toLowerCase()));
  const known = nics.filter((nic) => byNic.has(nic));
  // Of the hosts that nobody has, a few stand for all.
  const others = nics.filter((nic) => !byNic.has(nic)).slice(0, 4);
  const seen: Judged[] = [];
  const wanted: Judged[] = [];
  for (const from of [...known, ...others])
    for (const to of [...known, ...others]) {
      const [a, b] = [byNic.get(from), byNic.get(to)];
      if (from === to || (a && a.host === b?.host)) continue;
      for (const { protocol, port } of questions) {
        const asked = { from, to, protocol, port };
        const { arrives } = site.world.site.fabric.reaches(
          { nic: from },
          { nic: to },
          protocol,
          port,
        );
        seen.push({ ...asked, arrives });
        wanted.push({ ...asked, arrives: isLet(rules, a, b, { protocol, port }) });
      }
    }
  return { seen, wanted };
}

type Rules = ReadonlyMap<string, Record<"ingress" | "egress", readonly Rule[]>>;

/** The members of every cluster that is READY, and the rules of every group, by the API. */
async function orders(
  site: Site,
  tenants: readonly Tenant[],
): Promise<{ members: Member[]; rules: Rules }> {
  const hosts = new Map<string, Wire>(
    accepted(await site.admin("GET", "hosts?limit=1000")).items.map((host: Wire) => [
      host.id,
      host,
    ]),
  );
  const agents = site.world.site.fabric.read(({ records }) => records.all("port"));
  const members: Member[] = [];
  const rules = new Map<string, Record<"ingress" | "egress", readonly Rule[]>>();
  for (const { ask, network } of tenants) {
    for (const { id, spec } of accepted(await ask("GET", "security_groups")).items)
      rules.set(id, { ingress: spec.ingress ?? [], egress: spec.egress ?? [] });
    for (const { id, spec } of accepted(await ask("GET", "clusters")).items) {
      const { status } = accepted(await site.admin("GET", `clusters/${id}`));
      const at = spec.network_attachment;
      const ids: string[] = Object.values<string[]>(status.hosts ?? {}).flat();
      for (const host of ids)
        for (const { mac } of hosts.get(host)?.spec.nics ?? []) {
          const nic = String(mac).toLowerCase();
          const port = agents.find(({ mac_address }) => mac_address === nic);
          members.push({
            nic,
            host,
            address: port?.fixed_ips[0]?.ip_address ?? "",
            network: at ? network : id,
            groups: at?.security_groups.map((group: Wire) => group.id),
          });
        }
    }
  }
  return { members, rules };
}

/** The rules of packets in short: two members of one network, one lets it out, the other lets it in. */
function isLet(
  rules: Rules,
  a: Member | undefined,
  b: Member | undefined,
  question: Question,
): boolean {
  if (!a || !b || a.network !== b.network) return false;
  return lets(rules, a, "egress", b, question) && lets(rules, b, "ingress", a, question);
}

function lets(
  rules: Rules,
  { groups }: Member,
  direction: "ingress" | "egress",
  other: Member,
  question: Question,
): boolean {
  if (!groups) return true;
  // The default group lets everything out, and in what its own members send.
  if (groups.length === 0) return direction === "egress" || other.groups?.length === 0;
  return groups
    .flatMap((group) => rules.get(group)?.[direction] ?? [])
    .some((rule) => isFor(rule, question) && isOther(rule, other));
}

function isFor({ protocol, port_from: from, port_to: to }: Rule, question: Question): boolean {
  const wanted = protocols[protocol];
  if (wanted !== undefined && wanted !== question.protocol) return false;
  return from === undefined || (from <= question.port && question.port <= (to ?? from));
}

function isOther({ ipv4_cidr: cidr, security_group: group }: Rule, other: Member): boolean {
  if (cidr !== undefined) return ipaddr.parse(other.address).match(ipaddr.parseCIDR(cidr));
  const id = typeof group === "string" ? group : group?.id;
  return other.groups?.some((each) => each === id) ?? false;
}
