import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { HttpReply } from "../../../http.ts";
import type { FirmwareComponent, FirmwareVersions, ServerFirmware } from "../firmware.ts";
import type { TaskId } from "../server.ts";
import { actionParametersOf, actionSchema } from "./action.ts";
import type { RedfishApi } from "./api.ts";
import { redfishError } from "./error.ts";
import { link, reference } from "./link.ts";
import type { RedfishSystem } from "./system.ts";
import { taskAfter, taskFor } from "./task.ts";
import { vendorOf } from "./vendors.ts";

const managerSchema = z.looseObject({
  "@odata.id": reference,
  FirmwareVersion: z.string().nullish(),
  Actions: z.looseObject({ "#Manager.Reset": actionSchema.optional() }).optional(),
});
type Manager = z.infer<typeof managerSchema>;

const rootSchema = z.looseObject({ UpdateService: link.optional() });
const serviceSchema = z.looseObject({
  Actions: z.looseObject({ "#UpdateService.SimpleUpdate": actionSchema.optional() }).optional(),
});

/** Whether a request is refused because it lacks the image's targets. */
const lacksTargets = ({ status, text }: HttpReply): boolean =>
  status === 400 && /\bTargets\b/.test(text);

/** Reset types for a controller, in order of preference. */
const restarts = ["GracefulRestart", "ForceRestart"];

/**
 * Firmware: the versions that a controller reports of itself and of its system, and the action
 * `SimpleUpdate`.
 */
export class RedfishFirmware implements ServerFirmware {
  readonly #api: RedfishApi;
  readonly #system: () => Promise<RedfishSystem>;

  constructor(api: RedfishApi, system: () => Promise<RedfishSystem>) {
    this.#api = api;
    this.#system = system;
  }

  async versions(): Promise<FirmwareVersions> {
    const system = await this.#system();
    const bmc = (await this.#manager(system))?.FirmwareVersion;
    const { BiosVersion: bios } = system;
    return { ...(bmc && { bmc }), ...(bios && { bios }) };
  }

  async update(component: FirmwareComponent, image: string): Promise<TaskId | undefined> {
    const system = await this.#system();
    const action = await this.#simpleUpdate();
    const path = action.target;
    const known = await taskFor(this.#api, { path, body: { ImageURI: image } });
    if (known !== undefined) return known;
    const protocol = image.replace(/:.*$/, "").toUpperCase();
    const { needsTargets } = vendorOf(system);
    const protocols = (await actionParametersOf(this.#api, action)).get("TransferProtocol");
    if (protocols && !protocols.includes(protocol))
      throw new AppError(
        "Rejected",
        `the server's controller fetches images by ${protocols.join(", ")}, not by ${protocol}`,
      );
    const target = component === "bios" ? system : await this.#manager(system);
    const send = (isTold: boolean) => {
      const body = {
        ImageURI: image,
        ...((protocols || needsTargets) && { TransferProtocol: protocol }),
        ...(isTold && target && { Targets: [target["@odata.id"]] }),
      };
      return this.#api.send({ method: "POST", path, body });
    };
    const first = await send(needsTargets ?? false);
    const reply = !needsTargets && lacksTargets(first) ? await send(true) : first;
    if (reply.status >= 300) throw redfishError(reply, "UpdateService.SimpleUpdate");
    return taskAfter(this.#api, reply, { path, body: { ImageURI: image } });
  }

  async restartController(): Promise<void> {
    const action = (await this.#manager(await this.#system()))?.Actions?.["#Manager.Reset"];
    if (!action) throw new AppError("Rejected", "the server's controller offers no restart");
    const allowed = (await actionParametersOf(this.#api, action)).get("ResetType") ?? restarts;
    const type = restarts.find((each) => allowed.includes(each)) ?? restarts[0];
    const request = { method: "POST", path: action.target, body: { ResetType: type } } as const;
    const reply = await this.#api.send(request);
    if (reply.status >= 300) throw redfishError(reply, "Manager.Reset");
  }

  /** The controller's own Manager resource, if it has one. */
  async #manager({ Links }: RedfishSystem): Promise<Manager | undefined> {
    const [first] = Links?.ManagedBy ?? [];
    return first && this.#api.read(first["@odata.id"], managerSchema);
  }

  async #simpleUpdate() {
    const { UpdateService } = await this.#api.read("/redfish/v1/", rootSchema);
    const service =
      UpdateService && (await this.#api.read(UpdateService["@odata.id"], serviceSchema));
    const action = service?.Actions?.["#UpdateService.SimpleUpdate"];
    if (action) return action;
    throw new AppError("Rejected", "the server's controller fetches no image to update firmware");
  }
}
