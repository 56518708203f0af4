/** The default join subnets of OVN-Kubernetes within each primary network: no subnet may overlap them. */
export const joinPrefixes = ["100.65.0.0/16", "fd99::/64"];
