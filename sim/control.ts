import { Hono } from "hono";
import * as z from "zod";
import { AppError, type ErrorKind, toAppError } from "../core/error.ts";
import { DpuPackets } from "./dpu/packets.ts";
import { isAddress } from "./fabric/addresses.ts";
import { type FaultInput, faultSchema } from "./faults.ts";
import { hostId, newHostSchema } from "./host.ts";
import { newHubSchema } from "./hub-options.ts";
import type { FetchHandler } from "./kubernetes/api.ts";
import type { PacketCarrier, Place } from "./packets/packets.ts";
import type { World } from "./world.ts";

/** The control API of the simulated world: ledger, packets, faults, hubs and hosts. */
export function controlApi(world: World): FetchHandler {
  const app = new Hono();

  app.get("/ledger", (c) => c.json({ items: world.ledger() }));

  app.get("/packets", (c) => {
    const { from, to, protocol, port } = checked(c.req.query(), packetSchema);
    return c.json(carrierOf(world, from).reaches(from, to, protocol, port));
  });

  app.get("/faults", (c) => c.json({ items: world.faults.list() }));
  app.post("/faults", async (c) => {
    const fault: FaultInput = await bodyOf(c.req.raw, faultSchema);
    const [system, instance] = fault.target.split(":");
    if (system === "hub" && instance !== undefined) world.hub(instance);
    if (system === "bmc" && instance !== undefined && !world.dpus.get(hostId(instance)))
      world.host(instance);
    const [what, other] = fault.operation?.split(" ") ?? [];
    if (what === "boot" && other !== undefined) world.hub(other);
    if (what === "mac" && other !== undefined) world.host(other);
    return c.json(world.faults.add(fault), 201);
  });
  app.delete("/faults", (c) => {
    world.faults.clear();
    return c.json({});
  });

  app.get("/hosts", (c) => c.json({ items: world.hosts() }));
  app.post("/hosts", async (c) => {
    const host = world.addHost(await bodyOf(c.req.raw, newHostSchema));
    return c.json(host, 201);
  });

  app.get("/hubs", (c) =>
    c.json({ items: world.hubs().map(({ id, region, server }) => ({ id, region, server })) }),
  );
  app.post("/hubs", async (c) => {
    const hub = await world.addHub(await bodyOf(c.req.raw, newHubSchema));
    const { id, region, server, kubeconfig } = hub;
    return c.json({ id, region, server, kubeconfig }, 201);
  });
  app.post("/hubs/:id/restart", (c) => {
    world.hub(c.req.param("id")).restart();
    return c.json({});
  });

  app.notFound((c) => c.json({ code: "NotFound", message: `no such path: ${c.req.path}` }, 404));
  app.onError((thrown, c) => {
    const { kind, message, violations } = toAppError(thrown);
    const errors = violations.length > 0 ? { errors: violations } : {};
    return c.json({ code: kind, message, ...errors }, statusOf[kind] ?? 500);
  });
  return async (request) => app.fetch(request);
}

/** The carrier of packets from a place: the DPU before a NIC, else the fabric. */
const carrierOf = ({ dpus, site }: World, from: Place): PacketCarrier =>
  "nic" in from && dpus.before(from.nic) ? new DpuPackets(dpus) : site.fabric;

const statusOf: Partial<Record<ErrorKind, 400 | 404 | 409>> = {
  Invalid: 400,
  NotFound: 404,
  AlreadyExists: 409,
};

/** A NIC by its MAC address, or the owner of an IP address. */
const placeSchema = z
  .string()
  .refine((text) => isAddress(text) || z.mac().safeParse(text).success, {
    error: "must be the MAC of a NIC, such as 52:54:00:00:01:01, or an address",
  })
  .transform((text): Place => (isAddress(text) ? { address: text } : { nic: text }));

/** A packet in a query. `port` is the receiver's; for ICMP, the type. */
const packetSchema = z.strictObject({
  from: placeSchema,
  to: placeSchema,
  protocol: z.enum(["tcp", "udp", "icmp"]),
  port: z.coerce.number().int().min(0).max(65_535),
});

/** Parses a JSON body. Throws Invalid with every violation. */
async function bodyOf<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    throw new AppError("Invalid", "the body must be JSON");
  }
  return checked(body, schema);
}

/** Parses a value. Throws Invalid with every violation. */
function checked<Schema extends z.ZodType>(value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const violations = parsed.error.issues.map(({ path, message }) => ({
    field: path.map(String).join("."),
    message,
  }));
  throw new AppError(
    "Invalid",
    violations.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join("; "),
    { violations },
  );
}
