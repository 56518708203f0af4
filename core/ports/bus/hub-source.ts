/**
 * A hub's reports on the bus: the source names the hub, and a policy limits each sender to its own
 * hub. The detail is the message, which never names the sender.
 */
const prefix = "slipway.hub.";

export const hubSource = (hub: string): string => prefix + hub;

/** Undefined for a source that is not a hub. */
export const hubIn = (source: string): string | undefined =>
  source.startsWith(prefix) && source.length > prefix.length
    ? source.slice(prefix.length)
    : undefined;

/** The detail type of hubs' reports. */
export const reportType = "slipway.hub.report.v1";
