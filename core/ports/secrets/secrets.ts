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

export const secretReference = {
  /** The pull secret that came with an order. */
  pullSecret: (cluster: string): string => `cluster/${cluster}/pull-secret`,
  /** The pull secret of orders that come without one. */
  providerPullSecret: "provider/pull-secret",
  /** The certificate of a cluster's ingress, with its key. */
  ingressCertificate: (cluster: string): string => `cluster/${cluster}/ingress-certificate`,
  /** What cloud-init does with a tenant's server at its first start. */
  userData: (instance: string): string => `baremetal-instance/${instance}/user-data`,
  siteCredentials: (site: string): string => `site/${site}/credentials`,
  webhook: (webhook: string): string => `webhook/${webhook}/secrets`,
  identityProvider: (provider: string): string => `identity-provider/${provider}/client-secret`,
  /** The values of an object of kind `secret`. */
  ofTenant: (secret: string): string => `secret/${secret}/values`,
  bmcCredentials: (host: string): string => `host/${host}/bmc`,
  /** The URL of the image that the host boots next, which has a token in it. */
  discoveryImage: (host: string): string => `host/${host}/discovery-image`,
  /** The token by which what runs on a machine asks the site controller; each has a name of its own. */
  machineToken: (kind: string, id: string, token: string): string =>
    `machine/${kind}/${id}/${token}`,
  hubCredentials: (hub: string): string => `hub/${hub}/kubeconfig`,
};

declare module "../../kernel/deps.ts" {
  interface Deps {
    secrets: Secrets;
  }
}
