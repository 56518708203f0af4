import { isKind } from "../../error.ts";
import { controllerAtKey } from "../../kernel/object/keys.ts";
import { absent, eq, type Item, type Put, type Write } from "../../kernel/store/store.ts";
import { isManaged } from "../../placement/pool/host.ts";
import { namesService, parseServerAddress } from "../../ports/bare-metal/address.ts";
import type { Bmc } from "./bmc.ts";

/**
 * The place of a management controller, by its address, and a system there. The place does not
 * depend on scheme and spelling. An item for each place records which object holds which system.
 */

export interface ControllerPlace {
  /** Host and port; the port is absent if it is the default of the scheme. */
  at: string;
  /** `whole` for an address without a system, which means the controller's only one. */
  system: string;
}

/** The host or DPU that holds a system, as kind and id. */
export type ControllerHolder = Readonly<Record<string, string>>;
/** The holders in a controller's item, by system. */
export type Holders = Readonly<Record<string, ControllerHolder>>;

const whole = "*";

/** The address that a host or a DPU claims exclusively; undefined for a server whose power Slipway does not manage. */
export const claimedAddress = (bmc: Bmc | undefined): string | undefined =>
  bmc && isManaged({ spec: { bmc } }) ? bmc.address : undefined;

/** The place of an address; undefined for a server at a service, and for an invalid address. */
export function controllerPlaceOf(address: string | undefined): ControllerPlace | undefined {
  if (address === undefined || namesService(address)) return undefined;
  try {
    const place = parseServerAddress(address);
    if (place.by !== "redfish") return undefined;
    return { at: new URL(place.url).host, system: place.system ?? whole };
  } catch (error) {
    if (!isKind(error, "Invalid")) throw error;
    return undefined;
  }
}

/** Whether two systems are the same one, or one of the two is the whole controller. */
export function meets(system: string, held: string): boolean {
  const other = systemOf(held);
  return other === system || [other, system].includes(whole);
}

/** The system of a holder; earlier versions kept the spelling of the address. */
function systemOf(held: string): string {
  if (held === whole) return whole;
  const place = parseServerAddress(`redfish://controller${held}`);
  return (place.by === "redfish" && place.system) || whole;
}

/**
 * A second name for a system that two objects hold, since earlier versions took it for two servers: both
 * exclude all others. The text after `#` is not part of the system.
 */
export const heldBeside = (system: string, id: string): string =>
  `${system === whole ? "/" : system}#${id}`;

/** The places of a controller's claims: its host name and, from earlier versions, the name with a final dot. */
export function claimsAt(at: string): string[] {
  const [, name, port = ""] = /^([^:[\]]*[a-z_-])(:\d+)?$/.exec(at) ?? [];
  return name === undefined ? [at] : [at, `${name}.${port}`];
}

/** The holders in an item of the store. The item is untyped, but only `putHolders` writes it. */
export const holdersIn = (item: Item | undefined): Holders =>
  (item?.holders as unknown as Holders | undefined) ?? {};

/** The write that sets the holders of a controller's systems; none if nothing changes. */
export function holdingController(at: string, item: Item | undefined, holders: Holders): Write[] {
  const is = JSON.stringify(sorted(holders));
  if (is === JSON.stringify(sorted(holdersIn(item)))) return [];
  const gone = { delete: controllerAtKey(at), if: eq("revision", Number(item?.revision ?? 0)) };
  return [is === "[]" ? gone : putHolders(at, item, holders)];
}

/** The write that sets the holders of a controller's systems, if its item has not changed since it was read. */
export function putHolders(at: string, item: Item | undefined, holders: Holders): Put {
  const revision = Number(item?.revision ?? 0);
  const put = { ...controllerAtKey(at), holders: { ...holders }, revision: revision + 1 };
  return { put, if: item ? eq("revision", revision) : absent };
}

const sorted = (holders: Holders) =>
  Object.entries(holders).toSorted(([a], [b]) => (a < b ? -1 : 1));
