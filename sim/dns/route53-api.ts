import { XMLBuilder } from "fast-xml-parser";
import { Hono } from "hono";
import { timestamp } from "../../core/clock.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import type { AcceptedChange, SimulatedRoute53 } from "./route53.ts";
import { applyBatch, parseBatch, Route53Refusal } from "./route53-changes.ts";
import type { TokenBucket } from "./token-bucket.ts";
import type { RRset, Zone } from "./zones.ts";

interface Route53Api {
  service: SimulatedRoute53;
  bucket: TokenBucket;
  accessKey: string;
}

const version = "/2013-04-01";
const pageSize = 300;

/** Route 53's REST-XML protocol: record sets of hosted zones, and their changes. */
export function route53Api({ service, bucket, accessKey }: Route53Api): FetchHandler {
  const app = new Hono();

  app.use("*", async (c, next) => {
    const credential = /Credential=([^/]+)\//.exec(c.req.header("authorization") ?? "")?.[1];
    if (credential !== accessKey) {
      const message = "The security token included in the request is invalid.";
      throw new Route53Refusal(403, "InvalidClientTokenId", message);
    }
    if (!bucket.take()) throw new Route53Refusal(400, "Throttling", "Rate exceeded");
    await next();
  });

  app.get(`${version}/hostedzone/:zone/rrset`, (c) => {
    const zone = zoneOf(service, c.req.param("zone"));
    return document("ListResourceRecordSetsResponse", listed(service, zone, c.req.query()));
  });
  app.on(
    "POST",
    [`${version}/hostedzone/:zone/rrset`, `${version}/hostedzone/:zone/rrset/`],
    async (c) => {
      const zone = zoneOf(service, c.req.param("zone"));
      const batch = parseBatch(await c.req.text());
      const change = service.zones.atomically(() => {
        applyBatch(service.zones, zone, batch);
        return service.accept();
      });
      return document("ChangeResourceRecordSetsResponse", {
        ChangeInfo: changeInfo(service, change),
      });
    },
  );
  app.get(`${version}/change/:id`, (c) => {
    const id = c.req.param("id");
    const change = service.change(id);
    if (!change) {
      throw new Route53Refusal(404, "NoSuchChange", `Could not find resource with ID: ${id}`);
    }
    return document("GetChangeResponse", { ChangeInfo: changeInfo(service, change) });
  });

  app.notFound(() => refused(new Route53Refusal(404, "UnknownOperationException", "")));
  app.onError((error) => {
    if (error instanceof Route53Refusal) return refused(error);
    return refused(new Route53Refusal(500, "InternalFailure", "internal failure"));
  });
  return async (request) => app.fetch(request);
}

/** A refusal in Route 53's form, in which too many requests and a busy zone have status 400. */
export function refuse(status: number): Response {
  return refused(
    worded[status] ??
      new Route53Refusal(status, status < 500 ? "InvalidInput" : "InternalFailure", injected),
  );
}

const injected = "injected fault";
const worded: Record<number, Route53Refusal> = {
  401: new Route53Refusal(
    403,
    "ExpiredToken",
    "The security token included in the request is expired",
  ),
  403: new Route53Refusal(403, "AccessDenied", "User is not authorized to perform this"),
  409: new Route53Refusal(
    400,
    "PriorRequestNotComplete",
    "The request was rejected because Route 53 was still processing a prior request.",
  ),
  429: new Route53Refusal(400, "Throttling", "Rate exceeded"),
  503: new Route53Refusal(503, "ServiceUnavailable", injected),
};

function refused({ status, code, message }: Route53Refusal): Response {
  const Type = status < 500 ? "Sender" : "Receiver";
  const body = { Error: { Type, Code: code, Message: message }, RequestId: requestId };
  return document("ErrorResponse", body, status);
}

const requestId = "7c1f0a52-0000-4000-8000-000000000000";

const builder = new XMLBuilder({ ignoreAttributes: false });

function document(name: string, content: object, status = 200): Response {
  const text = builder.build({
    "?xml": { "@_version": "1.0" },
    [name]: { "@_xmlns": "https://route53.amazonaws.com/doc/2013-04-01/", ...content },
  });
  return new Response(text, { status, headers: { "content-type": "text/xml" } });
}

function zoneOf(service: SimulatedRoute53, id: string): Zone {
  const zone = service.zones.get(id);
  if (zone) return zone;
  throw new Route53Refusal(404, "NoSuchHostedZone", `No hosted zone found with ID: ${id}`);
}

function changeInfo(service: SimulatedRoute53, change: AcceptedChange): object {
  return {
    Id: `/change/${change.id}`,
    Status: service.isInSync(change) ? "INSYNC" : "PENDING",
    SubmittedAt: timestamp(change.submittedAt),
  };
}

/** One page of records from the given name and type on, sorted by labels from the right. */
function listed(
  service: SimulatedRoute53,
  zone: Zone,
  { name, type, maxitems }: Record<string, string>,
): object {
  if (type && !name) throw new Route53Refusal(400, "InvalidInput", "The input is not valid");
  const limit = Math.min(Number(maxitems ?? pageSize), pageSize);
  const start = name && sortKey({ name: canonical(name), type: type ?? "" });
  const sets = service.zones
    .sets(zone)
    .toSorted((a, b) => compare(sortKey(a), sortKey(b)))
    .filter((set) => !start || compare(sortKey(set), start) >= 0);
  const next = sets[limit];
  return {
    ResourceRecordSets: { ResourceRecordSet: sets.slice(0, limit).map(recordSet) },
    IsTruncated: String(next !== undefined),
    ...(next && { NextRecordName: wireName(next.name), NextRecordType: next.type }),
    MaxItems: String(limit),
  };
}

function recordSet({ name, type, ttl, records }: RRset): object {
  return {
    Name: wireName(name),
    Type: type,
    TTL: String(ttl),
    ResourceRecords: { ResourceRecord: records.map(({ content }) => ({ Value: content })) },
  };
}

/** A name in the form of Route 53's answers. */
const wireName = (name: string): string => name.replaceAll("*", "\\052");

const canonical = (name: string): string =>
  `${name.toLowerCase().replaceAll("\\052", "*").replace(/\.$/, "")}.`;

const sortKey = ({ name, type }: Pick<RRset, "name" | "type">): string =>
  `${name.split(".").reverse().join(".")} ${type}`;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
