import { Hono } from "hono";
import * as z from "zod";
import type { SimulatedCeph } from "./ceph.ts";
import { DomainError, HttpError } from "./error.ts";
import { noPool } from "./namespaces.ts";
import { bodyOf, requireVersion } from "./request.ts";

const imageSchema = z.object({
  name: z.string().min(1),
  pool_name: z.string(),
  namespace: z.string().default(""),
  size: z.int().min(1),
});

/** RBD images: the volumes of a cluster in its namespace. */
export function images({ records }: SimulatedCeph): Hono {
  const app = new Hono();

  app.get("/", (c) => {
    requireVersion(c.req.raw, "2.0");
    const byPool = Map.groupBy(records.images(), ({ pool }) => pool);
    return c.json(
      Array.from(byPool, ([pool, found]) => ({
        pool_name: pool,
        value: found.map(({ name, namespace, size }) => ({
          name,
          pool_name: pool,
          namespace,
          size,
          unique_id: `${pool}/${namespace}/${name}`,
        })),
      })),
    );
  });
  app.post("/", async (c) => {
    requireVersion(c.req.raw);
    const { name, pool_name, namespace, size } = await bodyOf(c.req.raw, imageSchema);
    if (!records.hasPool(pool_name)) throw noPool(pool_name);
    if (namespace !== "" && !records.hasNamespace(pool_name, namespace)) {
      throw new DomainError("[errno 2] RBD image not found (error creating image)", "2", "rbd");
    }
    const image = { pool: pool_name, namespace, name, size };
    if (records.images().some((one) => isSame(one, image))) {
      throw new DomainError(
        "[errno 17] RBD image already exists (error creating image)",
        "17",
        "rbd",
      );
    }
    records.addImage(image);
    return c.json({}, 201);
  });
  // `pool/namespace/image`, with its slashes escaped.
  app.delete("/:spec", (c) => {
    requireVersion(c.req.raw);
    const [pool = "", namespace = "", name = ""] = c.req.param("spec").split("/");
    const image = records.images().find((one) => isSame(one, { pool, namespace, name }));
    if (!image) throw new HttpError(404, "Image not found");
    records.removeImage(image);
    return c.body(null, 204);
  });
  return app;
}

type ImageName = { pool: string; namespace: string; name: string };

const isSame = (one: ImageName, other: ImageName): boolean =>
  one.pool === other.pool && one.namespace === other.namespace && one.name === other.name;
