/** The name of what new tenants get without asking, and who orders it, as records, events and the audit have it. */
export const defaultName = "default";
export const orderedBy = "slipway";
