import type { Deps } from "../../kernel/deps.ts";

/**
 * The secret store port: Secrets Manager on AWS, an encrypted file in local mode. Records, events
 * and executions hold references only.
 */
export interface Secrets {
  /** Undefined if there is no such secret. */
  get(reference: string): Promise<string | undefined>;
  put(reference: string, value: string): Promise<void>;
  /** Succeeds if there is no such secret. */
  remove(reference: string): Promise<void>;
}

/**
 * All families of secrets, with the pattern of their names: `*` stands for an id. A reference may have one
 * more part, which is new with each value. The rights of functions refer to families
 * (`functions/runtime/secret-rights.ts`).
 */
export const secretFamilies = {
  /** The pull secret of an order. */
  "cluster-pull-secret": "cluster/*/pull-secret",
  /** The default pull secret of orders without one. */
  "provider-pull-secret": "provider/pull-secret",
  /** The certificate of a cluster's ingress, with its key. */
  "ingress-certificate": "cluster/*/ingress-certificate",
  /** The cloud-init user data of a tenant's server. */
  "user-data": "baremetal-instance/*/user-data",
  "site-credentials": "site/*/credentials",
  webhook: "webhook/*/secrets",
  "identity-provider": "identity-provider/*/client-secret",
  /** The values of an object of kind `secret`. */
  "tenant-secret": "secret/*/values",
  "bmc-credentials": "host/*/bmc",
  /** The URL of the discovery image that the host boots next, with a token in it. */
  "discovery-image": "host/*/discovery-image",
  /**
   * The token with which a machine authenticates to the site controller; each token has a name of its own.
   */
  "machine-token": "machine/*/*/*",
  "hub-credentials": "hub/*/kubeconfig",
} as const;
export type SecretFamily = keyof typeof secretFamilies;

export const secretFamilyNames = Object.keys(secretFamilies) as SecretFamily[];

const named = (family: SecretFamily, ...ids: string[]): string => {
  const rest = [...ids];
  return secretFamilies[family].replaceAll("*", () => rest.shift() ?? "");
};

/** The family of a reference; undefined if none matches. */
export const familyOf = (reference: string): SecretFamily | undefined =>
  secretFamilyNames.find((family) => patterns[family].test(reference));

const patterns = Object.fromEntries(
  secretFamilyNames.map((family) => [
    family,
    new RegExp(`^${secretFamilies[family].replaceAll("*", "[^/]+")}(/[^/]+)?$`),
  ]),
) as Record<SecretFamily, RegExp>; // The names are all families.

export const secretReference = {
  pullSecret: (cluster: string): string => named("cluster-pull-secret", cluster),
  providerPullSecret: named("provider-pull-secret"),
  ingressCertificate: (cluster: string): string => named("ingress-certificate", cluster),
  userData: (instance: string): string => named("user-data", instance),
  siteCredentials: (site: string): string => named("site-credentials", site),
  webhook: (webhook: string): string => named("webhook", webhook),
  identityProvider: (provider: string): string => named("identity-provider", provider),
  ofTenant: (secret: string): string => named("tenant-secret", secret),
  bmcCredentials: (host: string): string => named("bmc-credentials", host),
  discoveryImage: (host: string): string => named("discovery-image", host),
  machineToken: (kind: string, id: string, token: string): string =>
    named("machine-token", kind, id, token),
  hubCredentials: (hub: string): string => named("hub-credentials", hub),
};

/** What a function has that stores and reads secrets. */
export interface SecretDeps extends Deps {
  secrets: Secrets;
}

declare module "../../kernel/request/request-deps.ts" {
  interface RequestDeps {
    secrets: Secrets;
  }
}

declare module "../../kernel/saga/context.ts" {
  interface WorkerDeps {
    secrets: Pick<Secrets, "remove">;
  }
  interface StepDeps {
    secrets: Secrets;
  }
}
