import * as z from "zod";
import { int32, label, labels, nameOf, namespaced, subdomain } from "../../../kubernetes/schema.ts";

/** Strict schemas of HyperShift's kinds: exactly the members that we set. */

const cidr = z
  .string()
  .max(43)
  .regex(/^[0-9a-fA-F:.]+\/\d{1,3}$/, "must be a CIDR, such as 10.132.0.0/14");

/** Go's time.Duration, such as 30m or 1h30m. */
const duration = z
  .string()
  .regex(/^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$/, "must be a duration, such as 30m");

const quantity = z
  .string()
  .regex(/^\d+(\.\d+)?([KMGTPE]i|[numkMGTPE])?$/, "must be a quantity, such as 8Gi");

const image = z.string().min(1).max(253).regex(/^\S+$/, "must be an image reference");
const availability = z.enum(["HighlyAvailable", "SingleReplica"]);

const loadBalancerStrategy = z.strictObject({
  type: z.literal("LoadBalancer"),
  loadBalancer: z.strictObject({ hostname: subdomain.optional() }).optional(),
});
const routeStrategy = z.strictObject({
  type: z.literal("Route"),
  route: z.strictObject({ hostname: subdomain.optional() }).optional(),
});

const servicePublishing = z.strictObject({
  service: z.enum(["APIServer", "OAuthServer", "OIDC", "Konnectivity", "Ignition", "OVNSbDb"]),
  servicePublishingStrategy: z.discriminatedUnion("type", [loadBalancerStrategy, routeStrategy]),
});

const claim = z.array(z.string().min(1)).min(1);

const identityProviderSchema = z.strictObject({
  /** A path segment without a colon. */
  name: z
    .string()
    .min(1)
    .regex(/^(?!\.{1,2}$)[^/%:]+$/, "must be a path segment"),
  mappingMethod: z.literal("claim"),
  type: z.literal("OpenID"),
  openID: z.strictObject({
    issuer: z.url({ protocol: /^https$/ }),
    clientID: z.string().min(1),
    clientSecret: nameOf(subdomain),
    claims: z.strictObject({
      preferredUsername: claim,
      name: claim,
      email: claim,
      groups: claim.optional(),
    }),
  }),
});

export const hostedClusterSchema = z.strictObject({
  apiVersion: z.literal("hypershift.openshift.io/v1beta1"),
  kind: z.literal("HostedCluster"),
  metadata: namespaced(label),
  spec: z.strictObject({
    release: z.strictObject({ image }),
    pullSecret: nameOf(subdomain),
    sshKey: nameOf(subdomain).optional(),
    infraID: label,
    configuration: z
      .strictObject({
        oauth: z.strictObject({ identityProviders: z.array(identityProviderSchema).min(1) }),
      })
      .optional(),
    dns: z.strictObject({ baseDomain: z.string().max(253) }),
    networking: z.strictObject({
      networkType: z.enum(["OpenShiftSDN", "Calico", "OVNKubernetes", "Other"]),
      clusterNetwork: z.array(z.strictObject({ cidr })).min(1).max(2),
      serviceNetwork: z.array(z.strictObject({ cidr })).min(1).max(2),
    }),
    etcd: z.strictObject({
      managementType: z.literal("Managed"),
      managed: z.strictObject({
        storage: z.strictObject({
          type: z.literal("PersistentVolume"),
          persistentVolume: z.strictObject({
            size: quantity,
            storageClassName: subdomain.optional(),
          }),
        }),
      }),
    }),
    platform: z.strictObject({
      type: z.literal("Agent"),
      agent: z.strictObject({ agentNamespace: label }),
    }),
    services: z.array(servicePublishing).min(4).max(6),
    controllerAvailabilityPolicy: availability,
    infrastructureAvailabilityPolicy: availability,
    olmCatalogPlacement: z.enum(["management", "guest"]),
  }),
});
export type HostedCluster = z.infer<typeof hostedClusterSchema>;

export const nodePoolSchema = z.strictObject({
  apiVersion: z.literal("hypershift.openshift.io/v1beta1"),
  kind: z.literal("NodePool"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({
    clusterName: label,
    replicas: int32,
    release: z.strictObject({ image }),
    management: z.strictObject({
      autoRepair: z.boolean(),
      upgradeType: z.enum(["InPlace", "Replace"]),
    }),
    nodeDrainTimeout: duration,
    platform: z.strictObject({
      type: z.literal("Agent"),
      agent: z.strictObject({ agentLabelSelector: z.strictObject({ matchLabels: labels }) }),
    }),
  }),
});
export type NodePool = z.infer<typeof nodePoolSchema>;
