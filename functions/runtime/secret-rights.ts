import type { SecretRights } from "../../core/ports/secrets/rights.ts";

/**
 * What the code of each function does with secrets. `infra/permissions.ts` derives the grants from it, and each
 * function enforces it, on a laptop too, so a missing right fails before it reaches AWS. A test runs the product
 * and finds unused rights.
 */

const none = { read: [], write: [], remove: [] } satisfies SecretRights;

export const secretRights = {
  /**
   * Reads are for changes that keep omitted parts of a site's credentials, a webhook's secrets or a tenant's
   * secret.
   */
  api: {
    read: ["site-credentials", "webhook", "tenant-secret"],
    write: [
      ...["cluster-pull-secret", "user-data", "tenant-secret", "webhook"],
      ...["identity-provider", "site-credentials", "hub-credentials", "bmc-credentials"],
    ] as const,
    remove: [
      ...["cluster-pull-secret", "user-data", "tenant-secret", "webhook"],
      ...["identity-provider", "site-credentials", "hub-credentials", "bmc-credentials"],
      ...["discovery-image", "machine-token"],
    ] as const,
  },
  watch: none,
  authorizer: none,
  relay: none,
  observe: none,
  /** The secrets for machines: no credential of another system. */
  "site-controller": { ...none, read: ["user-data", "discovery-image"] },
  due: none,
  sweep: none,
  webhooks: { ...none, read: ["webhook"] },
  halted: none,
  "core-worker": {
    ...none,
    remove: ["cluster-pull-secret", "ingress-certificate", "user-data", "machine-token"],
  },
  "hub-worker": {
    read: [
      ...["hub-credentials", "site-credentials", "cluster-pull-secret", "provider-pull-secret"],
      ...["tenant-secret", "ingress-certificate"],
    ] as const,
    write: ["ingress-certificate", "discovery-image"],
    remove: [],
  },
  "site-worker": {
    read: [
      ...["hub-credentials", "site-credentials", "bmc-credentials", "machine-token"],
      ...["discovery-image"],
    ] as const,
    write: ["machine-token", "discovery-image"],
    remove: ["machine-token"],
  },
} satisfies Record<string, SecretRights>;

export type FunctionWithRights = keyof typeof secretRights;
