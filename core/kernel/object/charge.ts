/** Amounts that objects count for in quotas. */

/** Amounts used or allowed, by dimension of a limit, such as `control_planes` or `hosts:<host type>`. */
export type Amounts = Record<string, number>;

const hostsPrefix = "hosts:";

/** The dimension of hosts of a type. */
export const hostsOf = (hostType: string): string => hostsPrefix + hostType;

/** The type of hosts that a dimension counts; undefined for any other dimension. */
export const hostTypeOf = (dimension: string): string | undefined =>
  dimension.startsWith(hostsPrefix) ? dimension.slice(hostsPrefix.length) : undefined;
