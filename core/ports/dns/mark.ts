import { clusterLabel, tenantLabel } from "../../resources/cluster/model.ts";
import type { DnsOwner } from "./dns.ts";

/** The text that says whose a record is: in a comment, or in a TXT record beside it. */
export function markOf({ cluster, tenant }: Pick<DnsOwner, "cluster" | "tenant">): string {
  return `${clusterLabel}=${cluster} ${tenantLabel}=${tenant}`;
}

/** Whom a mark names; undefined for a text that is none. */
export function parseMark(text: string): { cluster: string; tenant: string } | undefined {
  const found = new RegExp(`^${clusterLabel}=(\\S+) ${tenantLabel}=(\\S*)$`).exec(text);
  return found?.[1] === undefined ? undefined : { cluster: found[1], tenant: found[2] ?? "" };
}

/** Whether the mark is of this order: its cluster decides. */
export function isMarkOf(text: string, { cluster }: Pick<DnsOwner, "cluster">): boolean {
  return parseMark(text)?.cluster === cluster;
}
