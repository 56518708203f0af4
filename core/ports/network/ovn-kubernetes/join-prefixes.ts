/** What OVN-Kubernetes uses within each of its primary networks that names no others: no subnet of one may overlap it. */
export const joinPrefixes = ["100.65.0.0/16", "fd99::/64"];
