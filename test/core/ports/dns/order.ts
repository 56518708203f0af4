import { asClusterId } from "../../../../core/id.ts";
import { clusterRecords, type DnsOwner } from "../../../../core/ports/dns/dns.ts";

/** The order that the adapters' own tests make records for. */
export const owner: DnsOwner = {
  cluster: asClusterId("0197b2d0-1111-7000-8000-000000000001"),
  tenant: "tenant-a",
  domain: "one.tenant-a.clouds.example",
};
export const addresses = {
  api: ["192.0.2.10"],
  apiInternal: ["10.0.0.10"],
  ingress: ["192.0.2.11"],
};
export const records = clusterRecords(owner.domain, addresses);
