import { commandLine, quoted } from "../ui/command.ts";

/** Networks and subnets in forms. */

interface Prefixes {
  ipv4: string;
  ipv6: string;
}

export interface NetworkDraft extends Prefixes {
  name: string;
  /** The id of the network class; empty for the default. */
  networkClass: string;
}

export interface SubnetDraft extends Prefixes {
  name: string;
  /** The id of its network. */
  network: string;
}

export const emptyNetwork: NetworkDraft = { name: "", ipv4: "", ipv6: "", networkClass: "" };

/** The prefixes that were entered. */
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

/** The equivalent command, with an option for each member. */
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
