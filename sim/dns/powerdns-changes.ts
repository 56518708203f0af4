import ipaddr from "ipaddr.js";
import * as z from "zod";
import type { PowerDnsVersion } from "./powerdns-version.ts";
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

/** One member of `rrsets` in a PATCH; missing members are reported one by one, as by PowerDNS. */
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

/** A new zone with its SOA and NS records. */
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

/**
 * Applies a PATCH: all changes in order, or none. Returns the zone's new serial; since 5.0 undefined when nothing
 * changed.
 */
export function applyChanges(
  zones: Zones,
  zone: Zone,
  body: unknown,
  now: number,
  version: PowerDnsVersion,
): number | undefined {
  const isOld = version === "4.7";
  const changes = bodySchema.safeParse(body).data?.rrsets;
  if (!changes) throw refused("No rrsets given in update request");
  const serial = Math.max(zone.serial + 1, firstSerial(now));
  let isChanged = isOld;
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
      const whole = isOld ? change : wholeOf(zones, zone, change);
      if (!whole) continue;
      isChanged = true;
      if (changetype === "DELETE") zones.remove(zone, change.name.toLowerCase(), change.type);
      else if (whole.changetype === "REPLACE") replace(zones, zone, whole, now, isOld);
      else if (isOld) throw refused("Changetype not understood");
      else throw refused(`Changetype '${changetype}' is not a valid value`);
    }
    if (isChanged) zones.setSerial(zone, serial);
  });
  return isChanged ? serial : undefined;
}

/**
 * The RRset that replaces a set to which a change adds a record, or from which it removes one; undefined when that
 * changes nothing. Other changes are returned as they are.
 */
function wholeOf(zones: Zones, zone: Zone, change: Change): Change | undefined {
  const { changetype, type, records, ttl } = change;
  if (changetype !== "EXTEND" && changetype !== "PRUNE") return change;
  if (!records) throw refused("No record provided for PRUNE or EXTEND operation");
  const [record, ...others] = records;
  if (!record || others.length > 0)
    throw refused("Exactly one record should be provided for PRUNE or EXTEND operation");
  if (ttl === undefined)
    throw refused("Submitted record is invalid: Key 'ttl' not an Integer or not present");
  const before = zones.setsAt(zone, change.name.toLowerCase()).find((set) => set.type === type);
  const has = before?.records ?? [];
  const isThere = has.some(({ content }) => content === record.content);
  if (isThere === (changetype === "EXTEND")) return undefined;
  const left = has.filter(({ content }) => content !== record.content);
  const wanted = isThere ? left : [...has, record];
  if (before && !isThere && before.ttl !== ttl)
    throw refused(
      `RRset ${change.name} IN ${type}: uses a different TTL value than the remainder of the RRset`,
    );
  return { ...change, changetype: "REPLACE", records: wanted };
}

function replace(zones: Zones, zone: Zone, change: Change, now: number, isOld: boolean): void {
  const { type, ttl, records, comments } = change;
  const name = change.name.toLowerCase();
  const text = `RRset ${change.name} IN ${type}`;
  if (!`.${name}`.endsWith(`.${zone.name}`)) throw refused(`${text}: Name is out of zone`);
  if (!records && !comments) throw refused(`No change for ${text}`);
  const others = zones.setsAt(zone, name);
  const before = others.find((set) => set.type === type);
  if (records) {
    if (records.length > 0 && ttl === undefined) {
      const noTtl = "Key 'ttl' not an Integer or not present";
      throw refused(isOld ? noTtl : `New RRsets are invalid: ${noTtl}`);
    }
    for (const [n, { content }] of records.entries()) {
      requireContent(change.name, type, content);
      if (records.findIndex((one) => one.content === content) !== n) {
        throw refused(
          isOld
            ? `Duplicate record in ${text} with content "${content}"`
            : `${text}: duplicate record with content "${content}"`,
        );
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

/** The first serial of a zone: the date and a counter, by convention. */
function firstSerial(now: number): number {
  return Number(`${new Date(now).toISOString().slice(0, 10).replaceAll("-", "")}01`);
}
