import { createHash } from "node:crypto";
import type { Clock } from "../../../core/clock.ts";
import type { HttpCredential } from "../../../core/http.ts";
import { bare } from "../../../core/ports/bare-metal/redfish/link.ts";
import { errorResponse, RedfishError } from "../../../sim/bmc/error.ts";
import { ejectImage, insertImage, type Machine, reset } from "../../../sim/bmc/machine.ts";
import type { Machines } from "../../../sim/bmc/machines.ts";
import { notFound, notInList } from "../../../sim/bmc/request.ts";
import { erasureOf, erasureTask, stateOf } from "../../../sim/bmc/tasks.ts";
import { allowedIn, type Capture, isDrive, linksIn, type Resource, within } from "./capture.ts";
import { bootPaths, keyOf } from "./machine.ts";
import type { Maker } from "./makers.ts";
import {
  forbidden,
  inStandby,
  noSession,
  notAllowed,
  parameterMissing,
  precondition,
  unknownMember,
} from "./refusals.ts";

/** How a controller acts beyond its capture, for one test. */
export interface Quirks {
  /** Sends a request elsewhere. */
  redirect?(method: string, path: string): { status: number; location: string } | undefined;
  refuse?(method: string, path: string): RedfishError | undefined;
  /** How long an answer takes, in milliseconds of real time. */
  delay?: number;
}

interface Options {
  capture: Capture;
  maker: Maker;
  quirks?: Quirks;
  /** Where the machine is that the controller moves, and its id there. */
  machines: Machines;
  id: string;
  /** Simulated time. */
  clock: Clock;
  credential: HttpCredential;
}

/** What a controller was sent that may change something. */
export interface Sent {
  method: string;
  path: string;
  body: unknown;
  ifMatch?: string;
  status: number;
}

/** A controller that shows what a real one has shown, and acts as its maker's do. */
export class CapturedController {
  readonly sent: Sent[] = [];
  /** The paths that were read, each once, in order. */
  readonly read = new Set<string>();
  readonly #at: Options;
  readonly #tokens = new Map<string, string>();
  #made = 0;

  constructor(options: Options) {
    this.#at = options;
  }

  get sessions(): number {
    return this.#tokens.size;
  }

  async handle(request: Request): Promise<Response> {
    const { method } = request;
    const { pathname } = new URL(request.url);
    const body: unknown = method === "GET" ? undefined : parsed(await request.text());
    const response = this.#redirected(method, pathname) ?? this.#answered(request, pathname, body);
    const ifMatch = request.headers.get("if-match");
    if (method === "GET") this.read.add(bare(pathname));
    else
      this.sent.push({
        ...{ method, path: pathname, body, status: response.status },
        ...(ifMatch !== null && { ifMatch }),
      });
    return response;
  }

  #redirected(method: string, path: string): Response | undefined {
    const to = this.#at.quirks?.redirect?.(method, path);
    return to && new Response(null, { status: to.status, headers: { location: to.location } });
  }

  #answered(request: Request, path: string, body: unknown): Response {
    try {
      const refusal = this.#at.quirks?.refuse?.(request.method, path);
      if (refusal) throw refusal;
      return this.#serve(request, path, body);
    } catch (error) {
      return errorResponse(error);
    }
  }

  #serve(request: Request, pathname: string, body: unknown): Response {
    const path = bare(pathname);
    const { method, headers } = request;
    const isLogin = method === "POST" && path === this.#sessionsPath();
    if (path !== "/redfish" && path !== "/redfish/v1" && !isLogin && !this.#isKnown(headers))
      throw noSession();
    if (isLogin) return this.#login(within(body));
    switch (method) {
      case "GET":
        return this.#get(path);
      case "PATCH":
        return this.#patch(path, within(body), headers.get("if-match") ?? undefined);
      case "POST":
        return this.#post(path, within(body));
      case "DELETE":
        return this.#logout(path);
      default:
        throw notAllowed(method, path);
    }
  }

  #get(path: string): Response {
    const task = this.#task(path);
    if (task) return task;
    const resource = this.#resource(path);
    const tag = resource["@odata.etag"];
    const isTold = this.#at.maker.tags !== "body" && typeof tag === "string";
    return Response.json(resource, isTold ? { headers: { etag: tag } } : {});
  }

  /** A resource as it is now: what the machine changes, in what was captured. */
  #resource(path: string): Resource {
    const captured = this.#at.capture.get(path);
    // A capture of a controller that refuses has the root alone.
    if (!captured && !this.#at.capture.has("/redfish/v1/Systems")) throw forbidden();
    if (!captured) throw notFound(path);
    const now = { ...captured, ...this.#moved(path, captured) };
    const tag = captured["@odata.etag"];
    return typeof tag === "string" ? { ...now, "@odata.etag": tagOf(now, tag) } : now;
  }

  #moved(path: string, captured: Resource): Resource {
    const { system } = this.#at.maker;
    const machine = this.#now();
    return {
      ...(path === system && { PowerState: machine.power }),
      ...("Boot" in captured && this.#isOfBoot(path) && { Boot: bootOf(machine, captured) }),
      ...(isSlot(captured) && slotOf(machine, path, captured)),
      ...(isDrive(captured) && "Operations" in captured && operationsOf(machine, captured)),
    };
  }

  #isOfBoot(path: string): boolean {
    const { capture, maker } = this.#at;
    return path === maker.system || bootPaths(capture, maker.system).includes(path);
  }

  #patch(path: string, body: Resource, ifMatch: string | undefined): Response {
    const resource = this.#resource(path);
    const tag = resource["@odata.etag"];
    if (this.#at.maker.tags !== "none" && typeof tag === "string") {
      if (ifMatch === undefined) throw precondition(428);
      if (ifMatch !== tag && ifMatch !== "*") throw precondition(412);
    }
    if (isSlot(resource)) return this.#changeSlot(path, body);
    const { capture, maker } = this.#at;
    if (!bootPaths(capture, maker.system).includes(path)) throw notAllowed("PATCH", path);
    return this.#changeBoot(path, within(body.Boot));
  }

  #changeBoot(path: string, asked: Resource): Response {
    const { capture, maker } = this.#at;
    const shown = within(capture.get(path)?.Boot);
    const ofSystem = within(capture.get(maker.system)?.Boot);
    const targets = [ofSystem, shown].flatMap((boot) => allowedIn(capture, boot, target) ?? []);
    for (const [name, value] of Object.entries(asked)) {
      if (!(name in shown)) throw unknownMember(name);
      const allowed = name === target ? targets : allowedIn(capture, shown, name);
      if (allowed?.length && !allowed.includes(String(value))) throw notInList(String(value), name);
    }
    const { boot, ...machine } = this.#now();
    const { HttpBootUri: uri = boot.uri } = asked;
    this.#put({
      ...machine,
      boot: {
        enabled: enabledIn(asked[enabled] ?? boot.enabled),
        target: String(asked[target] ?? boot.target),
        mode: "UEFI",
        ...(uri !== undefined && { uri: String(uri) }),
      },
    });
    return new Response(null, { status: 204 });
  }

  #changeSlot(path: string, { Image, Inserted }: Resource): Response {
    const now = this.#now();
    const isOut = Inserted === false || typeof Image !== "string";
    this.#put(isOut ? ejectImage(now, path, this.#time()) : insertImage(now, path, Image));
    return new Response(null, { status: 204 });
  }

  #post(path: string, body: Resource): Response {
    const { capture, maker } = this.#at;
    const action = within(this.#resource(maker.system).Actions)["#ComputerSystem.Reset"];
    if (isAt(action, path)) return this.#reset(within(action), body);
    for (const of of capture.keys()) {
      const captured = capture.get(of) ?? {};
      if (isSlot(captured)) {
        const actions = within(this.#resource(of).Actions);
        if (isAt(actions["#VirtualMedia.InsertMedia"], path)) return this.#insert(of, body);
        if (isAt(actions["#VirtualMedia.EjectMedia"], path)) return this.#eject(of);
      }
      const erase = within(captured.Actions)["#Drive.SecureErase"];
      if (isDrive(captured) && isAt(erase, path)) return this.#erase(captured, within(erase), body);
    }
    throw this.#at.capture.has(path) ? notAllowed("POST", path) : notFound(path);
  }

  #reset(action: Resource, { ResetType: type }: Resource): Response {
    const allowed = allowedIn(this.#at.capture, action, "ResetType");
    if (!allowed?.includes(String(type))) throw notInList(String(type), "ResetType");
    const after = reset(this.#now(), String(type), this.#time());
    if (after) this.#put(after);
    return new Response(null, { status: 204 });
  }

  #insert(slot: string, { Image, TransferProtocolType }: Resource): Response {
    if (typeof Image !== "string") throw parameterMissing("Image");
    if (this.#at.maker.wantsTransferProtocol && TransferProtocolType === undefined)
      throw parameterMissing("TransferProtocolType");
    const now = this.#now();
    if (now.images[slot] !== undefined || now.lingering[slot])
      throw new RedfishError(500, "Base.1.12.InternalError", "The device is in use.");
    this.#put(insertImage(now, slot, Image));
    return new Response(null, { status: 204 });
  }

  #eject(slot: string): Response {
    const now = this.#now();
    if (now.images[slot] === undefined)
      throw new RedfishError(400, "Base.1.12.GeneralError", "The drive is empty.");
    this.#put(ejectImage(now, slot, this.#time()));
    return new Response(null, { status: 204 });
  }

  #erase(drive: Resource, action: Resource, body: Resource): Response {
    const { capture, maker } = this.#at;
    const { begins, answered } = maker.erasure;
    const types = allowedIn(capture, action, "SanitizationType");
    if (types && !types.includes(String(body.SanitizationType)))
      throw notInList(String(body.SanitizationType), "SanitizationType");
    const now = this.#now();
    const known = now.drives.find(({ id }) => id === keyOf(drive));
    if (!known) throw new Error(`the machine has no drive ${keyOf(drive)}`);
    if (begins === "now" && now.power !== "On") throw inStandby();
    if (erasureOf(now, known.id))
      throw new RedfishError(400, "Base.1.12.ResourceInUse", "The drive is being erased.");
    this.#made += 1;
    const id = answered === "job" ? `JID_${this.#made}` : String(this.#made);
    const task = erasureTask(id, known, { method: "cryptographic", begins }, this.#time());
    this.#put({ ...now, tasks: [...now.tasks, task] });
    const location = answered === "job" ? `${tasks}/${id}` : `${tasks}/${id}/Monitor`;
    return new Response(null, { status: 202, headers: { location } });
  }

  /** A task, its monitor, or Dell's job; undefined where the path names none that this controller has begun. */
  #task(path: string): Response | undefined {
    const [, id, monitor] =
      /^\/redfish\/v1\/(?:TaskService\/Tasks|Managers\/[^/]+\/Jobs)\/([^/]+)(\/Monitor)?$/.exec(
        path,
      ) ?? [];
    const task = this.#now().tasks.find((each) => each.id === id);
    if (!task) return undefined;
    const state = stateOf(task);
    if (monitor && state === "ended") return new Response(null, { status: 204 });
    const states = { waits: "New", runs: "Running", ended: "Completed" };
    const percent = { waits: 0, runs: 50, ended: 100 }[state];
    const body = {
      ...{ "@odata.id": `${tasks}/${id}`, Id: id, Name: "Task", TaskState: states[state] },
      ...{ TaskStatus: "OK", PercentComplete: percent },
    };
    return Response.json(body, { status: monitor ? 202 : 200 });
  }

  /** Where sessions are opened: as the root says. */
  #sessionsPath(): string | undefined {
    return linksIn(within(this.#at.capture.get("/redfish/v1")?.Links).Sessions)[0];
  }

  #login({ UserName, Password }: Resource): Response {
    const { username, password } = this.#at.credential;
    if (UserName !== username || Password !== password) throw noSession();
    this.#made += 1;
    const token = `token-${this.#made}`;
    const path = `${this.#sessionsPath()}/${this.#made}`;
    this.#tokens.set(token, path);
    const headers = { "x-auth-token": token, location: path };
    return Response.json({ "@odata.id": path }, { status: 201, headers });
  }

  #logout(path: string): Response {
    const [token] = [...this.#tokens].find(([, at]) => at === path) ?? [];
    if (token === undefined) throw notAllowed("DELETE", path);
    this.#tokens.delete(token);
    return new Response(null, { status: 204 });
  }

  #isKnown(headers: Headers): boolean {
    const { username, password } = this.#at.credential;
    const basic = Buffer.from(`${username}:${password}`).toString("base64");
    const token = headers.get("x-auth-token");
    return token === null
      ? headers.get("authorization") === `Basic ${basic}`
      : this.#tokens.has(token);
  }

  #now(): Machine {
    const machine = this.#at.machines.get(this.#at.id);
    if (machine) return machine;
    throw new Error(`there is no machine ${this.#at.id}`);
  }

  #put = (machine: Machine): void => this.#at.machines.put(machine);
  #time = (): number => this.#at.clock.now();
}

const tasks = "/redfish/v1/TaskService/Tasks";
const target = "BootSourceOverrideTarget";
const enabled = "BootSourceOverrideEnabled";

const enabledIn = (value: unknown): Machine["boot"]["enabled"] =>
  value === "Once" || value === "Continuous" ? value : "Disabled";

const isAt = (action: unknown, path: string): boolean =>
  typeof within(action).target === "string" && bare(String(within(action).target)) === path;

/** The same kind of tag as was captured, of what the resource is now. */
const tagOf = (resource: Resource, captured: string): string => {
  const hash = createHash("sha256").update(JSON.stringify(resource)).digest("hex").slice(0, 16);
  return captured.startsWith("W/") ? `W/"${hash}"` : `"${hash}"`;
};

/** `Boot` with those of its members that an override changes. */
function bootOf({ boot }: Machine, { Boot }: Resource): Resource {
  const shown = within(Boot);
  const now = { [enabled]: boot.enabled, [target]: boot.target, HttpBootUri: boot.uri ?? "" };
  return { ...shown, ...Object.fromEntries(Object.entries(now).filter(([name]) => name in shown)) };
}

export const isSlot = (resource: Resource): boolean =>
  String(resource["@odata.type"]).startsWith("#VirtualMedia.");

/** An image in a virtual drive; Supermicro's tell how to eject it only then. */
function slotOf({ images, lingering }: Machine, path: string, captured: Resource): Resource {
  const image = images[path] ?? lingering[path]?.image;
  if (image === undefined)
    return captured.Inserted === true
      ? { Image: null, Inserted: false, ConnectedVia: "NotConnected" }
      : {};
  const insert = "#VirtualMedia.InsertMedia";
  const actions = within(captured.Actions);
  const ejection = String(within(actions[insert]).target).replace("InsertMedia", "EjectMedia");
  const eject = insert in actions && { "#VirtualMedia.EjectMedia": { target: ejection } };
  return {
    ...{ Image: image, Inserted: true, ConnectedVia: "URI" },
    ...("Actions" in captured && { Actions: { ...eject, ...actions } }),
  };
}

const operationsOf = (machine: Machine, drive: Resource): Resource =>
  erasureOf(machine, keyOf(drive))
    ? { Operations: [{ OperationName: "Sanitize", PercentageComplete: 50 }] }
    : {};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
