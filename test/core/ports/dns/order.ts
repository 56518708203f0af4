import type { OwnedDomain } from "../../../../core/ports/dns/dns.ts";
import { clusterRecords, recordNames } from "../../../../core/resources/cluster/dns-names.ts";

/** A domain with the names that a cluster has in it. */
export const domainNamed = (domain: string) => ({ domain, recordNames: recordNames(domain) });

/** The owner that the adapters' own tests make records for. */
export const owner: OwnedDomain = {
  kind: "cluster",
  id: "0197b2d0-1111-7000-8000-000000000001",
  tenant: "tenant-a",
  ...domainNamed("one.tenant-a.clouds.example"),
};
export const addresses = {
  api: ["192.0.2.10"],
  apiInternal: ["10.0.0.10"],
  ingress: ["192.0.2.11"],
};
export const records = clusterRecords(owner.domain, addresses);
