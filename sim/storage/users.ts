import { Hono } from "hono";
import * as z from "zod";
import type { SimulatedCeph } from "./ceph.ts";
import { DomainError } from "./error.ts";
import { bodyOf, requireVersion } from "./request.ts";

const userSchema = z.object({
  user_entity: z.string().min(1),
  capabilities: z.array(z.object({ entity: z.string(), cap: z.string() })),
});

/** CephX users. */
export function users(ceph: SimulatedCeph): Hono {
  const { records } = ceph;
  const app = new Hono();

  app.get("/", (c) => {
    requireVersion(c.req.raw);
    return c.json(records.users());
  });
  app.post("/", async (c) => {
    requireVersion(c.req.raw);
    const body = await bodyOf(c.req.raw, userSchema);
    const entity = body.user_entity;
    const caps = capsOf(body);
    const there = records.user(entity);
    const other = there && otherOf(there.caps, caps);
    if (other !== undefined) {
      const message = `[errno -22] entity ${entity} exists but cap ${other} does not match`;
      throw new DomainError(message, "400");
    }
    if (!there) records.putUser({ entity, caps, key: ceph.newKey() });
    return c.json(`Successfully created user '${entity}'`, 201);
  });
  app.put("/", async (c) => {
    requireVersion(c.req.raw);
    const body = await bodyOf(c.req.raw, userSchema);
    const entity = body.user_entity;
    const there = records.user(entity);
    if (!there) {
      const message = `[errno -2] couldn't find entry ${entity} in command auth caps`;
      throw new DomainError(message, "500");
    }
    records.putUser({ ...there, caps: capsOf(body) });
    return c.json(`Successfully edited user '${entity}'`);
  });
  app.delete("/:entities", (c) => {
    requireVersion(c.req.raw);
    for (const entity of c.req.param("entities").split(",")) records.removeUser(entity);
    return c.body(null, 204);
  });
  app.post("/export", async (c) => {
    requireVersion(c.req.raw);
    const { entities } = await bodyOf(c.req.raw, z.object({ entities: z.array(z.string()) }));
    const keyrings = entities.map((entity) => {
      const user = records.user(entity);
      if (user) return keyring(user);
      throw new DomainError(`[errno -2] no key for ${entity} in command auth export`, "500");
    });
    return c.json(keyrings.map((text) => `${text}\n`).join(""));
  });
  return app;
}

const capsOf = ({ capabilities }: z.infer<typeof userSchema>): Record<string, string> =>
  Object.fromEntries(capabilities.map(({ entity, cap }) => [entity, cap]));

/** The first daemon for which two users' caps differ. */
const otherOf = (some: Record<string, string>, others: Record<string, string>) =>
  Object.keys({ ...some, ...others })
    .sort()
    .find((daemon) => some[daemon] !== others[daemon]);

function keyring({
  entity,
  key,
  caps,
}: {
  entity: string;
  key: string;
  caps: Record<string, string>;
}) {
  const rights = Object.entries(caps).map(([daemon, cap]) => `\tcaps ${daemon} = "${cap}"\n`);
  return `[${entity}]\n\tkey = ${key}\n${rights.join("")}`;
}
