import { type RecordSet, recordSets } from "../../ports/dns/dns.ts";

/** The names of a cluster below its domain; Slipway reads no other names there. */
const labels = ["api", "api-int", "*.apps"];

export const recordNames = (domain: string): string[] =>
  labels.map((label) => `${label}.${domain}`);

/** The names by which clients outside of the network find the API and ingress. */
export const outsideNames = (domain: string) => ({
  api: `api.${domain}`,
  ingress: `*.apps.${domain}`,
});

/** The domain of which a name is a part; undefined for a name that no cluster has. */
export function domainOfName(name: string): string | undefined {
  const domain = name.replace(/^(api|api-int|\*\.apps)\./, "");
  return domain === name ? undefined : domain;
}

/** The addresses for the records of a cluster's names. */
export interface ClusterAddresses {
  api: string[];
  apiInternal: string[];
  ingress: string[];
}

/** The DNS records of a cluster. Throws Invalid for a text that is not an IP address. */
export function clusterRecords(domain: string, addresses: ClusterAddresses): RecordSet[] {
  const lists = [addresses.api, addresses.apiInternal, addresses.ingress];
  return recordNames(domain).flatMap((name, n) => recordSets(name, lists[n] ?? []));
}
