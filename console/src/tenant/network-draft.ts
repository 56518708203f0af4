import { commandLine, quoted } from "../ui/command.ts";

/** Orders of networks and of subnets, as they are written. */

interface Prefixes {
  ipv4: string;
  ipv6: string;
}

export interface NetworkDraft extends Prefixes {
  name: string;
  /** The id of the class that says who makes it real; empty for the usual one. */
  networkClass: string;
}

export interface SubnetDraft extends Prefixes {
  name: string;
  /** The id of its network. */
  network: string;
}

export const emptyNetwork: NetworkDraft = { name: "", ipv4: "", ipv6: "", networkClass: "" };

/** What was written of the prefixes. */
const prefixesOf = ({ ipv4, ipv6 }: Prefixes) => ({
  ...(ipv4.trim() !== "" && { ipv4_cidr: ipv4.trim() }),
  ...(ipv6.trim() !== "" && { ipv6_cidr: ipv6.trim() }),
});

export const networkOf = ({ name, networkClass, ...prefixes }: NetworkDraft) => ({
  metadata: { name },
  spec: { ...prefixesOf(prefixes), ...(networkClass !== "" && { network_class: networkClass }) },
});

export const subnetOf = ({ name, network, ...prefixes }: SubnetDraft) => ({
  metadata: { name },
  spec: { ...(network !== "" && { virtual_network: network }), ...prefixesOf(prefixes) },
});

/** The command line that orders the same, each member by its option. */
const commandOf = (
  noun: string,
  { metadata, spec }: { metadata: { name: string }; spec: object },
) =>
  commandLine([
    `slipway ${noun} create ${quoted(metadata.name || "NAME")}`,
    ...Object.entries(spec).map(
      ([member, value]) => `--${member.replaceAll("_", "-")} ${quoted(String(value))}`,
    ),
    "--wait",
  ]);

export const networkCommandOf = (draft: NetworkDraft): string =>
  commandOf("virtual-network", networkOf(draft));

export const subnetCommandOf = (draft: SubnetDraft): string => commandOf("subnet", subnetOf(draft));
