import * as z from "zod";
import { RedfishError } from "./error.ts";
import { ejectImage, insertImage } from "./machine.ts";
import { bodyOf } from "./request.ts";
import type { Served } from "./served.ts";

/** Serves the virtual drives. */
export function serveSlots({ app, get, now, put, profile, paths, clock }: Served): void {
  const slots = Object.entries<readonly string[]>(profile.media.slots);
  if (slots.length === 0) return;
  const drives = slots.map(([id]) => `${paths.media}/${id}`);
  get(paths.media, (of) => of.collection(paths.media, "VirtualMedia", drives));
  for (const [id, types] of slots) {
    const path = `${paths.media}/${id}`;
    const allow = profile.insertBy === "change" ? "GET, PATCH" : "GET";
    get(path, (of) => of.slot(id, types), allow);
    if (profile.insertBy === "change") {
      app.patch(path, async (c) => {
        const body = await bodyOf(
          c.req.raw,
          z.strictObject({
            Image: z.string().nullable(),
            Inserted: z.boolean(),
            WriteProtected: z.boolean().optional(),
          }),
        );
        const before = now();
        const after =
          body.Image === null || !body.Inserted
            ? ejectImage(before, id, clock.now())
            : insertImage(before, id, body.Image);
        put(after);
        return c.body(null, 204);
      });
      continue;
    }
    app.post(`${path}/Actions/VirtualMedia.InsertMedia`, async (c) => {
      const body = await bodyOf(c.req.raw, z.strictObject({ Image: z.string() }));
      const before = now();
      if (before.images[id] !== undefined || before.lingering[id])
        throw new RedfishError(500, `${profile.registry}.SYS446`, "The device is in use.");
      if (!types.includes("CD"))
        throw new RedfishError(
          400,
          `${profile.registry}.UnsupportedOperation`,
          "The drive holds no CD.",
        );
      put(insertImage(before, id, body.Image));
      return c.body(null, 204);
    });
    app.post(`${path}/Actions/VirtualMedia.EjectMedia`, async (c) => {
      await bodyOf(c.req.raw, z.strictObject({}));
      const before = now();
      if (before.images[id] === undefined)
        throw new RedfishError(400, `${profile.registry}.NoMedia`, "The drive is empty.");
      put(ejectImage(before, id, clock.now()));
      return c.body(null, 204);
    });
  }
}
