import { Hono } from "hono";
import type * as z from "zod";
import { AppError, type ErrorKind, toAppError } from "../core/error.ts";
import { type FaultInput, faultSchema } from "./faults.ts";
import { newHostSchema } from "./host.ts";
import { newHubSchema } from "./hub.ts";
import type { FetchHandler } from "./kubernetes/api.ts";
import type { World } from "./world.ts";

/** The control API of the simulated world: its ledger, its faults, its hubs and their hosts. */
export function controlApi(world: World): FetchHandler {
  const app = new Hono();

  app.get("/ledger", (c) => c.json({ items: world.ledger() }));

  app.get("/faults", (c) => c.json({ items: world.faults.list() }));
  app.post("/faults", async (c) => {
    const fault: FaultInput = await bodyOf(c.req.raw, faultSchema);
    const [system, instance] = fault.target.split(":");
    if (system === "hub" && instance !== undefined) world.hub(instance);
    if (system === "bmc" && instance !== undefined) world.host(instance);
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

const statusOf: Partial<Record<ErrorKind, 400 | 404 | 409>> = {
  Invalid: 400,
  NotFound: 404,
  AlreadyExists: 409,
};

/** Reads and checks a JSON body; throws Invalid with every violation. */
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
  const parsed = schema.safeParse(body);
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
