import { type RecordSet, recordSets } from "../../ports/dns/dns.ts";

/** The names a cluster has below its domain; nothing else there is ever looked at. */
const labels = ["api", "api-int", "*.apps"];

export const recordNames = (domain: string): string[] =>
  labels.map((label) => `${label}.${domain}`);

/** The domain that a name of a cluster is below; undefined for a name that no cluster has. */
export function domainOfName(name: string): string | undefined {
  const domain = name.replace(/^(api|api-int|\*\.apps)\./, "");
  return domain === name ? undefined : domain;
}

/** Where each name of a cluster leads. */
export interface ClusterAddresses {
  api: string[];
  apiInternal: string[];
  ingress: string[];
}

/** The records of a cluster. Throws Invalid for what is no IP address. */
export function clusterRecords(domain: string, addresses: ClusterAddresses): RecordSet[] {
  const lists = [addresses.api, addresses.apiInternal, addresses.ingress];
  return recordNames(domain).flatMap((name, n) => recordSets(name, lists[n] ?? []));
}
