/**
 * The secret store port: Secrets Manager on AWS, an encrypted file in local mode. Records, events
 * and executions hold references only.
 */
export interface Secrets {
  /** Undefined when there is none under this reference. */
  get(reference: string): Promise<string | undefined>;
  put(reference: string, value: string): Promise<void>;
  /** What is not there is fine. */
  remove(reference: string): Promise<void>;
}

export const secretReference = {
  /** The pull secret an order brought along. */
  pullSecret: (cluster: string): string => `cluster/${cluster}/pull-secret`,
  /** The pull secret of orders that bring none. */
  providerPullSecret: "provider/pull-secret",
  /** The certificate of a cluster's ingress, with its key. */
  ingressCertificate: (cluster: string): string => `cluster/${cluster}/ingress-certificate`,
  siteCredentials: (site: string): string => `site/${site}/credentials`,
  webhook: (webhook: string): string => `webhook/${webhook}/secrets`,
  identityProvider: (provider: string): string => `identity-provider/${provider}/client-secret`,
  /** The values of an object of kind `secret`. */
  ofTenant: (secret: string): string => `secret/${secret}/values`,
  hubCredentials: (hub: string): string => `hub/${hub}/kubeconfig`,
};
