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

/**
 * Reads the address of a controller, such as redfish://10.1.0.1/redfish/v1/Systems/1, in any of the
 * spellings that Metal3 knows. Throws Invalid for any other.
 */
export function parseAddress(address: string): RedfishAddress {
  const fault = address.includes("://") ? hostFault(address) : undefined;
  if (fault !== undefined) throw new AppError("Invalid", fault);
  const url = URL.parse(address);
  const transport = url && (scheme.exec(url.protocol) ?? /^(https?):$/.exec(url.protocol));
  if (!url || !transport || !url.host)
    throw new AppError(
      "Invalid",
      "must be the address of a Redfish controller, such as redfish://10.1.0.1",
    );
  const path = url.pathname.replace(/\/+$/, "");
  return {
    url: `${transport[1] ?? "https"}://${url.host}`,
    ...(path !== "" && path !== "/redfish/v1" && { system: path }),
  };
}
