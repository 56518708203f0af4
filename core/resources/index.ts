/**
 * Every kind of object that Slipway keeps: a folder beside this file, and its name here. `npm run
 * generate` makes the registries in `generated/` of them, one for each thing that somebody must know of
 * all kinds, so that a function carries nothing that it does not use.
 */
export const resources = [
  "cluster",
  "cluster-template",
  "cluster-version",
  "host-type",
  "hub",
  "host",
  "site",
  "operation",
  "tenant",
  "project",
  "project-membership",
  "quota",
  "cluster-catalog-item",
  "webhook",
  "user",
  "role",
  "role-binding",
  "identity-provider",
  "secret",
] as const;
