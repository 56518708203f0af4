import * as z from "zod";
import { AppError } from "../../../error.ts";
import type { BootSource, NextBoot } from "../server.ts";
import type { RedfishApi } from "./api.ts";
import type { EntityTags } from "./entity-tag.ts";
import { type Boot, bootSchema, type RedfishSystem } from "./system.ts";
import { vendorOf } from "./vendors.ts";

/** The resource on which `Boot` is changed, with its current values. */
interface BootResource {
  path: string;
  tags: EntityTags;
  boot: Boot;
}

/** Where `Boot` is changed: in the pending settings resource if it has `Boot`, otherwise in the system. */
export async function bootResource(
  api: RedfishApi,
  system: RedfishSystem,
  tags: EntityTags,
): Promise<BootResource> {
  const settings = system["@Redfish.Settings"]?.SettingsObject["@odata.id"];
  if (settings !== undefined) {
    const pending = await api.readTagged(settings, z.looseObject({ Boot: bootSchema.nullish() }));
    const { Boot } = pending.resource;
    if (Boot && "BootSourceOverrideTarget" in Boot)
      return { path: settings, tags: pending.tags, boot: merged(system.Boot ?? {}, Boot) };
  }
  return { path: system["@odata.id"], tags, boot: system.Boot ?? {} };
}

const allowable = "BootSourceOverrideTarget@Redfish.AllowableValues";

/**
 * Pending values replace active ones. The settings accept the sources that they list, or those of the system
 * if they list none. If they have `HttpBootUri`, they also accept HTTP boot, which BlueField's list omits.
 */
function merged(active: Boot, pending: Boot): Boot {
  const listed = pending[allowable] ?? active[allowable];
  const byUrl = "HttpBootUri" in pending ? targets.http : [];
  return {
    ...active,
    ...pending,
    ...(listed && { [allowable]: [...new Set([...listed, ...byUrl])] }),
  };
}

/** The change that sets the source of the next boot; undefined if it is set already. */
export function bootChange(
  system: RedfishSystem,
  boot: Boot,
  source: BootSource,
): object | undefined {
  const { always } = vendorOf(system);
  const target = targetFor(system, boot, source);
  const wanted = {
    BootSourceOverrideTarget: target,
    BootSourceOverrideEnabled: "Once",
    // Legacy boot would ignore the UEFI settings; a controller without the member has one mode only.
    ...(boot.BootSourceOverrideMode != null && { BootSourceOverrideMode: "UEFI" }),
    ...(source.from === "http" && { HttpBootUri: source.url }),
  };
  const isSo = (name: string): boolean => boot[name] === wanted[name as keyof typeof wanted];
  const names = Object.keys(wanted);
  if (names.every(isSo)) return undefined;
  const kept = names.filter(
    (name) =>
      name === "BootSourceOverrideTarget" ||
      !isSo(name) ||
      (always as readonly string[]).includes(name),
  );
  return {
    Boot: Object.fromEntries(Object.entries(wanted).filter(([name]) => kept.includes(name))),
  };
}

/** Redfish's names of each source, in order of preference. */
const targets = {
  media: ["Cd", "UsbCd"],
  network: ["Pxe"],
  http: ["UefiHttp"],
  disk: ["Hdd"],
} as const satisfies Record<BootSource["from"], readonly string[]>;

function targetFor(system: RedfishSystem, boot: Boot, { from }: BootSource): string {
  const names = from === "media" ? vendorOf(system).mediaTargets : targets[from];
  const allowed = boot[allowable];
  const name = allowed ? names.find((each) => allowed.includes(each)) : names[0];
  if (name !== undefined) return name;
  const message = `the server cannot boot from ${names.join(" or ")}, only from ${allowed?.join(", ")}`;
  throw new AppError("Rejected", message);
}

/** The source of the next boot, if it is overridden. */
export function nextBootOf(boot: Boot): NextBoot | undefined {
  const { BootSourceOverrideEnabled: enabled, BootSourceOverrideTarget: target } = boot;
  if (enabled == null || enabled === "Disabled" || target == null || target === "None")
    return undefined;
  const sources = Object.entries(targets) as [BootSource["from"], readonly string[]][];
  const from = sources.find(([, names]) => names.includes(target))?.[0] ?? "other";
  return { from, isOnce: enabled === "Once" };
}
