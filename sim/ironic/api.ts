import { Hono } from "hono";
import * as z from "zod";
import type { Machine } from "../bmc/machine.ts";
import { profileOf } from "../bmc/machine.ts";
import { errorResponse, IronicError } from "./error.ts";
import type { SimulatedIronic } from "./ironic.ts";
import { eject, insert, type Node, power, type Worked } from "./node.ts";

const header = "x-openstack-ironic-api-version";
const newest = 115;

const deviceOf: Record<string, string> = { pxe: "Pxe", disk: "Hdd", cdrom: "Cd" };

/** The API of Ironic 39, for nodes that its redfish driver manages, with HTTP basic authentication. */
export function ironicApi(ironic: SimulatedIronic) {
  const app = new Hono({ strict: false });

  app.use("/v1/*", async (c, next) => {
    const { username, password } = ironic.credential;
    const basic = Buffer.from(`${username}:${password}`).toString("base64");
    if (c.req.header("authorization") !== `Basic ${basic}`)
      throw new IronicError(401, "Incorrect username or password");
    if (versionIn(c.req.raw) > newest)
      throw new IronicError(
        406,
        `Version 1.${versionIn(c.req.raw)} was requested but the minor version is not supported by this service. The supported version range is: [1.1, 1.${newest}].`,
      );
    await next();
  });

  app.get("/v1/nodes/:node", (c) => {
    const { node } = ironic.known(c.req.param("node"));
    const body: Record<string, unknown> = bodyOf(node);
    const fields = c.req.query("fields")?.split(",") ?? Object.keys(body);
    return c.json(Object.fromEntries(fields.map((field) => [field, body[field] ?? null])));
  });

  app.put("/v1/nodes/:node/states/power", async (c) => {
    const { target } = await parsed(c.req.raw, z.object({ target: z.string() }));
    const { worked, now } = unlocked(c.req.param("node"));
    const after = power(worked, target, now);
    if (!after) throw new IronicError(400, `Invalid parameter value: ${target}`);
    ironic.put(after);
    return c.body(null, 202);
  });

  app.get("/v1/nodes/:node/management/boot_device", (c) => {
    const { machine } = unlocked(c.req.param("node")).worked;
    const { enabled, target } = machine.boot;
    const found = Object.entries(deviceOf).find(([, name]) => name === target)?.[0] ?? null;
    const device = enabled === "Disabled" ? null : found;
    return c.json({ boot_device: device, persistent: device === null ? null : enabled !== "Once" });
  });
  app.put("/v1/nodes/:node/management/boot_device", async (c) => {
    const schema = z.object({ boot_device: z.string(), persistent: z.boolean().default(false) });
    const { boot_device, persistent } = await parsed(c.req.raw, schema);
    const { worked } = unlocked(c.req.param("node"));
    const target = deviceOf[boot_device];
    if (target === undefined)
      throw new IronicError(400, `Invalid boot device ${boot_device} specified.`);
    const enabled = persistent ? "Continuous" : "Once";
    ironic.put({
      ...worked,
      machine: { ...worked.machine, boot: { enabled, target, mode: "UEFI" } },
    });
    return c.body(null, 204);
  });

  app.get("/v1/nodes/:node/vmedia", (c) => {
    requireVersion(c.req.raw, 93);
    return c.json(drivesOf(unlocked(c.req.param("node")).worked.machine));
  });
  app.post("/v1/nodes/:node/vmedia", async (c) => {
    requireVersion(c.req.raw, 89);
    const schema = z.object({ device_type: z.literal("cdrom"), image_url: z.string() });
    const { image_url } = await parsed(c.req.raw, schema);
    const { worked, now } = unlocked(c.req.param("node"));
    ironic.put(insert(worked, ironic.copyOf(worked.node, image_url), now, ironic.takeFailure()));
    return c.body(null, 204);
  });
  app.delete("/v1/nodes/:node/vmedia", (c) => {
    requireVersion(c.req.raw, 89);
    const { worked, now } = unlocked(c.req.param("node"));
    ironic.put(eject(worked, now));
    return c.body(null, 204);
  });

  app.get("/v1/ports", (c) => {
    const { machine } = ironic.known(c.req.query("node") ?? "");
    return c.json({ ports: machine.macs.map((address) => ({ address, links: [] })) });
  });

  /** A node on which nothing is being done. */
  const unlocked = (name: string): { worked: Worked; now: number } => {
    const worked = ironic.known(name);
    const { node } = worked;
    if (node.work)
      throw new IronicError(
        409,
        `Node ${node.uuid} is locked by host conductor-1, please retry after the current operation is completed.`,
      );
    return { worked, now: ironic.now() };
  };

  app.notFound(() => errorResponse(new IronicError(404, "Not Found")));
  app.onError((error) => errorResponse(error));
  return app;
}

const bodyOf = ({ uuid, name, power: seen, error, work }: Node) => ({
  uuid,
  name,
  provision_state: "manageable",
  power_state: seen,
  target_power_state: work?.kind === "power" ? work.target.replace(/^soft (power )/, "$1") : null,
  last_error: error,
  reservation: work ? "conductor-1" : null,
  maintenance: false,
});

const drivesOf = (machine: Machine) =>
  Object.entries<readonly string[]>(profileOf(machine).media.slots).map(([slot, types]) => ({
    media_types: types,
    inserted: machine.images[slot] !== undefined,
    image: machine.images[slot] ?? null,
  }));

const versionIn = (request: Request): number =>
  Number(/^1\.(\d+)$/.exec(request.headers.get(header) ?? "1.1")?.[1] ?? 1);

/** What came with a later version does not exist for a client of an earlier one. */
function requireVersion(request: Request, version: number): void {
  if (versionIn(request) < version) throw new IronicError(404, "Not Found");
}

async function parsed<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const body = schema.safeParse(await request.json().catch(() => undefined));
  if (body.success) return body.data;
  throw new IronicError(400, `Schema error for body: ${body.error.issues[0]?.message}`);
}
