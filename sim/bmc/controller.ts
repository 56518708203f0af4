import { createHash } from "node:crypto";
import { Hono } from "hono";
import * as z from "zod";
import type { Clock } from "../../core/clock.ts";
import { errorResponse, RedfishError } from "./error.ts";
import {
  type Credential,
  ejectImage,
  insertImage,
  type Machine,
  type Override,
  profileOf,
  reset,
  withTask,
} from "./machine.ts";
import type { Machines } from "./machines.ts";
import { Resources } from "./resources.ts";
import type { Sessions } from "./sessions.ts";

interface Options {
  machines: Machines;
  /** Simulated time. */
  clock: Clock;
  sessions: Sessions;
  credential: Credential;
  newId: () => string;
  /** What the next task of settings is to fail with; each call counts as one. */
  failure: (machine: Machine) => string | undefined;
}

const notFound = (path: string) =>
  new RedfishError(
    404,
    "Base.1.12.ResourceMissingAtURI",
    `The resource at the URI ${path} was not found.`,
  );
const denied = () =>
  new RedfishError(
    401,
    "Base.1.12.NoValidSession",
    "There is no valid session established with the implementation.",
  );

const bootSchema = z.strictObject({
  Boot: z.strictObject({
    BootSourceOverrideTarget: z.string().optional(),
    BootSourceOverrideEnabled: z.enum(["Disabled", "Once", "Continuous"]).optional(),
    BootSourceOverrideMode: z.enum(["UEFI", "Legacy"]).optional(),
    HttpBootUri: z.string().optional(),
  }),
});

/** The Redfish service of the controller of one machine. */
export function controllerApi(machine: Machine, options: Options) {
  const { machines, clock, sessions, credential, newId, failure } = options;
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
  });
  const isKnown = (headers: Headers): boolean => {
    const token = headers.get("x-auth-token");
    if (token) return sessions.use(token);
    const { username, password } = credential;
    const basic = Buffer.from(`${username}:${password}`).toString("base64");
    return headers.get("authorization") === `Basic ${basic}`;
  };

  const get = (path: string, read: (of: Resources) => object, allow = "GET") =>
    app.get(path, (c) => {
      const body = read(resources());
      return c.json(body, 200, { etag: tagOf(body), allow });
    });

  get("/redfish/v1", (of) => of.root());
  get(paths.systems, (of) => of.collection(paths.systems, "ComputerSystem", [paths.system]));
  get(paths.system, (of) => of.system());
  get(paths.managers, (of) => of.collection(paths.managers, "Manager", [paths.manager]));
  get(paths.manager, (of) => of.manager());
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
    if (after) machines.put(after);
    else if (profile.already.status >= 300) {
      const { status, id, message } = profile.already;
      throw new RedfishError(status, id, message);
    }
    return c.body(null, 204);
  });

  const changeBoot = async (request: Request, path: string, read: (of: Resources) => object) => {
    requireTag(request, read(resources()));
    const { Boot } = await bodyOf(request, bootSchema);
    const before = now();
    if (!profile.changesBootInPost && before.power === "PoweringOn")
      throw new RedfishError(
        400,
        `${profile.registry}.UnableToModifyDuringSystemPOST`,
        "The operation cannot be performed while the system is in POST.",
      );
    const target = Boot.BootSourceOverrideTarget ?? before.boot.target;
    if (!(profile.bootTargets as readonly string[]).includes(target))
      throw notInList(target, "BootSourceOverrideTarget");
    const boot: Override = {
      enabled: Boot.BootSourceOverrideEnabled ?? overrideAfter(before.boot),
      target,
      mode: Boot.BootSourceOverrideMode ?? before.boot.mode,
      ...((Boot.HttpBootUri ?? before.boot.uri) && { uri: Boot.HttpBootUri ?? before.boot.uri }),
    };
    if (profile.settingsBy === "answer" || path !== profile.settings) {
      machines.put({ ...before, boot });
      return new Response(null, { status: 204 });
    }
    const id = newId();
    machines.put(withTask(before, id, boot, clock.now(), failure(before)));
    return new Response(null, { status: 202, headers: { location: `${paths.tasks}/${id}` } });
  };
  /** Supermicro's forget to keep an override that is not sent with the target. */
  const overrideAfter = ({ enabled }: Override): Override["enabled"] =>
    profile.manufacturer === "Supermicro" ? "Disabled" : enabled;
  const { settings } = profile as { settings?: string };
  if (settings !== undefined) {
    get(settings, (of) => of.settings(settings));
    app.patch(settings, (c) => changeBoot(c.req.raw, settings, (of) => of.settings(settings)));
    app.patch(paths.system, () => {
      throw new RedfishError(
        400,
        "Base.1.12.PropertyNotWriteable",
        "The property Boot is a read only property and cannot be assigned a value.",
        ["#/Boot"],
      );
    });
  } else app.patch(paths.system, (c) => changeBoot(c.req.raw, paths.system, (of) => of.system()));

  const slots = Object.entries<readonly string[]>(profile.media.slots);
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
        machines.put(after);
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
      machines.put(insertImage(before, id, body.Image));
      return c.body(null, 204);
    });
    app.post(`${path}/Actions/VirtualMedia.EjectMedia`, async (c) => {
      await bodyOf(c.req.raw, z.strictObject({}));
      const before = now();
      if (before.images[id] === undefined)
        throw new RedfishError(400, `${profile.registry}.NoMedia`, "The drive is empty.");
      machines.put(ejectImage(before, id, clock.now()));
      return c.body(null, 204);
    });
  }

  app.get(`${paths.tasks}/:id`, (c) => {
    const task = now().tasks.find(({ id }) => id === c.req.param("id"));
    if (!task || task.from > clock.now()) throw notFound(c.req.path);
    const isRunning = clock.now() < task.until;
    return c.json(resources().task(task, clock.now()), isRunning ? 202 : 200);
  });

  const requireTag = (request: Request, resource: object) => {
    const given = request.headers.get("if-match") ?? undefined;
    const tag = tagOf(resource);
    if (profile.tags === "none") return;
    if (given === undefined) {
      if (profile.tags !== "required") return;
      throw new RedfishError(
        428,
        "Base.1.12.PreconditionRequired",
        "A precondition header or annotation is required to change this resource.",
      );
    }
    const taken = profile.tags === "strong" ? tag.replace(/^W\//, "") : tag;
    if (given !== taken)
      throw new RedfishError(
        412,
        "Base.1.12.PreconditionFailed",
        "The ETag supplied did not match the ETag required to change this resource.",
      );
  };

  app.notFound((c) => errorResponse(notFound(c.req.path)));
  app.onError((error) => errorResponse(error));
  return app;
}

const notInList = (value: string, property: string) =>
  new RedfishError(
    400,
    "Base.1.12.PropertyValueNotInList",
    `The value ${value} for the property ${property} is not in the list of acceptable values.`,
    [`#/${property}`],
  );

/** Weak, as those of generated bodies are. */
const tagOf = (body: object): string =>
  `W/"${createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 16)}"`;

async function bodyOf<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = await request.json();
  } catch {
    throw new RedfishError(
      400,
      "Base.1.12.MalformedJSON",
      "The request body submitted was malformed JSON and could not be parsed by the receiving service.",
    );
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  if (unknown.length > 0)
    throw new RedfishError(
      400,
      "Base.1.12.PropertyUnknown",
      `The property ${unknown.join(", ")} is not in the list of valid properties for the resource.`,
      unknown.map((key) => `#/${key}`),
    );
  const field = issue?.path.join("/") ?? "";
  throw new RedfishError(
    400,
    "Base.1.12.PropertyValueTypeError",
    `The value for the property ${field} is of a different type than the property can accept.`,
    [`#/${field}`],
  );
}
