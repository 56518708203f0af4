import { Hono } from "hono";
import type { Clock } from "../../core/clock.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import { ApiRefusal, applyChanges, newZone } from "./powerdns-changes.ts";
import type { PowerDnsVersion } from "./powerdns-version.ts";
import type { RRset, Zone, Zones } from "./zones.ts";

interface PowerDnsApi {
  zones: Zones;
  key: string;
  clock: Clock;
  version: PowerDnsVersion;
}

const base = "/api/v1/servers/localhost";
const reasons: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  422: "Unprocessable Entity",
  500: "Internal Server Error",
};

/** PowerDNS's HTTP API. */
export function powerDnsApi({ zones, key, clock, version }: PowerDnsApi): FetchHandler {
  const app = new Hono();
  const isOld = version === "4.7";

  app.use(`${base}/*`, async (c, next) => {
    if (c.req.header("x-api-key") === key) return next();
    const isJson = /json/.test(c.req.header("accept") ?? "");
    return isOld && !isJson ? c.text("Unauthorized", 401) : refuse(401);
  });

  app.get(`${base}/zones`, (c) => c.json(zones.list().map(summary)));
  app.post(`${base}/zones`, async (c) => {
    const zone = newZone(zones, await bodyOf(c.req.raw), clock.now());
    return c.json(whole(zone, zones.sets(zone)), 201);
  });
  app.get(`${base}/zones/:id`, (c) => {
    const zone = found(zones, c.req.param("id"));
    if (c.req.query("rrsets") === "false") return c.json(summary(zone));
    return c.json(whole(zone, filtered(zones.sets(zone), c.req.query(), isOld)));
  });
  app.patch(`${base}/zones/:id`, async (c) => {
    const zone = found(zones, c.req.param("id"));
    const before = zone.serial;
    const serial = applyChanges(zones, zone, await bodyOf(c.req.raw), clock.now(), version);
    if (serial === undefined) return c.body(null, 204);
    // Before 5.0 both headers have the new serial.
    const headers = {
      "X-PDNS-Old-Serial": String(isOld ? serial : before),
      "X-PDNS-New-Serial": String(serial),
    };
    return c.body(null, 204, headers);
  });
  app.all(`${base}/zones/:id?`, (c) => c.json({ error: "Method Not Allowed" }, 405));

  app.notFound((c) => c.json({ error: "Not Found" }, 404));
  app.onError((error) =>
    error instanceof ApiRefusal ? answer(error.status, error.message) : refuse(500),
  );
  return async (request) => app.fetch(request);
}

/** A refusal with PowerDNS's message. */
export function refuse(status: number): Response {
  return answer(status, reasons[status] ?? `injected fault: the server answers ${status}`);
}

/** An error in PowerDNS's JSON formatting. */
function answer(status: number, error: string): Response {
  const headers = { "content-type": "application/json" };
  return new Response(`{"error": ${JSON.stringify(error)}}`, { status, headers });
}

function found(zones: Zones, id: string): Zone {
  const name = id.replaceAll("=2F", "/").toLowerCase();
  const zone = zones.get(name.endsWith(".") ? name : `${name}.`);
  if (!zone) throw new ApiRefusal(404, "Not Found");
  return zone;
}

/**
 * The requested RRsets. With a name in the filter, versions before 5.0 also return RRsets of other names that have
 * comments, without their records.
 */
function filtered(
  sets: RRset[],
  { rrset_name, rrset_type }: Record<string, string>,
  isOld: boolean,
): RRset[] {
  if (rrset_name === undefined) return sets;
  return sets.flatMap((set) => {
    const isAsked = set.name === rrset_name.toLowerCase();
    const isOfType = rrset_type === undefined || set.type === rrset_type;
    if (isAsked && isOfType) return [set];
    return isOld && set.comments.length > 0 ? [{ ...set, records: [], ttl: 0 }] : [];
  });
}

function summary({ id, name, serial }: Zone): object {
  return {
    account: "",
    catalog: "",
    dnssec: false,
    edited_serial: serial,
    id,
    kind: "Native",
    last_check: 0,
    masters: [],
    name,
    notified_serial: 0,
    serial,
    url: `${base}/zones/${id}`,
  };
}

function whole(zone: Zone, rrsets: RRset[]): object {
  return { ...summary(zone), api_rectify: false, soa_edit: "", soa_edit_api: "DEFAULT", rrsets };
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new ApiRefusal(400, "Bad Request");
  }
}
