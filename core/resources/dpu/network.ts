import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../error.ts";
import type { Dpu } from "./model.ts";
import type { OverlayNetwork } from "./overlay.ts";

/**
 * The network configuration of a DPU: what it announces of itself as a leaf of the fabric, and which network the NICs
 * behind it are on. A DPU that has applied none carries nothing.
 */
export interface DpuNetwork {
  leaf: { asn: number; loopback: string };
  /** The operation that wants it, where that wants the DPU to tell anew that it has it. */
  for?: string;
  /** The network of its host; absent: the host reaches nobody. */
  host?: AdminNetwork | OverlayNetwork;
}

/** The network of hosts that no tenant has: their DHCP is relayed, and they reach the site controller. */
export interface AdminNetwork {
  network: "admin";
  cidr: string;
  gateway: string;
  dhcp: "relay";
  /** The ports on which the network is, each with the NIC behind it where that is known. */
  ports: { name: string; mac?: string }[];
}

/** What the configuration may take of the DPU's item, in bytes of JSON: rules list each member of a group. */
export const configurationBytes = 128 * 1024;

/**
 * The record with this network desired, in a version of its own if it is another than before. Throws Rejected for one for
 * which a DPU has no room.
 */
export function wanting(dpu: Dpu, network: DpuNetwork): Dpu {
  const { version = 0, ...before } = dpu.wanted ?? {};
  if (isDeepStrictEqual(before, network)) return dpu;
  const bytes = Buffer.byteLength(JSON.stringify(network));
  if (bytes > configurationBytes)
    throw new AppError(
      "Rejected",
      `the network of DPU ${dpu.metadata.name} would have ${bytes} bytes; ${configurationBytes} is the limit: let rules name prefixes in place of groups with many members`,
    );
  return { ...dpu, wanted: { ...network, version: version + 1 } };
}

/** The ports of a DPU on the network of free hosts. */
export const adminNetwork = (
  { ports }: Dpu["spec"],
  { cidr, gateway }: Pick<AdminNetwork, "cidr" | "gateway">,
): AdminNetwork => ({
  ...{ network: "admin", cidr, gateway, dhcp: "relay" },
  ports: ports.map(({ name, host_mac: mac }) => ({ name, ...(mac !== undefined && { mac }) })),
});

/** Whether a DPU has reported that it has what is desired, and its sessions as a leaf are up. */
export const hasApplied = ({ wanted, applied }: Dpu): boolean =>
  wanted !== undefined &&
  applied?.version === wanted.version &&
  applied.state === "applied" &&
  applied.leaf?.state === "up" &&
  applied.leaf.asn === wanted.leaf.asn &&
  applied.leaf.loopback === wanted.leaf.loopback;

/**
 * Whether a DPU has the NICs behind it where they are to be, as it has reported once, and was never given another place for
 * them since. It may lack what else has changed.
 */
export const hasStood = ({ stands, stands_from: from, former, applied }: Dpu): boolean =>
  stands !== undefined &&
  from !== undefined &&
  former === undefined &&
  applied?.state === "applied" &&
  applied.version >= from;

/** What a DPU has reported last of its network, in words. */
export function appliedInWords({ applied }: Dpu): string {
  if (!applied) return "it has reported none";
  const { version, state, message, leaf } = applied;
  if (state === "failed")
    return `it could not apply version ${version}${message ? `: ${message}` : ""}`;
  return `it has version ${version}${leaf?.state === "up" ? "" : ", and its sessions are down"}`;
}
