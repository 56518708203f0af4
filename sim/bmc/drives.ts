import * as z from "zod";
import type { ErasureMethod } from "../../core/ports/bare-metal/erasure.ts";
import { RedfishError } from "./error.ts";
import type { MachineDrive } from "./hardware.ts";
import { bodyOf, notFound, notInList } from "./request.ts";
import type { Served } from "./served.ts";
import { InsideResources, methodsOf, sanitizations } from "./storage.ts";
import { erasureOf, erasureTask } from "./tasks.ts";

const namedSchema = z.strictObject({
  SanitizationType: z.string().optional(),
  OverwritePasses: z.int().optional(),
});

/** Serves a machine's hardware, and the erasure of its drives. */
export function serveDrives(served: Served): void {
  const { app, get, now, put, profile, paths, clock, newId, erasureFault } = served;
  const { announced, begins, answered } = profile.erasure;
  const inside = () => new InsideResources(now());
  const driveOf = (id: string | undefined, path: string): MachineDrive => {
    const drive = now().drives.find((each) => each.id === id);
    if (drive) return drive;
    throw notFound(path);
  };

  get(paths.chassis, () => inside().chassis());
  get(paths.processors, (of) =>
    of.collection(
      paths.processors,
      "Processor",
      inside()
        .processors()
        .map(({ Id }) => `${paths.processors}/${Id}`),
    ),
  );
  app.get(`${paths.processors}/:id`, (c) => {
    const processor = inside().processor(c.req.param("id"));
    if (!processor) throw notFound(c.req.path);
    return c.json(processor);
  });
  const hasStorage = profile.erasure.drivesUnder !== "nowhere";
  get(paths.storages, (of) =>
    of.collection(paths.storages, "Storage", hasStorage ? [paths.storage] : null),
  );
  if (!hasStorage) return;
  get(paths.storage, () => inside().storage());
  get(paths.drives, (of) =>
    of.collection(
      paths.drives,
      "Drive",
      now().drives.map(({ id }) => `${paths.drives}/${id}`),
    ),
  );
  app.get(`${paths.drives}/:id`, (c) =>
    c.json(inside().drive(driveOf(c.req.param("id"), c.req.path))),
  );
  if (announced === "action_info")
    app.get(`${paths.drives}/:id/SanitizeActionInfo`, (c) =>
      c.json(inside().sanitizeInfo(driveOf(c.req.param("id"), c.req.path))),
    );

  /** The method that a request names, or the drive's default. */
  const methodIn = async (request: Request, drive: MachineDrive): Promise<ErasureMethod> => {
    const methods = methodsOf(profile, drive);
    if (announced === "oem" || announced === "nowhere") {
      await bodyOf(request, z.strictObject({}));
      const [best] = methods;
      if (best !== undefined) return best;
      throw refused();
    }
    const { SanitizationType: name, OverwritePasses } = await bodyOf(request, namedSchema);
    if (name === undefined) throw missing("SanitizationType");
    const method = methods.find((each) => sanitizations[each] === name);
    if (method === undefined) throw notInList(name, "SanitizationType");
    if (method === "overwrite" && announced === "action_info" && OverwritePasses === undefined)
      throw missing("OverwritePasses");
    return method;
  };
  const refused = () =>
    new RedfishError(
      400,
      `${profile.registry}.STOR009`,
      "Unable to complete the operation because the operation is not supported on the physical drive(s).",
    );

  app.post(`${paths.drives}/:id/Actions/Drive.SecureErase`, async (c) => {
    const asked = driveOf(c.req.param("id"), c.req.path);
    const fault = asked.fault ?? erasureFault(now());
    const drive = { ...asked, ...(fault && { fault }) };
    const sent = c.req.raw.clone();
    const method = await methodIn(c.req.raw, drive);
    if (drive.fault === "refuses") throw refused();
    const before = now();
    if (erasureOf(before, drive.id))
      throw new RedfishError(
        400,
        answered === "job" ? `${profile.registry}.STOR023` : "Base.1.12.ResourceInUse",
        "Unable to perform configuration operations because a configuration job for the device already exists.",
      );
    if (begins === "now" && before.power !== "On")
      throw new RedfishError(
        409,
        "Base.1.12.ResourceInStandby",
        "The request could not be performed because the resource is in standby.",
      );
    const id = answered === "job" ? `JID_${newId()}` : newId();
    const payload = {
      path: c.req.path,
      body: z.record(z.string(), z.unknown()).parse(await sent.json()),
    };
    const made = { method, begins, ...(answered === "task" && { payload }) };
    const task = erasureTask(id, drive, made, clock.now());
    put({ ...before, tasks: [...before.tasks, task] });
    if (answered === "nothing") return c.json({});
    const location = `${answered === "job" ? paths.jobs : paths.monitors}/${id}`;
    return c.body(null, 202, { location });
  });
}

const missing = (parameter: string) =>
  new RedfishError(
    400,
    "Base.1.12.ActionParameterMissing",
    `The action Drive.SecureErase requires the parameter ${parameter} to be present in the request body.`,
    [`#/${parameter}`],
  );
