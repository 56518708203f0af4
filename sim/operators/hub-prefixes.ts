import { overlap } from "../../core/prefix.ts";

/** The prefixes of a hub itself, OpenShift's defaults, with OVN-Kubernetes' names for them. */
const ofHub: readonly [name: string, cidr: string][] = [
  ["cluster subnet", "10.128.0.0/14"],
  ["service subnet", "172.30.0.0/16"],
  ["built-in join subnet", "100.64.0.0/16"],
  ["built-in join subnet", "fd98::/64"],
  ["masquerade subnet", "169.254.0.0/17"],
  ["masquerade subnet", "fd69::/112"],
];

/** The prefixes that OVN-Kubernetes uses within a primary network by default. */
const withinNetwork: readonly [name: string, cidr: string][] = [
  ["user defined join subnet", "100.65.0.0/16"],
  ["user defined join subnet", "fd99::/64"],
];

/**
 * Why OVN-Kubernetes creates no network with these prefixes, in the words of `ValidateNetConf` in its
 * go-controller/pkg/util; undefined where it does. The object itself is accepted: its condition has the refusal.
 */
export function prefixRefusal(subnets: readonly string[]): string | undefined {
  const known = [...ofHub];
  const wanted = subnets.map((cidr) => ["user defined subnet", cidr] as const);
  for (const [name, cidr] of [...wanted, ...withinNetwork]) {
    const [other, taken] = known.find(([, each]) => overlap(each, cidr)) ?? [];
    if (other !== undefined)
      return (
        "failed to generate NetworkAttachmentDefinition: failed to render CNI network config: " +
        "invalid subnet configuration: pod or join subnet overlaps with already configured internal subnets: " +
        `illegal network configuration: ${name} "${cidr}" overlaps ${other} "${taken}"`
      );
    known.push([name, cidr]);
  }
  return undefined;
}
