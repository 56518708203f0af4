import { AppError } from "../../error.ts";
import { parseAddress, pathFault, type RedfishAddress } from "./redfish/address.ts";

/**
 * The parsed address of a server: its own Redfish controller, or its name at a bare metal service.
 */
export type ServerPlace =
  | ({ by: "redfish" } & RedfishAddress)
  /** A node of the Ironic of the hub's site, by its name or its UUID. */
  | { by: "ironic"; node: string }
  /** A BareMetalHost on the hub. */
  | { by: "metal3"; namespace: string; name: string };

/** Bare metal services, which log into the servers' controllers by themselves. */
const service = /^(ironic|metal3):(.*)$/;

/** Whether an address names a server of a bare metal service, even one that no service can have. */
export const namesService = (address: string): boolean => service.test(address);

/** Whether an address names a server of this bare metal service. */
export const isAddressOf = (by: Exclude<ServerPlace["by"], "redfish">, address: string): boolean =>
  service.exec(address)?.[1] === by;

/** The pattern of a node's name in Ironic. */
const node = /^[A-Za-z0-9._~-]{1,255}$/;
/** The pattern of a Kubernetes namespace and name. */
const bareMetalHost =
  /^([a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)\/([a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?)$/;

/**
 * Parses the address of a server: `redfish://10.1.0.1`, `ironic:<node>` or `metal3:<namespace>/<name>`.
 * Throws Invalid, with the expected forms, for any other.
 */
export function parseServerAddress(address: string): ServerPlace {
  const [, by, rest = ""] = service.exec(address) ?? [];
  if (by === "ironic") {
    if (node.test(rest)) return { by, node: rest };
    throw new AppError("Invalid", "must name a node of Ironic, such as ironic:rack-1-01");
  }
  if (by === "metal3") {
    const [, namespace, name] = bareMetalHost.exec(rest) ?? [];
    if (namespace !== undefined && name !== undefined) return { by, namespace, name };
    const message = "must name a BareMetalHost, such as metal3:metal/rack-1-01";
    throw new AppError("Invalid", message);
  }
  return { by: "redfish", ...parseAddress(address) };
}

/**
 * Parses the address of a server in a request. Also throws Invalid for forms that earlier versions accepted.
 */
export function parseGivenAddress(address: string): ServerPlace {
  const place = parseServerAddress(address);
  const fault = place.by === "redfish" ? pathFault(address) : undefined;
  if (fault !== undefined) throw new AppError("Invalid", fault);
  return place;
}
