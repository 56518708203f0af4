import ipaddr from "ipaddr.js";
import * as z from "zod";
import type { RRset, Zone, Zones } from "./zones.ts";

/** A refusal: its status, and the text that goes into `error`. */
export class ApiRefusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const refused = (message: string) => new ApiRefusal(422, message);

/** One member of `rrsets` in a PATCH; missing members are reported one by one, like PowerDNS does. */
const changeSchema = z.object({
  name: z.string(),
  type: z.string(),
  changetype: z.string().optional(),
  ttl: z.int().optional(),
  records: z
    .array(z.object({ content: z.string(), disabled: z.boolean().default(false) }))
    .optional(),
  comments: z.array(z.object({ content: z.string(), account: z.string().default("") })).optional(),
});
type Change = z.infer<typeof changeSchema>;

const bodySchema = z.object({ rrsets: z.array(changeSchema) });

/** Makes a zone with the usual first records. */
export function newZone(zones: Zones, body: unknown, now: number): Zone {
  const {
    name,
    kind,
    nameservers = [],
  } = z
    .object({
      name: z.string(),
      kind: z.string().optional(),
      nameservers: z.array(z.string()).optional(),
    })
    .safeParse(body).data ?? {};
  if (name === undefined) throw refused("Key 'name' not present or not a String");
  requireCanonical(name);
  if (kind === undefined) throw refused("Key 'kind' not present or not a String");
  const wrong = nameservers.find((server) => !server.endsWith("."));
  if (wrong) throw refused(`Nameserver is not canonical: '${wrong}'`);
  const zone = { id: name, name, serial: firstSerial(now) };
  if (zones.get(name)) throw new ApiRefusal(409, "Conflict");
  return zones.atomically(() => {
    zones.add(zone);
    const soa = `a.misconfigured.dns.server.invalid. hostmaster.${name} ${zone.serial} 10800 3600 604800 3600`;
    const own = (type: string, contents: string[]) =>
      zones.put(zone, {
        name,
        type,
        ttl: 3600,
        records: contents.map((content) => ({ content, disabled: false })),
        comments: [],
      });
    own("SOA", [soa]);
    if (nameservers.length > 0) own("NS", nameservers);
    return zone;
  });
}

/** Applies a PATCH: every change in its order, or none. Answers the new serial of the zone. */
export function applyChanges(zones: Zones, zone: Zone, body: unknown, now: number): number {
  const changes = bodySchema.safeParse(body).data?.rrsets;
  if (!changes) throw refused("No rrsets given in update request");
  const serial = Math.max(zone.serial + 1, firstSerial(now));
  zones.atomically(() => {
    const seen = new Set<string>();
    for (const change of changes) {
      const text = `${change.name} IN ${change.type}`;
      requireCanonical(change.name);
      const { changetype } = change;
      if (changetype === undefined) throw refused("Key 'changetype' not present or not a String");
      const key = `${text} ${changetype}`;
      if (seen.has(key)) {
        throw refused(`Duplicate RRset ${text} with changetype: ${changetype}`);
      }
      seen.add(key);
      if (changetype === "DELETE") zones.remove(zone, change.name.toLowerCase(), change.type);
      else if (changetype === "REPLACE") replace(zones, zone, change, now);
      else throw refused("Changetype not understood");
    }
    zones.setSerial(zone, serial);
  });
  return serial;
}

function replace(zones: Zones, zone: Zone, change: Change, now: number): void {
  const { type, ttl, records, comments } = change;
  const name = change.name.toLowerCase();
  const text = `RRset ${change.name} IN ${type}`;
  if (!`.${name}`.endsWith(`.${zone.name}`)) throw refused(`${text}: Name is out of zone`);
  if (!records && !comments) throw refused(`No change for ${text}`);
  const others = zones.setsAt(zone, name);
  const before = others.find((set) => set.type === type);
  if (records) {
    if (records.length > 0 && ttl === undefined) {
      throw refused("Key 'ttl' not an Integer or not present");
    }
    for (const [n, { content }] of records.entries()) {
      requireContent(change.name, type, content);
      if (records.findIndex((one) => one.content === content) !== n) {
        throw refused(`Duplicate record in ${text} with content "${content}"`);
      }
    }
    const clash = others.some((set) => set.type !== type && excludes(set.type, type));
    if (records.length > 0 && clash) throw refused(`${text}: Conflicts with pre-existing RRset`);
  }
  const kept = records ?? before?.records ?? [];
  if (kept.length === 0) {
    zones.remove(zone, name, type);
    return;
  }
  const set: RRset = {
    name,
    type,
    ttl: ttl ?? before?.ttl ?? 0,
    records: kept,
    comments:
      comments?.map((comment) => ({ ...comment, modified_at: Math.floor(now / 1000) })) ??
      before?.comments ??
      [],
  };
  zones.put(zone, set);
}

/** Whether two types of records exclude each other: a CNAME allows no other record of its name. */
const excludes = (one: string, other: string): boolean => one === "CNAME" || other === "CNAME";

function requireCanonical(name: string): void {
  if (!name.endsWith(".")) throw refused(`DNS Name '${name}' is not canonical`);
}

function requireContent(name: string, type: string, content: string): void {
  const isGood =
    (type !== "A" || ipaddr.IPv4.isValidFourPartDecimal(content)) &&
    (type !== "AAAA" || ipaddr.IPv6.isValid(content));
  if (!isGood) {
    throw refused(
      `Record ${name}/${type} '${content}': Parsing record content (try 'pdnsutil check-zone'): while parsing IP address`,
    );
  }
}

/** The first serial of a zone: the date and a counter, as is usual. */
function firstSerial(now: number): number {
  return Number(`${new Date(now).toISOString().slice(0, 10).replaceAll("-", "")}01`);
}
