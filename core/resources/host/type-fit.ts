import type { Violation } from "../../error.ts";
import { isManaged } from "../../placement/pool/host.ts";
import { isAddressOf } from "../../ports/bare-metal/address.ts";
import type { HostType } from "../host-type/model.ts";
import type { Bmc } from "./bmc.ts";
import type { HostSpec } from "./model.ts";

/** What a host type says of all its hosts, and each host has to keep to: orders are refused by it. Pure. */
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

/** Whether what switches a server has it boot from a URL. Metal3 releases a server whose controller Slipway can log into. */
const bootsUrls = ({ address, credentials }: Bmc): boolean =>
  !isAddressOf("ironic", address) && !(isAddressOf("metal3", address) && credentials === undefined);

const serviceOf = ({ address }: Bmc): string =>
  isAddressOf("ironic", address) ? "Ironic" : "Metal3";
