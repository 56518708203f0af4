import * as z from "zod";
import { nicMacIn } from "../../../../mac.ts";
import type { KubeObject } from "../../../kubernetes/kube-object.ts";
import { wwnIn } from "../../../wwn.ts";
import type { ReportedHardware, ReportedValidation } from "../hardware.ts";

const text = z.string().catch("");
const inventorySchema = z.object({
  cpu: z.object({ count: z.number().optional() }).optional(),
  memory: z.object({ physicalBytes: z.number().optional() }).optional(),
  systemVendor: z.object({ serialNumber: text }).optional(),
  interfaces: z.array(z.object({ macAddress: text })).catch([]),
  disks: z
    .array(
      z.object({
        id: z.string(),
        name: text,
        serial: text,
        wwn: text,
        driveType: text,
        sizeBytes: z.number().catch(0),
        bootable: z.boolean().catch(false),
      }),
    )
    .catch([]),
  gpus: z.array(z.object({ name: text })).catch([]),
});

/**
 * Optical and floppy drives, such as a controller's virtual drive: the agent reports it as bootable after the
 * server has booted from it.
 */
const removable: ReadonlySet<string> = new Set(["ODD", "FDD"]);

/**
 * The inventory that an agent reports, without drives that store nothing: removable drives, and
 * drives of size 0.
 */
export function hardwareIn({ status }: KubeObject): ReportedHardware {
  const { data } = inventorySchema.safeParse(status?.inventory ?? {});
  const { cpu, memory, systemVendor, interfaces = [], disks = [], gpus = [] } = data ?? {};
  return {
    ...(cpu?.count !== undefined && { cpus: cpu.count }),
    ...(memory?.physicalBytes !== undefined && { memory: memory.physicalBytes }),
    ...(systemVendor?.serialNumber && { serial: systemVendor.serialNumber }),
    macs: interfaces.flatMap(({ macAddress }) => nicMacIn(macAddress ?? "") ?? []),
    disks: disks
      .filter(({ driveType, sizeBytes }) => !removable.has(driveType) && sizeBytes > 0)
      .map(({ id, name, serial, wwn, sizeBytes, bootable }) => ({
        name: name || id,
        ...(serial && { serial }),
        ...(wwn && { wwn: wwnIn(wwn) }),
        bytes: sizeBytes,
        isBootable: bootable,
      })),
    gpus: gpus.map(({ name }) => name),
    validations: validationsIn(status?.validationsInfo),
  };
}

const validationsSchema = z.record(
  z.string(),
  z.array(z.object({ id: z.string(), status: text, message: text })),
);

/** Results of the assisted service's validations, of all categories. A disabled one has no result. */
function validationsIn(info: unknown): ReportedValidation[] {
  const { data = {} } = validationsSchema.safeParse(info ?? {});
  return Object.values(data)
    .flat()
    .flatMap(({ id, status, message }) => {
      const result = results[status];
      return result ? [{ id, result, message }] : [];
    });
}

const results: Readonly<Record<string, ReportedValidation["result"]>> = {
  success: "passed",
  "success-suppress-output": "passed",
  failure: "failed",
  error: "failed",
  pending: "pending",
};
