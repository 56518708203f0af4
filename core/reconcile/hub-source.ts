/**
 * A hub's news on their bus: the source says which hub, and a policy fixes each sender to its own.
 * The detail is the message; it never says who sent it.
 */
const prefix = "slipway.hub.";

export const hubSource = (hub: string): string => prefix + hub;

/** Undefined for a source that is no hub's. */
export const hubIn = (source: string): string | undefined =>
  source.startsWith(prefix) && source.length > prefix.length
    ? source.slice(prefix.length)
    : undefined;

/** The detail type of what a hub reports. */
export const reportType = "slipway.hub.report.v1";
