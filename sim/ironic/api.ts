import { Hono } from "hono";
import * as z from "zod";
import type { Machine } from "../bmc/machine.ts";
import { profileOf } from "../bmc/machine.ts";
import { parsed, requireVersion, versionIn } from "./api-request.ts";
import { errorResponse, IronicError } from "./error.ts";
import type { SimulatedIronic } from "./ironic.ts";
import { eject, insert, isLocked, type Node, power, type Worked } from "./node.ts";
import { serveProvisioning } from "./provision-api.ts";

const newest = 115;

const deviceOf: Record<string, string> = { pxe: "Pxe", disk: "Hdd", cdrom: "Cd" };

/** The API of Ironic 39, with HTTP basic authentication, for nodes with the redfish driver. */
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

  app.get("/v1", (c) =>
    c.json({ version: { id: "v1", min_version: "1.1", version: `1.${newest}` } }),
  );
  app.get("/v1/nodes", (c) => {
    const nodes = ironic.nodes().slice(0, Number(c.req.query("limit") ?? 1000));
    return c.json({ nodes: nodes.map(({ node }) => shown(node, c.req.query("fields"))) });
  });
  app.get("/v1/nodes/:node", (c) =>
    c.json(shown(ironic.known(c.req.param("node")).node, c.req.query("fields"))),
  );

  app.put("/v1/nodes/:node/states/power", async (c) => {
    const { target } = await parsed(c.req.raw, z.object({ target: z.string() }));
    const { worked, now } = unlocked(c.req.param("node"));
    const { uuid, state } = worked.node;
    if (state === "clean wait")
      throw new IronicError(
        400,
        `The requested action "${target}" can not be performed on node "${uuid}" while it is in state "${state}".`,
      );
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
    ironic.put(insert(worked, image_url, now, ironic.takeFailure()));
    return c.body(null, 204);
  });
  app.delete("/v1/nodes/:node/vmedia", (c) => {
    requireVersion(c.req.raw, 89);
    const { worked, now } = unlocked(c.req.param("node"));
    ironic.put(eject(worked, now));
    return c.body(null, 204);
  });

  app.get("/v1/ports", (c) => {
    const { node } = ironic.known(c.req.query("node") ?? "");
    return c.json({ ports: node.ports.map((address) => ({ address, links: [] })) });
  });

  /** A node, which must not be locked. */
  const unlocked = (name: string): { worked: Worked; now: number } => {
    const worked = ironic.known(name);
    const { node } = worked;
    if (isLocked(node))
      throw new IronicError(
        409,
        `Node ${node.uuid} is locked by host conductor-1, please retry after the current operation is completed.`,
      );
    return { worked, now: ironic.now() };
  };

  serveProvisioning(app, ironic);
  app.notFound(() => errorResponse(new IronicError(404, "Not Found")));
  app.onError((error) => errorResponse(error));
  return app;
}

function shown(node: Node, asked?: string): object {
  const body: Record<string, unknown> = bodyOf(node);
  const fields = asked?.split(",") ?? Object.keys(body);
  return Object.fromEntries(fields.map((field) => [field, body[field] ?? null]));
}

const bodyOf = (node: Node) => {
  const { work } = node;
  return {
    uuid: node.uuid,
    name: node.name,
    provision_state: node.state,
    target_provision_state: node.target,
    provision_updated_at: node.updated === null ? null : new Date(node.updated).toISOString(),
    power_state: node.power,
    target_power_state: work?.kind === "power" ? work.target.replace(/^soft (power )/, "$1") : null,
    last_error: node.error,
    reservation: isLocked(node) ? "conductor-1" : null,
    maintenance: node.maintenance !== undefined,
    maintenance_reason: node.maintenance?.reason ?? null,
    fault: node.maintenance?.fault ?? null,
    instance_uuid: node.instance,
    allocation_uuid: null,
    extra: node.extra,
    driver_internal_info: node.cleanSteps ? { clean_steps: node.cleanSteps } : {},
  };
};

const drivesOf = (machine: Machine) =>
  Object.entries<readonly string[]>(profileOf(machine).media.slots).map(([slot, types]) => ({
    media_types: types,
    inserted: machine.images[slot] !== undefined,
    image: machine.images[slot] ?? null,
  }));
