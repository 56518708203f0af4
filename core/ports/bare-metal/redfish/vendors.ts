import type { System } from "./system.ts";

/**
 * Where controllers differ from each other against the same standard; what can be read from the
 * controller itself is read there. Sources: sushy and the issues of tools that use it.
 */
interface Vendor {
  manufacturer: RegExp;
  model?: RegExp;
  /** Names of the virtual drive as a source of boots, the best first. */
  mediaTargets: readonly string[];
  /** Members of `Boot` that are sent though they are as wanted already; others are left out then. */
  always: readonly ("BootSourceOverrideEnabled" | "BootSourceOverrideMode")[];
}

/** The first that matches counts. */
const vendors = [
  {
    manufacturer: /supermicro/i,
    model: /^ARS-111GL-NHR/i,
    mediaTargets: ["Cd"],
    always: ["BootSourceOverrideEnabled"],
  },
  {
    // `Cd` is a drive that nobody plugs in: the virtual one is on the USB bus.
    manufacturer: /supermicro/i,
    mediaTargets: ["UsbCd", "Cd"],
    always: ["BootSourceOverrideEnabled"],
  },
  {
    manufacturer: /asrock|\bami\b|american megatrends/i,
    mediaTargets: ["Cd", "UsbCd"],
    always: ["BootSourceOverrideEnabled", "BootSourceOverrideMode"],
  },
  { manufacturer: /(?:)/, mediaTargets: ["Cd", "UsbCd"], always: [] },
] as const satisfies Vendor[];

export function vendorOf({ Manufacturer, Model }: System): Vendor {
  const all: readonly Vendor[] = vendors;
  const found = all.find(
    ({ manufacturer, model }) =>
      manufacturer.test(Manufacturer ?? "") && (model?.test(Model ?? "") ?? true),
  );
  if (!found) throw new Error("the last vendor matches every system");
  return found;
}
