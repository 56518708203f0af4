import type { Violation } from "../../error.ts";
import { isManaged } from "../../placement/pool/host.ts";
import { isAddressOf } from "../../ports/bare-metal/address.ts";
import type { HostType } from "../host-type/model.ts";
import type { Bmc } from "./bmc.ts";
import type { HostSpec } from "./model.ts";

/** Refuses a host that lacks hardware of its host type, because orders rely on the type. Pure. */
export function refuseUnlikeType(
  spec: Pick<HostSpec, "dpus" | "bmc">,
  { metadata: { name }, spec: { hardware } }: HostType,
  violations: Violation[],
): void {
  const { dpus = 0, url_boot } = hardware ?? {};
  if ((spec.dpus ?? 0) !== dpus)
    violations.push({
      field: "spec.dpus",
      message: `must be ${dpus === 0 ? "left out" : dpus}: so \`hardware.dpus\` of host type '${name}' says of each of its hosts`,
    });
  if (isManaged({ spec }) && !bootsUrls(spec.bmc) && url_boot !== false)
    violations.push({
      field: "spec.host_type",
      message: `must be one with \`hardware.url_boot\` false, which '${name}' is not: ${serviceOf(spec.bmc)} boots no server from a URL`,
    });
}

/**
 * Whether the server can boot from a URL. Ironic and Metal3 cannot do that; but if Slipway has the credentials
 * of the controller, it takes the server over from Metal3.
 */
const bootsUrls = ({ address, credentials }: Bmc): boolean =>
  !isAddressOf("ironic", address) && !(isAddressOf("metal3", address) && credentials === undefined);

const serviceOf = ({ address }: Bmc): string =>
  isAddressOf("ironic", address) ? "Ironic" : "Metal3";
