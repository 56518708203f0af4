import { Hono } from "hono";
import * as z from "zod";
import { faulty } from "../faulty.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import { faultResponse, internalError, NeutronFault, notFound, parseInput } from "./error.ts";
import type { SimulatedFabric } from "./fabric.ts";
import { floatingIps } from "./floating-ips.ts";
import { keystoneApi, originOf } from "./keystone-api.ts";
import { KeystoneFault, unauthorized } from "./keystone-error.ts";
import { answerList, pick } from "./lists.ts";
import { networks } from "./networks.ts";
import { ports } from "./ports.ts";
import type { Kind } from "./records.ts";
import type { Resource } from "./resource.ts";
import { addInterface, removeInterface, routers } from "./routers.ts";
import { securityGroupRules } from "./security-group-rules.ts";
import { securityGroups } from "./security-groups.ts";
import { subnets } from "./subnets.ts";

const resources: Resource[] = [
  networks,
  subnets,
  routers,
  ports,
  floatingIps,
  securityGroups,
  securityGroupRules,
];

/** Keystone v3 and Neutron v2.0 on one origin, with the world's faults of `fabric`. */
export function fabricApi(fabric: SimulatedFabric): FetchHandler {
  const { clock, faults } = fabric.state.context;
  const app = application(fabric);
  return faulty(async (request) => app.fetch(request), {
    take: (operation) => faults.take("fabric", operation),
    clock,
    wall: fabric.wall,
    refuse,
  });
}

function application(fabric: SimulatedFabric): Hono {
  const app = new Hono();

  app.route("/", keystoneApi(fabric.keystone));

  app.use("/v2.0/*", (c, next) => {
    const token = fabric.keystone.valid(c.req.header("x-auth-token"));
    // Neutron declares no service type, so an access rule permits no request.
    if (!token || token.credential.accessRules) throw unauthorized();
    return next();
  });
  for (const resource of resources) {
    app.route(`/v2.0/${resource.collection.replaceAll("_", "-")}`, served(fabric, resource));
  }

  app.put("/v2.0/routers/:id/add_router_interface", async (c) => {
    const body = await bodyOf(c.req.raw);
    return c.json(fabric.run((state) => addInterface(state, c.req.param("id"), body)));
  });
  app.put("/v2.0/routers/:id/remove_router_interface", async (c) => {
    const body = await bodyOf(c.req.raw);
    return c.json(fabric.run((state) => removeInterface(state, c.req.param("id"), body)));
  });

  app.get("/v2.0/quotas/:project", (c) => c.json({ quota: limits(fabric) }));
  app.get("/v2.0/quotas/:project/details.json", (c) => {
    const details = Object.entries(limits(fabric)).map(([kind, limit]) => [
      kind,
      // Safe: the limits have these kinds as keys.
      { limit, used: fabric.state.used(kind as Kind), reserved: 0 },
    ]);
    return c.json({ quota: Object.fromEntries(details) });
  });

  app.notFound((c) => {
    if (!c.req.path.startsWith("/v2.0/")) return c.html("<h1>Not Found</h1>", 404);
    return faultResponse(notFound("HTTPNotFound", "The resource could not be found."));
  });
  app.onError((error, c) => {
    if (error instanceof KeystoneFault) return error.response(originOf(c));
    if (error instanceof NeutronFault) return faultResponse(error);
    return faultResponse(internalError());
  });
  return app;
}

const tagsSchema = z.strictObject({ tags: z.array(z.string()) });

function served(fabric: SimulatedFabric, resource: Resource): Hono {
  const { kind } = resource;
  const { maxPage } = fabric.state.context.settings;
  const app = new Hono();

  app.get("/", (c) => {
    const objects = fabric.read((state) => resource.list(state));
    return c.json(answerList(resource, objects, new URL(c.req.url), maxPage));
  });
  app.post("/", async (c) => {
    const body = await bodyOf(c.req.raw);
    return c.json({ [kind]: fabric.run((state) => resource.create(state, body)) }, 201);
  });
  app.get("/:id", (c) => {
    const id = c.req.param("id");
    const object = fabric.read((state) => resource.get(state, id));
    return c.json({ [kind]: pick(object, c.req.queries("fields") ?? []) });
  });
  app.put("/:id", async (c) => {
    const body = await bodyOf(c.req.raw);
    const id = c.req.param("id");
    const ifMatch = c.req.header("if-match");
    return c.json({ [kind]: fabric.run((state) => resource.update(state, id, body, ifMatch)) });
  });
  app.delete("/:id", (c) => {
    const id = c.req.param("id");
    fabric.run((state) => resource.remove(state, id, c.req.header("if-match")));
    return c.body(null, 204);
  });
  return serveTags(app, fabric, resource);
}

function serveTags(app: Hono, fabric: SimulatedFabric, resource: Resource): Hono {
  app.get("/:id/tags", (c) => {
    const id = c.req.param("id");
    return c.json({ tags: fabric.read((state) => resource.tags(state, id)) });
  });
  app.put("/:id/tags", async (c) => {
    const id = c.req.param("id");
    const { tags } = parseInput(tagsSchema, await bodyOf(c.req.raw));
    fabric.run((state) => resource.setTags(state, id, tags));
    return c.json({ tags });
  });
  app.put("/:id/tags/:tag", (c) => {
    const { id, tag } = c.req.param();
    fabric.run((state) => {
      const tags = resource.tags(state, id);
      if (!tags.includes(tag)) resource.setTags(state, id, [...tags, tag]);
    });
    return c.body(null, 201);
  });
  app.delete("/:id/tags/:tag", (c) => {
    const { id, tag } = c.req.param();
    fabric.run((state) => {
      const tags = new Set(resource.tags(state, id));
      if (!tags.delete(tag)) throw notFound("TagNotFound", `Tag ${tag} could not be found.`);
      resource.setTags(state, id, [...tags]);
    });
    return c.body(null, 204);
  });
  return app;
}

/** The limit of each kind; -1 means unlimited. */
function limits(fabric: SimulatedFabric): Record<string, number> {
  const { quotas } = fabric.state.context.settings;
  return Object.fromEntries(resources.map(({ kind }) => [kind, quotas[kind] ?? -1]));
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    const message =
      "The server could not comply with the request since it is either malformed or otherwise incorrect.";
    throw new NeutronFault(400, "HTTPBadRequest", message);
  }
}

/** The response of an injected fault. */
export const refuse = (status: number): Response =>
  faultResponse(
    new NeutronFault(status, "InjectedFault", `injected fault: the fabric answers ${status}`),
  );
