import type { Context, Hono } from "hono";
import * as z from "zod";
import { parsed, requireVersion } from "./api-request.ts";
import { IronicError } from "./error.ts";
import type { SimulatedIronic } from "./ironic.ts";
import { isLocked, type Node, type Worked } from "./node.ts";
import { provision } from "./provision.ts";

const createSchema = z.looseObject({
  name: z.string(),
  driver: z.literal("redfish"),
  driver_info: z.looseObject({ redfish_address: z.url() }),
});
const portSchema = z.looseObject({ node_uuid: z.string(), address: z.string() });
const targetSchema = z.looseObject({
  target: z.string(),
  clean_steps: z.array(z.looseObject({ interface: z.string(), step: z.string() })).optional(),
});
/** Refused, because Ironic supports no `test`. */
const patchSchema = z.array(
  z.strictObject({
    op: z.enum(["add", "replace", "remove"]),
    path: z.string().regex(/^(\/[\w-]+)+$/),
    value: z.unknown().optional(),
  }),
);

/** Serves the life of nodes: enrollment, provision states, and changes of their members. */
export function serveProvisioning(app: Hono, ironic: SimulatedIronic): void {
  app.post("/v1/nodes", async (c) => {
    const { name, driver_info } = await parsed(c.req.raw, createSchema);
    const node = ironic.create(name, new URL(driver_info.redfish_address).host);
    return c.json({ uuid: node.uuid, name, provision_state: node.state }, 201);
  });
  app.post("/v1/ports", async (c) => {
    const { node_uuid, address } = await parsed(c.req.raw, portSchema);
    const { node, machine } = ironic.known(node_uuid);
    ironic.put({ node: { ...node, ports: [...node.ports, address.toLowerCase()] }, machine });
    return c.json({ node_uuid, address }, 201);
  });

  const known = (c: Context): Worked => ironic.known(c.req.param("node") ?? "");
  const changed = (node: Node, { machine }: Worked): void => ironic.put({ node, machine });

  app.delete("/v1/nodes/:node", (c) => {
    const { node } = known(c);
    refuseLocked(node);
    ironic.delete(node);
    return c.body(null, 204);
  });
  app.put("/v1/nodes/:node/states/provision", async (c) => {
    const { target, clean_steps } = await parsed(c.req.raw, targetSchema);
    const found = known(c);
    const { node } = found;
    refuseLocked(node);
    if (target === "clean" && !clean_steps)
      throw new IronicError(400, "Missing required parameter clean_steps");
    if (node.maintenance && target !== "manage")
      throw new IronicError(
        400,
        `The ${target} operation can't be performed on node ${node.uuid} because it's in maintenance mode.`,
      );
    const after = provision(node, target, ironic.now());
    if (!after)
      throw new IronicError(
        400,
        `The requested action "${target}" can not be performed on node "${node.uuid}" while it is in state "${node.state}".`,
      );
    changed({ ...after, ...(clean_steps && { cleanSteps: clean_steps }) }, found);
    return c.body(null, 202);
  });

  app.patch("/v1/nodes/:node", async (c) => {
    const found = known(c);
    const patch = await parsed(c.req.raw, patchSchema);
    if (found.node.target !== null)
      throw new IronicError(
        409,
        `Node ${found.node.uuid} can not be updated while a state transition is in progress.`,
      );
    refuseLocked(found.node);
    changed(patch.reduce(patched, found.node), found);
    return c.json({ uuid: found.node.uuid });
  });

  app.put("/v1/nodes/:node/maintenance", async (c) => {
    const { reason } = await parsed(c.req.raw, z.object({ reason: z.string().nullish() }));
    const found = known(c);
    const maintenance = { reason: reason ?? null, fault: null };
    changed({ ...found.node, maintenance }, found);
    return c.body(null, 202);
  });
  app.delete("/v1/nodes/:node/maintenance", (c) => {
    const found = known(c);
    const { maintenance: _, ...node } = found.node;
    changed(node, found);
    return c.body(null, 202);
  });

  app.get("/v1/nodes/:node/inventory", (c) => {
    requireVersion(c.req.raw, 81);
    const { node } = known(c);
    if (node.inventory) return c.json({ inventory: node.inventory, plugin_data: {} });
    throw new IronicError(404, `Node inventory record for node ${node.uuid} could not be found.`);
  });
}

function refuseLocked(node: Node): void {
  if (!isLocked(node)) return;
  const message = `Node ${node.uuid} is locked by host conductor-1, please retry after the current operation is completed.`;
  throw new IronicError(409, message);
}

function patched(node: Node, { op, path, value }: z.infer<typeof patchSchema>[number]): Node {
  const [, member = "", name = ""] = path.split("/");
  if (member === "instance_uuid")
    return { ...node, instance: op === "remove" ? null : String(value) };
  if (member !== "extra" || name === "")
    throw new IronicError(400, `Couldn't apply patch: '${path}' is not simulated`);
  const { [name]: before, ...others } = node.extra;
  if (op !== "add" && before === undefined)
    throw new IronicError(
      400,
      `Couldn't apply patch. Reason: can't ${op} a non-existent object '${name}'`,
    );
  return { ...node, extra: op === "remove" ? others : { ...others, [name]: value } };
}
