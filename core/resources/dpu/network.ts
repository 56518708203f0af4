import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../error.ts";
import type { Dpu } from "./model.ts";
import type { OverlayNetwork } from "./overlay.ts";

/**
 * The network configuration of a DPU: its routes as a leaf of the fabric, and the network of the NICs behind
 * it. Before its first configuration a DPU carries no traffic.
 */
export interface DpuNetwork {
  leaf: { asn: number; loopback: string };
  /** The operation that requested it, if the DPU has to confirm even an equal configuration for it. */
  for?: string;
  /** The network of its host; if absent, the host reaches nothing. */
  host?: AdminNetwork | OverlayNetwork;
}

/** The network of hosts without a tenant: DHCP is relayed, and only the site controller is reachable. */
export interface AdminNetwork {
  network: "admin";
  cidr: string;
  gateway: string;
  dhcp: "relay";
  /** The ports in this network, each with the NIC behind it if known. */
  ports: { name: string; mac?: string }[];
}

/**
 * The limit of a configuration in the DPU's item, in bytes of JSON; it is large, because rules list every
 * member of a group.
 */
export const configurationBytes = 128 * 1024;

/**
 * The record with this desired network, under a new version if it differs from the previous one. Throws Rejected if it
 * exceeds the limit.
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

/** Whether a DPU has reported the desired configuration as applied, and its BGP sessions as up. */
export const hasApplied = ({ wanted, applied }: Dpu): boolean =>
  wanted !== undefined &&
  applied?.version === wanted.version &&
  applied.state === "applied" &&
  applied.leaf?.state === "up" &&
  applied.leaf.asn === wanted.leaf.asn &&
  applied.leaf.loopback === wanted.leaf.loopback;

/**
 * Whether a DPU has confirmed the present places of the NICs behind it, and has received no other places since.
 * Other changes may still be missing.
 */
export const hasStood = ({ stands, stands_from: from, former, applied }: Dpu): boolean =>
  stands !== undefined &&
  from !== undefined &&
  former === undefined &&
  applied?.state === "applied" &&
  applied.version >= from;

/** The last report of a DPU about its network, in words. */
export function appliedInWords({ applied }: Dpu): string {
  if (!applied) return "it has not reported one";
  const { version, state, message, leaf } = applied;
  if (state === "failed")
    return `it could not apply version ${version}${message ? `: ${message}` : ""}`;
  return `it has version ${version}${leaf?.state === "up" ? "" : ", and its sessions are down"}`;
}
