import type { IdentityProvider, Names } from "../port.ts";
import type { HostedCluster, Secret } from "./schema.ts";

export const identitySecretName = ({ hostedCluster }: Pick<Names, "hostedCluster">): string =>
  `identity-cluster-${hostedCluster}`;

/** The Secret with the client's secret, beside the HostedCluster. */
export function identitySecret(
  names: Names,
  { clientSecret }: IdentityProvider,
  labels: Record<string, string>,
): Secret {
  const { namespace } = names;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: identitySecretName(names), namespace, labels },
    type: "Opaque",
    data: { clientSecret: Buffer.from(clientSecret).toString("base64") },
  };
}

/** `spec.configuration` of the HostedCluster. */
export function identityConfiguration(
  names: Names,
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
    clientSecret: { name: identitySecretName(names) },
    claims,
  };
  return {
    oauth: { identityProviders: [{ name, mappingMethod: "claim", type: "OpenID", openID }] },
  };
}
