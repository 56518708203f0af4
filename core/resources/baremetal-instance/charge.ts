import { type Amounts, hostsOf } from "../../kernel/object/charge.ts";
import type { InstanceSpec } from "./model.ts";

/**
 * The amounts that an instance counts for in quotas: one host of its type, and the external IP that its order creates.
 */
export const instanceAmounts = (
  hostType: string,
  { auto_external_ip_attachment: hasIp }: Pick<InstanceSpec, "auto_external_ip_attachment">,
): Amounts => ({ [hostsOf(hostType)]: 1, ...(hasIp && { external_ips: 1 }) });

/** The field of an order that determines an amount, for the messages of refusals. */
export const instanceFieldOf = (dimension: string): string =>
  dimension === "external_ips" ? "spec.auto_external_ip_attachment" : "spec.catalog_item";
