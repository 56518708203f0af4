import { Hono } from "hono";
import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { serveBoot } from "./boot.ts";
import { serveDrives } from "./drives.ts";
import { errorResponse, RedfishError } from "./error.ts";
import type { FirmwareFault } from "./firmware.ts";
import type { DriveFault } from "./hardware.ts";
import { type Credential, type Machine, profileOf, reset } from "./machine.ts";
import type { Machines } from "./machines.ts";
import { bodyOf, notFound, notInList, strongOf, tagOf, without } from "./request.ts";
import { Resources } from "./resources.ts";
import type { Sessions } from "./sessions.ts";
import { serveSlots } from "./slots.ts";
import { serveTasks } from "./task-service.ts";
import { serveFirmware } from "./update-service.ts";

interface Options {
  machines: Machines;
  /**
   * Another owner's server, which answers at a machine's address during the fault `another server`.
   * It is on, with data on its drives.
   */
  clock: Clock;
  sessions: Sessions;
  credential: Credential;
  newId: () => string;
  /** The failure of the next settings task; each call counts as one occurrence. */
  failure: (machine: Machine) => string | undefined;
  /** The fault of every erasure that is requested now. */
  erasureFault: (machine: Machine) => DriveFault | undefined;
  /** The fault of every firmware update that is requested now. */
  firmwareFault: (machine: Machine) => FirmwareFault | undefined;
}

const denied = () =>
  new RedfishError(
    401,
    "Base.1.12.NoValidSession",
    "There is no valid session established with the implementation.",
  );

/** The Redfish service of the controller of one machine. */
export function controllerApi(machine: Machine, options: Options) {
  const { machines, clock, sessions, credential, newId, failure } = options;
  const { erasureFault, firmwareFault } = options;
  const profile = profileOf(machine);
  const { paths } = new Resources(machine);
  const now = () => machines.get(machine.id) ?? machine;
  const resources = () => new Resources(now());
  const app = new Hono({ strict: false });

  app.use(async (c, next) => {
    const { method } = c.req;
    if (profile.compresses && method === "GET" && c.req.header("accept-encoding") === "identity")
      throw new RedfishError(406, "Base.1.12.GeneralError", "The encoding is not acceptable.");
    const path = c.req.path.replace(/\/$/, "");
    const isOpen = path === "/redfish" || path === "/redfish/v1";
    const isLogin = c.req.method === "POST" && path === paths.sessions;
    if (!isOpen && !isLogin && !isKnown(c.req.raw.headers)) throw denied();
    await next();
    if (method !== "GET" || !c.res.ok || profile.omits.length === 0) return;
    c.res = Response.json(without(profile.omits, await c.res.json()), c.res);
  });
  const isKnown = (headers: Headers): boolean => {
    const token = headers.get("x-auth-token");
    if (token) return sessions.use(token);
    if (machine.hasSessionsOnly) return false;
    const { username, password } = credential;
    const basic = Buffer.from(`${username}:${password}`).toString("base64");
    return headers.get("authorization") === `Basic ${basic}`;
  };

  const get = (path: string, read: (of: Resources) => object, allow = "GET") => {
    app.get(path, (c) => {
      const body = read(resources());
      const tag = tagOf(body);
      const strong = strongOf(tag);
      const tagged = profile.tagsIn === "both" && { "@odata.etag": strong };
      const isStrong = profile.tagsIn === "both" && profile.tags === "required";
      return c.json({ ...body, ...tagged }, 200, { etag: isStrong ? strong : tag, allow });
    });
  };
  const put = (after: Machine) => machines.put(after);
  const served = {
    ...{ app, profile, paths, now, resources, put, get, clock, newId, failure },
    ...{ erasureFault, firmwareFault },
  };

  get("/redfish/v1", (of) => of.root());
  get(paths.systems, (of) => of.collection(paths.systems, "ComputerSystem", [paths.system]));
  get(paths.system, (of) => of.system());
  get(paths.managers, (of) => of.collection(paths.managers, "Manager", [paths.manager]));
  get(paths.manager, (of) => of.manager());
  get(paths.chassisAll, (of) => of.collection(paths.chassisAll, "Chassis", [paths.chassis]));
  const nics = machine.macs.map((_, n) => `${paths.nics}/${n + 1}`);
  get(paths.nics, (of) => of.collection(paths.nics, "EthernetInterface", nics));
  for (const [n, path] of nics.entries()) get(path, (of) => of.nic(n));
  if (profile.resetsIn === "action_info") get(paths.resetInfo, (of) => of.resetInfo());

  app.post(paths.sessions, async (c) => {
    const body = await bodyOf(
      c.req.raw,
      z.looseObject({ UserName: z.string(), Password: z.string() }),
    );
    if (body.UserName !== credential.username || body.Password !== credential.password)
      throw denied();
    const token = newId();
    const id = sessions.open(token);
    if (id === undefined)
      throw new RedfishError(
        503,
        "Base.1.12.SessionLimitExceeded",
        "The session establishment failed due to the number of simultaneous sessions exceeding the limit of the implementation.",
      );
    const path = `${paths.sessions}/${id}`;
    return c.json({ "@odata.id": path, Id: id, UserName: body.UserName }, 201, {
      "x-auth-token": token,
      location: path,
    });
  });
  app.delete(`${paths.sessions}/:id`, (c) => {
    sessions.close(c.req.param("id"));
    return c.body(null, 204);
  });

  app.post(paths.reset, async (c) => {
    const { ResetType } = await bodyOf(c.req.raw, z.looseObject({ ResetType: z.string() }));
    if (!(profile.resets as readonly string[]).includes(ResetType))
      throw notInList(ResetType, "ResetType");
    const after = reset(now(), ResetType, clock.now());
    if (after) put(after);
    else if (profile.already.status >= 300) {
      const { status, id, message } = profile.already;
      throw new RedfishError(status, id, message);
    }
    return c.body(null, 204);
  });

  serveBoot(served);
  serveSlots(served);
  serveDrives(served);
  serveFirmware(served);
  serveTasks(served);

  app.notFound((c) => errorResponse(notFound(c.req.path)));
  app.onError((error) => errorResponse(error));
  return app;
}
