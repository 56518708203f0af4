import { type RecordSet, recordSets } from "../../ports/dns/dns.ts";

/** The names that a cluster has below its domain; no other names there are read. */
const labels = ["api", "api-int", "*.apps"];

export const recordNames = (domain: string): string[] =>
  labels.map((label) => `${label}.${domain}`);

/** The names at which the outside looks for the API and for ingress. */
export const outsideNames = (domain: string) => ({
  api: `api.${domain}`,
  ingress: `*.apps.${domain}`,
});

/** The domain of a name of a cluster; undefined for a name that no cluster has. */
export function domainOfName(name: string): string | undefined {
  const domain = name.replace(/^(api|api-int|\*\.apps)\./, "");
  return domain === name ? undefined : domain;
}

/** The address that each name of a cluster leads to. */
export interface ClusterAddresses {
  api: string[];
  apiInternal: string[];
  ingress: string[];
}

/** The records of a cluster. Throws Invalid for a text that is not an IP address. */
export function clusterRecords(domain: string, addresses: ClusterAddresses): RecordSet[] {
  const lists = [addresses.api, addresses.apiInternal, addresses.ingress];
  return recordNames(domain).flatMap((name, n) => recordSets(name, lists[n] ?? []));
}
