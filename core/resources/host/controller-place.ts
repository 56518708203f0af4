import { isKind } from "../../error.ts";
import { controllerAtKey } from "../../kernel/object/keys.ts";
import { absent, eq, type Item, type Put, type Write } from "../../kernel/store/store.ts";
import { isManaged } from "../../placement/pool/host.ts";
import { namesService, parseServerAddress } from "../../ports/bare-metal/address.ts";
import type { Bmc } from "./bmc.ts";

/**
 * What the address of a management controller means: where the controller is, whatever the scheme and the spelling, and
 * which of its systems; and the item that says who has which system of it.
 */

export interface ControllerPlace {
  /** Host and port, without the port that the scheme means. */
  at: string;
  /** `whole` for an address without a system: that is the only one. */
  system: string;
}

/** The holder of a system: a host or a DPU, by its kind. */
export type ControllerHolder = Readonly<Record<string, string>>;
/** The holders of a controller's systems, as its item has them. */
export type Holders = Readonly<Record<string, ControllerHolder>>;

const whole = "*";

/** The address that a host or a DPU claims: of a server whose power Slipway manages, which nothing else may have. */
export const claimedAddress = (bmc: Bmc | undefined): string | undefined =>
  bmc && isManaged({ spec: { bmc } }) ? bmc.address : undefined;

/** What an address means; undefined for a server at a service, and for one that nobody can read. */
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

/** Whether a system is the same as that of a holder, or one of the two is the whole controller. */
export function meets(system: string, held: string): boolean {
  const other = systemOf(held);
  return other === system || [other, system].includes(whole);
}

/** The system of a holder, which former code kept in the spelling of its address. */
function systemOf(held: string): string {
  if (held === whole) return whole;
  const place = parseServerAddress(`redfish://controller${held}`);
  return (place.by === "redfish" && place.system) || whole;
}

/**
 * How a system is held that another has too: so two objects that former code took for two servers both keep everybody
 * else out. What is behind the `#` is no part of the system.
 */
export const heldBeside = (system: string, id: string): string =>
  `${system === whole ? "/" : system}#${id}`;

/** Where claims of a controller are: at its host, and where former code had those of a name with a dot at its end. */
export function claimsAt(at: string): string[] {
  const [, name, port = ""] = /^([^:[\]]*[a-z_-])(:\d+)?$/.exec(at) ?? [];
  return name === undefined ? [at] : [at, `${name}.${port}`];
}

/** The store knows no shapes of items; `putHolders` alone writes this one. */
export const holdersIn = (item: Item | undefined): Holders =>
  (item?.holders as unknown as Holders | undefined) ?? {};

/** The write by which these hold the systems of a controller; none where they do. */
export function holdingController(at: string, item: Item | undefined, holders: Holders): Write[] {
  const is = JSON.stringify(sorted(holders));
  if (is === JSON.stringify(sorted(holdersIn(item)))) return [];
  const gone = { delete: controllerAtKey(at), if: eq("revision", Number(item?.revision ?? 0)) };
  return [is === "[]" ? gone : putHolders(at, item, holders)];
}

/** The write by which these hold the systems of a controller, if its item is still as it was read. */
export function putHolders(at: string, item: Item | undefined, holders: Holders): Put {
  const revision = Number(item?.revision ?? 0);
  const put = { ...controllerAtKey(at), holders: { ...holders }, revision: revision + 1 };
  return { put, if: item ? eq("revision", revision) : absent };
}

const sorted = (holders: Holders) =>
  Object.entries(holders).toSorted(([a], [b]) => (a < b ? -1 : 1));
