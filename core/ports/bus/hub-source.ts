/**
 * A hub's reports on the bus. The source names the hub, and an IAM policy limits each sender to its own hub.
 * The detail is the message, which does not name the sender.
 */
const prefix = "slipway.hub.";

export const hubSource = (hub: string): string => prefix + hub;

/** The hub that a source names; undefined for other sources. */
export const hubIn = (source: string): string | undefined =>
  source.startsWith(prefix) && source.length > prefix.length
    ? source.slice(prefix.length)
    : undefined;

/** The detail type of hubs' reports. */
export const reportType = "slipway.hub.report.v1";
