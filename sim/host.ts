import { v5 } from "uuid";
import * as z from "zod";
import { erasureMethods } from "../core/ports/bare-metal/erasure.ts";
import { hostSpecSchema } from "../core/resources/host/model.ts";
import type { MachineDrive, MachineHardware } from "./bmc/hardware.ts";
import { type VendorName, vendorNames } from "./bmc/profiles.ts";

const hostname = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "must be an RFC 1123 label");

/** The members are those of sim/bmc/hardware.ts. */
const hardwareSchema = z.strictObject({
  cpus: z.int().min(1),
  cores: z.int().min(1),
  memory: z.int().min(1),
  gpus: z.array(z.strictObject({ model: z.string().min(1), count: z.int().min(1) })),
}) satisfies z.ZodType<MachineHardware>;

const driveSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  serial: z.string().min(1),
  model: z.string().min(1),
  protocol: z.enum(["NVMe", "SATA", "SAS"]),
  media: z.enum(["SSD", "HDD"]),
  bytes: z.int().min(1),
  methods: z.array(z.enum(erasureMethods)),
  written: z.string().min(1).exactOptional(),
  takes: z.int().min(1).exactOptional(),
}) satisfies z.ZodType<MachineDrive>;

/** A machine with a controller, which is switched off until that is told otherwise. */
const newServerSchema = z.strictObject({
  vendor: z.enum(vendorNames),
  /** The serial number; one of its own unless told. */
  serial: z.string().min(1).max(64).optional(),
  /** What its controller tells as its UUID; one of its own unless told. */
  uuid: z.string().exactOptional(),
  /** Of its controller; that of all unless told. */
  credential: z.strictObject({ username: z.string(), password: z.string() }).exactOptional(),
  /** Its controller takes the credential for a session alone, as where HTTPBasicAuth of Redfish is Disabled. */
  hasSessionsOnly: z.literal(true).exactOptional(),
  /** What is in it; as in most servers unless told. The first drive is the one that it boots from. */
  hardware: hardwareSchema.exactOptional(),
  drives: z.array(driveSchema).min(1).exactOptional(),
});

/** A DPU in a server, switched off. */
const newDpuSchema = z.strictObject({
  name: hostname,
  serial: z.string().min(1).max(64),
  bmc: z.strictObject({ address: z.string().max(2048) }),
  ports: z.array(z.strictObject({ name: z.string().min(1), mac: z.string().min(1) })),
});

/** A machine that is put into the world. */
export const newHostSchema = z
  .strictObject({
    /** The machine's hostname, unique in the world. */
    name: hostname,
    /** The hub whose discovery network it boots from. */
    hub: hostSpecSchema.shape.hub,
    host_type: hostSpecSchema.shape.host_type,
    bmc: z.strictObject({
      address: z
        .string()
        .max(2048)
        .refine((address) => URL.canParse(address), "must be a URL"),
    }),
    nics: hostSpecSchema.shape.nics,
    /** Its DPUs, each with the NICs of the machine that are behind its ports. */
    dpus: z.array(newDpuSchema).default([]),
    /** Whether the machine has booted the discovery image long ago; otherwise discovery takes its time. */
    discovered: z.boolean().default(false),
    /** What makes it a server that is off; without it somebody else has booted the machine. */
    server: newServerSchema.optional(),
  })
  .refine(
    ({ server, discovered }) => !(server && discovered),
    "a server that is switched off has not been discovered",
  );
export type NewHost = z.input<typeof newHostSchema>;

export interface Host extends Omit<z.infer<typeof newHostSchema>, "server" | "dpus"> {
  /** The machine's UUID, by which its Agent is named. */
  id: string;
  /** The machine's address on the hub's discovery network, to which every host of this world is attached. */
  address: string;
  /** When its discovery agent first reports, in ms since the epoch. */
  reports_at: number;
  /** Its hardware has a controller of this vendor's. */
  server?: { vendor: VendorName };
}

/** The GPUs in a machine, by its type; other types have none. */
const gpusOfType: Record<string, MachineHardware["gpus"]> = {
  h100: [{ model: "H100 SXM5 80GB", count: 8 }],
};

export const gpusIn = ({ host_type }: Pick<Host, "host_type">): MachineHardware["gpus"] =>
  gpusOfType[host_type] ?? [];

const machines = "9c1c3d9e-7d0b-4c3e-9b64-6f5d0c1f6a01";

/** Those that were asked for: a hash takes longer than to find it. */
const ids = new Map<string, string>();

/** The id of a machine. The same name gives the same id in every world. */
export function hostId(name: string): string {
  const known = ids.get(name);
  if (known !== undefined) return known;
  const id = v5(name, machines);
  ids.set(name, id);
  return id;
}
