/**
 * Every kind of object that Slipway keeps: a folder beside this file, and its name here. `npm run
 * generate` makes the registries in `generated/` of them, one for each thing that somebody must know of
 * all kinds, so that a function carries nothing that it does not use. The reference of the API has the
 * kinds of a group in this order.
 */
export const resources = [
  "cluster",
  "operation",
  "cluster-template",
  "cluster-catalog-item",
  "cluster-version",
  "host-type",
  "hub",
  "host",
  "site",
  "tenant",
  "project",
  "project-membership",
  "quota",
  "user",
  "role",
  "role-binding",
  "identity-provider",
  "secret",
  "webhook",
] as const;
