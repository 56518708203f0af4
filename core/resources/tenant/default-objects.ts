/** The name of the default networking's objects, and the user who orders them in records, events and the audit. */
export const defaultName = "default";
export const orderedBy = "slipway";
