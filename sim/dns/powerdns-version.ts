/** The versions of PowerDNS whose answers differ: before and since 5.0. */
export const powerDnsVersions = ["4.7", "5.1"] as const;
export type PowerDnsVersion = (typeof powerDnsVersions)[number];
