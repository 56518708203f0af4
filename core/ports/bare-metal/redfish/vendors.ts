import * as z from "zod";
import type { ErasureMethod } from "../erasure.ts";
import type { RedfishSystem } from "./system.ts";

/**
 * Where controllers differ from each other against the same standard; what can be read from the
 * controller itself is read there. Sources: sushy and the
 * issues of tools that use it; Dell's scripts for its controllers; Supermicro's answers to questions.
 */
interface Vendor {
  manufacturer: RegExp;
  model?: RegExp;
  /** Names of the virtual drive as a source of boots, the best first. */
  mediaTargets: readonly string[];
  /** Members of `Boot` that are sent though they are as desired already; others are left out then. */
  always: readonly ("BootSourceOverrideEnabled" | "BootSourceOverrideMode")[];
  /** Reads from a drive's `Oem` how an erasure goes of which the action announces nothing. */
  erasureIn?: (oem: unknown) => ErasureMethod[];
  /** Has to be told what an update is for. Others find it in the image, and some refuse to be told. */
  needsTargets?: true;
}

/** Dell erases drives that encrypt what they hold, and no others. */
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

/** The first that matches counts. */
const vendors = [
  {
    manufacturer: /supermicro/i,
    model: /^ARS-111GL-NHR/i,
    mediaTargets: ["Cd"],
    always: ["BootSourceOverrideEnabled"],
    needsTargets: true,
  },
  {
    // `Cd` is a drive that nobody plugs in: the virtual one is on the USB bus.
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
