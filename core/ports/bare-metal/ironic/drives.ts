import * as z from "zod";
import { AppError } from "../../../error.ts";
import { wwnIn } from "../../wwn.ts";
import type { Drive, ServerDrives, ServerHardware, TaskId } from "../server.ts";
import type { IronicApi } from "./api.ts";
import { askFor } from "./ask-for.ts";
import { erasureAfter, isCleaning, nodeFieldsOf, nodeSchema } from "./node.ts";

/** The inventory from the last inspection of a server. */
const inventorySchema = z.object({
  inventory: z.looseObject({
    cpu: z.looseObject({ socket_count: z.int().nullish() }).nullish(),
    memory: z.looseObject({ physical_mb: z.int().nullish() }).nullish(),
    disks: z.array(
      z.looseObject({
        name: z.string(),
        serial: z.string().nullish(),
        wwn: z.string().nullish(),
        model: z.string().nullish(),
        rotational: z.boolean().nullish(),
        size: z.int().nullish(),
      }),
    ),
  }),
});
type Inventory = z.infer<typeof inventorySchema>["inventory"];
type Disk = Inventory["disks"][number];

const stepSchema = z.looseObject({ interface: z.string(), step: z.string() });
const cleanedSchema = nodeSchema.extend({
  driver_internal_info: z.looseObject({ clean_steps: z.array(stepSchema).nullish() }),
});

/**
 * The clean step that erases each drive completely. Ironic's `erase_devices_metadata` would leave the data.
 */
const eraseStep = { interface: "deploy", step: "erase_devices" } as const;

const inventoryAt = async (api: IronicApi, path: string): Promise<Inventory | undefined> =>
  (await api.find(`${path}/inventory`, inventorySchema))?.inventory;

/**
 * The drives of a node. Ironic erases them all in one cleaning, for which it boots the server by itself. It
 * uses the method that each drive offers, or else overwrites it; it does not report which.
 */
export class IronicDrives implements ServerDrives {
  readonly areErasedTogether = true;
  readonly #api: IronicApi;
  readonly #path: string;

  constructor(api: IronicApi, path: string) {
    this.#api = api;
    this.#path = path;
  }

  async list(): Promise<Drive[]> {
    const inventory = await inventoryAt(this.#api, this.#path);
    if (!inventory) throw await this.#inspected();
    return inventory.disks.map(driveOf);
  }

  async erase(): Promise<TaskId> {
    const node = await this.#api.read(
      `${this.#path}?fields=${nodeFieldsOf(cleanedSchema)}`,
      cleanedSchema,
    );
    if (isCleaning(node)) {
      const steps = node.driver_internal_info.clean_steps ?? [];
      if (steps.some(({ step }) => step === eraseStep.step)) return erasureAfter(node);
      throw new AppError("Unavailable", "the bare metal service cleans the node in another way");
    }
    const wanted = { target: "clean", clean_steps: [eraseStep] } as const;
    await askFor(this.#api, this.#path, node.provision_state, wanted);
    return erasureAfter(node);
  }

  /** Starts an inspection of a server that was never inspected; answers the error for the caller. */
  async #inspected(): Promise<AppError> {
    const path = `${this.#path}?fields=${nodeFieldsOf(nodeSchema)}`;
    const { provision_state: state, last_error } = await this.#api.read(path, nodeSchema);
    if (state === "inspect failed")
      return new AppError("Rejected", `the bare metal service cannot inspect it: ${last_error}`);
    if (state === "manageable") await askFor(this.#api, this.#path, state, { target: "inspect" });
    return new AppError("Unavailable", "the bare metal service inspects the server");
  }
}

/** The hardware of a node; empty before its inspection. */
export async function hardwareAt(api: IronicApi, path: string): Promise<ServerHardware> {
  const { cpu, memory } = (await inventoryAt(api, path)) ?? {};
  return {
    ...(cpu?.socket_count != null && { processors: cpu.socket_count }),
    ...(memory?.physical_mb != null && { memory: memory.physical_mb * 2 ** 20 }),
  };
}

function driveOf({ name, serial, wwn, model, rotational, size }: Disk): Drive {
  const media = rotational == null ? "unknown" : rotational ? "hdd" : "ssd";
  return {
    // Names such as /dev/sda change from boot to boot.
    id: serial ?? wwn ?? name,
    name,
    ...(serial != null && { serial }),
    ...(wwn != null && { wwn: wwnIn(wwn) }),
    ...(model != null && { model }),
    media,
    ...(size != null && { bytes: size }),
    methods: ["unspecified"],
  };
}
