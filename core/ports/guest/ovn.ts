import { overlap } from "../../prefix.ts";

/** What OVN-Kubernetes uses in each cluster: between its routers, between its nodes, and to masquerade. */
const ofOvn = ["100.64.0.0/16", "100.88.0.0/16", "fd98::/64", "fd97::/64", "fd69::/112"];

/** Why neither a prefix of a cluster nor the network of its hosts may be this one; undefined where it may. */
export function withinFault(cidr: string): string | undefined {
  const own = ofOvn.find((other) => overlap(cidr, other));
  return own && `must not overlap ${own}, which OVN-Kubernetes uses within each cluster`;
}
