import { AppError } from "../../../error.ts";
import { hostFault } from "../../../kernel/input/address.ts";

/** The address of a server's controller, and the path of the server's system there. */
export interface RedfishAddress {
  /** The controller's URL, without a slash at the end. */
  url: string;
  /** The path of the system; absent if the controller has only one. */
  system?: string;
}

/** The URL schemes of Metal3: the Redfish variant, and the transport if it is not https. */
const scheme =
  /^(?:(?:[a-z0-9]+-)?(?:redfish|redfish-virtualmedia|redfish-uefihttp)|(?:idrac|ilo5)-virtualmedia)(?:\+(https?))?:$/;

/** Metal3 also accepts `redfish:192.0.2.10`, which URL parsers read as a URL without a host. */
export const withSlashes = (address: string): string =>
  address.replace(
    /^([a-z0-9+-]*(?:redfish|virtualmedia|uefihttp)(?:\+https?)?):(?=[^/])/i,
    "$1://",
  );

/**
 * Parses the address of a controller, such as redfish://10.1.0.1/redfish/v1/Systems/1, in all spellings that
 * Metal3 accepts; equivalent spellings give the same result. Throws Invalid for any other.
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

/** Paths in addresses of earlier versions that name no system. */
const rootPaths = new Set(["", "/redfish", "/redfish/v1", "/redfish/v1/Systems"]);

/** In DNS a dot at the end of a name makes no difference. */
const hostOf = ({ host }: URL): string => host.replace(/\.(?=$|:\d+$)/, "");

/** The path of a URL, normalized by RFC 3986 and without empty segments. */
const pathOf = ({ pathname }: URL): string =>
  pathname
    .replace(/%[0-9a-f]{2}/gi, (escaped) => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase();
    })
    .replace(/\/{2,}/g, "/")
    .replace(/\/$/, "");

/** Why new addresses may not have this path: it is neither Redfish's root nor a system's. */
export function pathFault(address: string): string | undefined {
  const url = URL.parse(withSlashes(address));
  const isNamed = url === null || /^(|\/redfish\/v1(\/Systems\/[^/]+)?)$/.test(pathOf(url));
  return isNamed ? undefined : "must name a system as /redfish/v1/Systems/<id>, or none";
}
