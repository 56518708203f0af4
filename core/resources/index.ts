/**
 * Every kind of object that Slipway keeps: a folder beside this file, and its name here. `npm run
 * generate` makes the registries in `generated/` from them, one for each use, so that a function
 * bundles nothing that it does not use. The API reference lists the kinds of a group in this order.
 */
export const resources = [
  "cluster",
  "operation",
  "cluster-template",
  "cluster-catalog-item",
  "cluster-version",
  "baremetal-instance",
  "bare-metal-instance-type",
  "baremetal-instance-template",
  "baremetal-instance-catalog-item",
  "network-class",
  "virtual-network",
  "subnet",
  "security-group",
  "external-ip",
  "external-ip-attachment",
  "nat-gateway",
  "external-ip-pool",
  "host-type",
  "hub",
  "host",
  "dpu",
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
