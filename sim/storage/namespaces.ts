import { Hono } from "hono";
import * as z from "zod";
import type { SimulatedCeph } from "./ceph.ts";
import { DomainError } from "./error.ts";
import { bodyOf, requireVersion } from "./request.ts";

/** RBD namespaces of a pool. */
export function namespaces({ records }: SimulatedCeph): Hono {
  const app = new Hono();
  const poolOf = (name: string | undefined): string => {
    if (name !== undefined && records.hasPool(name)) return name;
    throw noPool(name ?? "");
  };
  const count = (pool: string, namespace: string) =>
    records.images().filter((image) => image.pool === pool && image.namespace === namespace).length;

  app.get("/", (c) => {
    requireVersion(c.req.raw);
    const pool = poolOf(c.req.param("pool"));
    const found = records.namespaces().filter((one) => one.pool === pool);
    return c.json(found.map(({ name }) => ({ namespace: name, num_images: count(pool, name) })));
  });
  app.post("/", async (c) => {
    requireVersion(c.req.raw);
    const pool = poolOf(c.req.param("pool"));
    const { namespace } = await bodyOf(c.req.raw, z.object({ namespace: z.string().min(1) }));
    if (records.hasNamespace(pool, namespace)) {
      throw new DomainError("Namespace already exists", "namespace_already_exists", "rbd");
    }
    records.addNamespace(pool, namespace);
    return c.json(null, 201);
  });
  app.delete("/:namespace", (c) => {
    requireVersion(c.req.raw);
    const pool = poolOf(c.req.param("pool"));
    const namespace = c.req.param("namespace");
    // The manager does not handle the underlying error.
    if (!records.hasNamespace(pool, namespace)) throw new Error("no such namespace");
    if (count(pool, namespace) > 0) {
      const message = "Namespace contains images which must be deleted first";
      throw new DomainError(message, "namespace_contains_images", "rbd");
    }
    records.removeNamespace(pool, namespace);
    return c.body(null, 204);
  });
  return app;
}

export const noPool = (name: string): DomainError =>
  new DomainError(`[errno 2] RADOS object not found (error opening pool '${name}')`, "2", "rbd");
