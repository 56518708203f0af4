import type { KubeSecret } from "../../../kubernetes/schema.ts";
import type { Owner } from "../../../owner.ts";
import type { IdentityProvider } from "../port.ts";
import { namespaceOf } from "./named.ts";
import type { HostedCluster } from "./schema.ts";

export const identitySecretName = ({ name }: Pick<Owner, "name">): string =>
  `identity-cluster-${name}`;

/** The Secret with the client's secret, beside the HostedCluster. */
export function identitySecret(
  owner: Owner,
  { clientSecret }: IdentityProvider,
  labels: Record<string, string>,
): KubeSecret {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: identitySecretName(owner), namespace: namespaceOf(owner), labels },
    type: "Opaque",
    data: { clientSecret: Buffer.from(clientSecret).toString("base64") },
  };
}

/** `spec.configuration` of the HostedCluster. */
export function identityConfiguration(
  owner: Owner,
  { name, issuer, clientId, groupsClaim }: IdentityProvider,
): NonNullable<HostedCluster["spec"]["configuration"]> {
  const claims = {
    preferredUsername: ["preferred_username"],
    name: ["name"],
    email: ["email"],
    ...(groupsClaim !== undefined && { groups: [groupsClaim] }),
  };
  const openID = {
    issuer,
    clientID: clientId,
    clientSecret: { name: identitySecretName(owner) },
    claims,
  };
  return {
    oauth: { identityProviders: [{ name, mappingMethod: "claim", type: "OpenID", openID }] },
  };
}
