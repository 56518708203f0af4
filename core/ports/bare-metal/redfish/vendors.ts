import * as z from "zod";
import type { ErasureMethod } from "../erasure.ts";
import type { RedfishSystem } from "./system.ts";

/**
 * Differences between vendors under the same standard, as far as they cannot be read from the controller
 * itself. Sources: sushy and the issues of tools that use it; Dell's scripts for its controllers;
 * Supermicro's support answers.
 */
interface Vendor {
  manufacturer: RegExp;
  model?: RegExp;
  /** Redfish's names of the virtual drive as a boot source, in order of preference. */
  mediaTargets: readonly string[];
  /**
   * Members of `Boot` that are sent even if they are already as desired; other members are left out then.
   */
  always: readonly ("BootSourceOverrideEnabled" | "BootSourceOverrideMode")[];
  /** Reads the methods of an erasure from a drive's `Oem`, where the action lists none. */
  erasureIn?: (oem: unknown) => ErasureMethod[];
  /**
   * Requires the targets of an update. Other controllers read them from the image, and some refuse the
   * parameter.
   */
  needsTargets?: true;
}

/** Dell erases only self-encrypting drives. */
const dellDrive = z.looseObject({ SystemEraseCapability: z.string() }).optional();
const dellSchema = z.object({
  Dell: z.looseObject({
    DellPhysicalDisk: dellDrive.catch(undefined),
    DellPCIeSSD: dellDrive.catch(undefined),
  }),
});
function dellErasure(oem: unknown): ErasureMethod[] {
  const { DellPhysicalDisk, DellPCIeSSD } = dellSchema.safeParse(oem).data?.Dell ?? {};
  const [told] = [DellPhysicalDisk, DellPCIeSSD].filter((drive) => drive !== undefined);
  if (!told) return ["unspecified"];
  return told.SystemEraseCapability === "CryptographicErasePD" ? ["cryptographic"] : [];
}

/** The first match counts. */
const vendors = [
  {
    manufacturer: /supermicro/i,
    model: /^ARS-111GL-NHR/i,
    mediaTargets: ["Cd"],
    always: ["BootSourceOverrideEnabled"],
    needsTargets: true,
  },
  {
    // `Cd` is a physical drive; the virtual one is on the USB bus.
    manufacturer: /supermicro/i,
    mediaTargets: ["UsbCd", "Cd"],
    always: ["BootSourceOverrideEnabled"],
    needsTargets: true,
  },
  {
    manufacturer: /asrock|\bami\b|american megatrends/i,
    mediaTargets: ["Cd", "UsbCd"],
    always: ["BootSourceOverrideEnabled", "BootSourceOverrideMode"],
  },
  { manufacturer: /dell/i, mediaTargets: ["Cd", "UsbCd"], always: [], erasureIn: dellErasure },
  { manufacturer: /(?:)/, mediaTargets: ["Cd", "UsbCd"], always: [] },
] as const satisfies Vendor[];

export function vendorOf({ Manufacturer, Model }: RedfishSystem): Vendor {
  const all: readonly Vendor[] = vendors;
  const found = all.find(
    ({ manufacturer, model }) =>
      manufacturer.test(Manufacturer ?? "") && (model?.test(Model ?? "") ?? true),
  );
  if (!found) throw new Error("the last vendor matches every system");
  return found;
}
