import { AppError } from "../../../error.ts";
import { hostFault } from "../../../kernel/input/address.ts";

/** Where a server's controller is, and which of its systems the server is. */
export interface RedfishAddress {
  /** The controller's URL, without a slash at the end. */
  url: string;
  /** The path of the system; absent where the controller has one system alone. */
  system?: string;
}

/** How Metal3 writes them: what Redfish is used for, and the transport where it is not https. */
const scheme =
  /^(?:(?:[a-z0-9]+-)?(?:redfish|redfish-virtualmedia|redfish-uefihttp)|(?:idrac|ilo5)-virtualmedia)(?:\+(https?))?:$/;

/** Metal3 takes `redfish:192.0.2.10` too, which is no URL with a host to others. */
export const withSlashes = (address: string): string =>
  address.replace(
    /^([a-z0-9+-]*(?:redfish|virtualmedia|uefihttp)(?:\+https?)?):(?=[^/])/i,
    "$1://",
  );

/**
 * Reads the address of a controller, such as redfish://10.1.0.1/redfish/v1/Systems/1, in any of the
 * spellings that Metal3 knows: those that mean the same are read as the same. Throws Invalid for any other.
 */
export function parseAddress(text: string): RedfishAddress {
  const address = withSlashes(text);
  const fault = address.includes("://") ? hostFault(address) : undefined;
  if (fault !== undefined) throw new AppError("Invalid", fault);
  const url = URL.parse(address);
  const transport = url && (scheme.exec(url.protocol) ?? /^(https?):$/.exec(url.protocol));
  if (!url || !transport || !url.host)
    throw new AppError(
      "Invalid",
      "must be the address of a Redfish controller, such as redfish://10.1.0.1",
    );
  const path = pathOf(url);
  return {
    url: `${transport[1] ?? "https"}://${hostOf(url)}`,
    ...(!rootPaths.has(path) && { system: path }),
  };
}

/** Paths by which former addresses name no system. */
const rootPaths = new Set(["", "/redfish", "/redfish/v1", "/redfish/v1/Systems"]);

/** DNS knows a name with a dot at its end for the same. */
const hostOf = ({ host }: URL): string => host.replace(/\.(?=$|:\d+$)/, "");

/** The path of a URL in the one spelling that RFC 3986 has for it, without empty parts. */
const pathOf = ({ pathname }: URL): string =>
  pathname
    .replace(/%[0-9a-f]{2}/gi, (escaped) => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
    })
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "");

/** Why an address cannot be given to a server any more: its path is neither Redfish's root nor that of a system. */
export function pathFault(address: string): string | undefined {
  const url = URL.parse(withSlashes(address));
  const isNamed = url === null || /^(|\/redfish\/v1(\/Systems\/[^/]+)?)$/.test(pathOf(url));
  return isNamed ? undefined : "must name a system as /redfish/v1/Systems/<id>, or none";
}
