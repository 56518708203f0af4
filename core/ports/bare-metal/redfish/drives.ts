import { AppError } from "../../../error.ts";
import { wwnIn } from "../../wwn.ts";
import { type ErasureMethod, strongestFirst } from "../erasure.ts";
import type { Drive, DriveId, ServerDrives, TaskId } from "../server.ts";
import { actionParametersOf } from "./action.ts";
import type { RedfishApi } from "./api.ts";
import { erasureAccepted, erasureShown } from "./drive-erasure.ts";
import { redfishError } from "./error.ts";
import { bare } from "./link.ts";
import { type DriveResource, driveSchema, drivesOf, erasureOf } from "./storage.ts";
import type { RedfishSystem } from "./system.ts";
import { type RedfishActionRequest, taskFor, taskOf } from "./task.ts";
import { vendorOf } from "./vendors.ts";

/** The drives of a server by Redfish's `Drive` resource (DSP2046) and its action `SecureErase`. */
export class RedfishDrives implements ServerDrives {
  readonly #api: RedfishApi;
  readonly #system: () => Promise<RedfishSystem>;

  constructor(api: RedfishApi, system: () => Promise<RedfishSystem>) {
    this.#api = api;
    this.#system = system;
  }

  async list(): Promise<Drive[]> {
    const system = await this.#system();
    const drives = await drivesOf(this.#api, system);
    return Promise.all(
      drives.map(async (drive) => described(drive, await waysOf(this.#api, system, drive))),
    );
  }

  async erase(id: DriveId, method: ErasureMethod, isAgain = false): Promise<TaskId> {
    const system = await this.#system();
    const drive = await this.#api.read(id, driveSchema);
    const ways = await waysOf(this.#api, system, drive);
    const request = ways.get(method);
    const shown = await erasureShown(this.#api, drive, request);
    if (shown !== undefined) return shown;
    if (!request) throw notOffered(drive, method, ways);
    const known = isAgain ? await taskFor(this.#api, request) : undefined;
    if (known !== undefined) return known;
    const reply = await this.#api.send({ method: "POST", ...request });
    if (reply.status < 300) {
      const named = taskOf(reply);
      // Some controllers name the drive itself as the task.
      if (named !== undefined && bare(named) !== bare(id)) return named;
      return erasureAccepted(this.#api, id, request);
    }
    const begun = await taskFor(this.#api, request);
    if (begun === undefined) throw redfishError(reply, "Drive.SecureErase");
    return begun;
  }
}

/** The available erasure methods of a drive, with the request for each. */
type Ways = ReadonlyMap<ErasureMethod, RedfishActionRequest>;

/** Redfish's names of the methods (NIST SP 800-88). */
const sanitizations = {
  CryptographicErase: "cryptographic",
  BlockErase: "block",
  Overwrite: "overwrite",
} as const satisfies Record<string, ErasureMethod>;

/**
 * The erasure methods of a drive. Self-encryption does not determine the method: by the standard,
 * the controller chooses it for a `SecureErase` without listed methods.
 */
async function waysOf(
  api: RedfishApi,
  system: RedfishSystem,
  { Actions, Oem }: DriveResource,
): Promise<Ways> {
  const action = Actions?.["#Drive.SecureErase"];
  if (!action) return new Map();
  const path = action.target;
  const parameters = await actionParametersOf(api, action);
  const names = parameters.get("SanitizationType");
  if (!names) {
    const methods = vendorOf(system).erasureIn?.(Oem) ?? ["unspecified"];
    return new Map(methods.map((method) => [method, { path, body: {} }]));
  }
  // Controllers that list the parameter for the number of passes may require it.
  const passes = parameters.has("OverwritePasses") && { OverwritePasses: 1 };
  return new Map(
    Object.entries(sanitizations)
      .filter(([name]) => names.includes(name))
      .map(([name, method]): [ErasureMethod, RedfishActionRequest] => {
        const body = { SanitizationType: name, ...(method === "overwrite" && passes) };
        return [method, { path, body }];
      }),
  );
}

/** The name of a drive, or the last part of its path if it has none, as while the server is off. */
const nameOf = ({ Name, "@odata.id": path }: DriveResource): string =>
  Name || (bare(path).split("/").at(-1) ?? "");

function notOffered(drive: DriveResource, method: ErasureMethod, ways: Ways): AppError {
  const offered = [...ways.keys()].join(", ") || "in no way";
  const message = `the server's controller erases its drive ${nameOf(drive)} not by ${method}: ${offered}`;
  return new AppError("Rejected", message);
}

const media: Record<string, Drive["media"]> = { SSD: "ssd", HDD: "hdd", SMR: "hdd" };

const wwnFormats: ReadonlySet<string> = new Set(["NAA", "EUI"]);

function wwnOf({ Identifiers }: DriveResource): string | undefined {
  const found = Identifiers.find(({ DurableNameFormat }) =>
    wwnFormats.has(DurableNameFormat ?? ""),
  );
  return found?.DurableName ? wwnIn(found.DurableName) : undefined;
}

function described(drive: DriveResource, ways: Ways): Drive {
  const { Model, MediaType, Protocol, CapacityBytes } = drive;
  const serial = drive.SerialNumber?.trim();
  const erasure = erasureOf(drive);
  const wwn = wwnOf(drive);
  return {
    id: drive["@odata.id"],
    name: nameOf(drive),
    ...(serial && { serial }),
    ...(wwn && { wwn }),
    ...(Model && { model: Model }),
    media: media[MediaType ?? ""] ?? "unknown",
    ...(Protocol && { protocol: Protocol }),
    ...(CapacityBytes && { bytes: CapacityBytes }),
    methods: strongestFirst([...ways.keys()]),
    ...(erasure && {
      erasing: erasure.PercentageComplete == null ? {} : { percent: erasure.PercentageComplete },
    }),
  };
}
