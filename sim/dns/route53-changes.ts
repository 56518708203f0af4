import { XMLParser } from "fast-xml-parser";
import ipaddr from "ipaddr.js";
import * as z from "zod";
import type { RRset, Zone, Zones } from "./zones.ts";

/** A refusal: its HTTP status, its code and its message. */
export class Route53Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface BatchChange {
  action: string;
  set: RRset;
}

const actions = ["CREATE", "DELETE", "UPSERT"];

const invalidInput = (message: string) => new Route53Refusal(400, "InvalidInput", message);
const malformedInput = (message: string) => new Route53Refusal(400, "MalformedInput", message);

const parser = new XMLParser({
  ignoreDeclaration: true,
  parseTagValue: false,
  htmlEntities: true,
  isArray: (name) => name === "Change" || name === "ResourceRecord",
});

const requestSchema = z.object({
  ChangeResourceRecordSetsRequest: z.object({
    ChangeBatch: z.object({
      Changes: z.object({
        Change: z.array(
          z.object({ Action: z.string().default(""), ResourceRecordSet: z.unknown() }),
        ),
      }),
    }),
  }),
});

const setSchema = z.object({
  Name: z.string().min(1),
  Type: z.string().min(1),
  TTL: z.string(),
  ResourceRecords: z.object({
    ResourceRecord: z.array(z.object({ Value: z.string().default("") })),
  }),
});

const requestName = "ChangeResourceRecordSetsRequest";

export function parseBatch(body: string): BatchChange[] {
  const request = documentIn(body);
  const [name = ""] = Object.keys(request);
  if (name !== requestName) throw malformedInput(`${name} is not valid, expected ${requestName}`);
  const { data } = requestSchema.safeParse(request);
  if (!data) {
    const change = '{"https://route53.amazonaws.com/doc/2013-04-01/":Change}';
    throw invalidInput(
      `Invalid XML ; cvc-complex-type.2.4.b: The content of element 'Changes' is not complete. One of '${change}' is expected.`,
    );
  }
  const { Changes } = data.ChangeResourceRecordSetsRequest.ChangeBatch;
  return Changes.Change.map(({ Action, ResourceRecordSet }) => {
    if (!actions.includes(Action)) {
      throw invalidInput(
        `Invalid XML ; cvc-enumeration-valid: Value '${Action}' is not facet-valid with respect to enumeration '[${actions.join(", ")}]'. It must be a value from the enumeration.`,
      );
    }
    return { action: Action, set: parseSet(ResourceRecordSet) };
  });
}

function documentIn(body: string): object {
  try {
    return z.looseObject({}).parse(parser.parse(body, true));
  } catch {
    throw malformedInput("Unexpected end of document");
  }
}

function parseSet(element: unknown): RRset {
  const { data } = setSchema.safeParse(element);
  if (!data) throw invalidInput("A record set needs a name, a type, a TTL and values");
  const { Name, Type, TTL, ResourceRecords } = data;
  return {
    name: `${Name.toLowerCase().replaceAll("\\052", "*").replace(/\.$/, "")}.`,
    type: Type,
    ttl: Number(TTL),
    records: ResourceRecords.ResourceRecord.map(({ Value }) => ({
      content: Value,
      disabled: false,
    })),
    comments: [],
  };
}

/** Applies all changes, or none. A refusal has a message for each invalid change. */
export function applyBatch(zones: Zones, zone: Zone, batch: BatchChange[]): void {
  const messages: string[] = [];
  zones.atomically(() => {
    for (const change of batch) {
      const wrong = apply(zones, zone, change);
      if (wrong) messages.push(wrong);
    }
    if (messages.length > 0) {
      throw new Route53Refusal(400, "InvalidChangeBatch", `[${messages.join(", ")}]`);
    }
  });
}

/** Applies one change; returns the message when the change is invalid. */
function apply(zones: Zones, zone: Zone, { action, set }: BatchChange): string | undefined {
  const { name, type } = set;
  const said = `resource record set [name='${name.replaceAll("*", "\\052")}', type='${type}']`;
  if (!`.${name}`.endsWith(`.${zone.name}`)) {
    return `RRSet with DNS name ${name} is not permitted in zone ${zone.name}`;
  }
  const bad = set.records.find(({ content }) => !isGood(type, content));
  if (bad) {
    return `Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '${bad.content}''`;
  }
  const others = zones.setsAt(zone, name);
  const there = others.find((other) => other.type === type);
  if (action === "DELETE") {
    if (!there) return `Tried to delete ${said} but it was not found`;
    if (!isSame(there, set)) {
      return `Tried to delete ${said} but the values provided do not match the current values`;
    }
    zones.remove(zone, name, type);
    return undefined;
  }
  if (action === "CREATE" && there) return `Tried to create ${said} but it already exists`;
  if (others.some((other) => other !== there && [other.type, type].includes("CNAME"))) {
    return `RRSet of type ${type} with DNS name ${name} is not permitted as it conflicts with other records with the same DNS name in zone ${zone.name}`;
  }
  zones.put(zone, set);
  return undefined;
}

function isSame(one: RRset, other: RRset): boolean {
  const values = ({ records }: RRset) => records.map(({ content }) => content).sort();
  return one.ttl === other.ttl && JSON.stringify(values(one)) === JSON.stringify(values(other));
}

function isGood(type: string, content: string): boolean {
  if (type === "A") return ipaddr.IPv4.isValidFourPartDecimal(content);
  if (type === "AAAA") return ipaddr.IPv6.isValid(content);
  return type !== "TXT" || /^".*"$/.test(content);
}
