import { overlap } from "../../prefix.ts";

/**
 * The prefixes that OVN-Kubernetes uses in each cluster: between routers, between nodes, and to masquerade.
 */
const ofOvn = ["100.64.0.0/16", "100.88.0.0/16", "fd98::/64", "fd97::/64", "fd69::/112"];

/**
 * The reason why a cluster's prefix or its hosts' network cannot be this one; undefined if it can.
 */
export function withinFault(cidr: string): string | undefined {
  const own = ofOvn.find((other) => overlap(cidr, other));
  return own && `must not overlap ${own}, which OVN-Kubernetes uses within each cluster`;
}
