import * as z from "zod";

/**
 * Strict schemas of the objects that Slipway sends to a hub: exactly the members that we set, with
 * the values that the hub's API accepts. Operators write `status`, which is not here. The simulated
 * hub refuses what these schemas refuse.
 */

/** Namespaces and most names: an RFC 1123 label. */
export const label = z
  .string()
  .max(63)
  .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "must be an RFC 1123 label");

/** Names of custom objects: an RFC 1123 subdomain. */
export const subdomain = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    "must be an RFC 1123 subdomain",
  );

/** Names of RBAC objects: anything that fits one path segment. */
const segment = z
  .string()
  .min(1)
  .max(253)
  .regex(/^(?!\.{1,2}$)[^/%]+$/, "must be a path segment");

const labelValue = z
  .string()
  .max(63)
  .regex(/^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/, "must be a label value");

const labels = z.record(z.string().min(1).max(317), labelValue);
const annotations = z.record(z.string().min(1).max(317), z.string());

export const clusterScoped = <Name extends z.ZodType<string>>(name: Name) =>
  z.strictObject({ name, labels: labels.optional(), annotations: annotations.optional() });

export const namespaced = <Name extends z.ZodType<string>>(name: Name) =>
  clusterScoped(name).extend({ namespace: label });

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
const int32 = z.int().min(0).max(2_147_483_647);
const availability = z.enum(["HighlyAvailable", "SingleReplica"]);

/* The core group and rbac.authorization.k8s.io */

export const namespaceSchema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Namespace"),
  metadata: clusterScoped(label),
});
export type Namespace = z.infer<typeof namespaceSchema>;

export const serviceAccountSchema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("ServiceAccount"),
  metadata: namespaced(subdomain),
});
export type ServiceAccount = z.infer<typeof serviceAccountSchema>;

export const secretSchema = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Secret"),
  metadata: namespaced(subdomain),
  type: z.enum(["Opaque", "kubernetes.io/dockerconfigjson"]),
  /** Base64. */
  data: z.record(z.string().regex(/^[-._a-zA-Z0-9]{1,253}$/), z.base64()),
});
export type Secret = z.infer<typeof secretSchema>;

export const roleSchema = z.strictObject({
  apiVersion: z.literal("rbac.authorization.k8s.io/v1"),
  kind: z.literal("Role"),
  metadata: namespaced(segment),
  rules: z.array(
    z.strictObject({
      apiGroups: z.array(z.string()),
      resources: z.array(z.string()),
      verbs: z.array(z.string()).min(1),
    }),
  ),
});
export type Role = z.infer<typeof roleSchema>;

export const roleBindingSchema = z.strictObject({
  apiVersion: z.literal("rbac.authorization.k8s.io/v1"),
  kind: z.literal("RoleBinding"),
  metadata: namespaced(segment),
  roleRef: z.strictObject({
    apiGroup: z.literal("rbac.authorization.k8s.io"),
    kind: z.enum(["ClusterRole", "Role"]),
    name: segment,
  }),
  subjects: z.array(
    z.discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("ServiceAccount"),
        name: subdomain,
        namespace: label,
      }),
      z.strictObject({
        kind: z.literal("User"),
        apiGroup: z.literal("rbac.authorization.k8s.io"),
        name: z.string().min(1),
      }),
    ]),
  ),
});
export type RoleBinding = z.infer<typeof roleBindingSchema>;

/* certificates.k8s.io and certificates.hypershift.openshift.io */

export const signingRequestSchema = z.strictObject({
  apiVersion: z.literal("certificates.k8s.io/v1"),
  kind: z.literal("CertificateSigningRequest"),
  metadata: clusterScoped(subdomain),
  spec: z.strictObject({
    /** PEM, in base64. */
    request: z.base64(),
    signerName: z
      .string()
      .max(571)
      .regex(/^[a-z0-9.-]+\/[a-z0-9.-]+$/, "must be a domain and a path"),
    expirationSeconds: int32.min(600),
    usages: z.array(z.enum(["client auth", "digital signature", "key encipherment"])).min(1),
  }),
});
export type SigningRequest = z.infer<typeof signingRequestSchema>;

export const signingApprovalSchema = z.strictObject({
  apiVersion: z.literal("certificates.hypershift.openshift.io/v1alpha1"),
  kind: z.literal("CertificateSigningRequestApproval"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({}),
});
export type SigningApproval = z.infer<typeof signingApprovalSchema>;

export const revocationSchema = z.strictObject({
  apiVersion: z.literal("certificates.hypershift.openshift.io/v1alpha1"),
  kind: z.literal("CertificateRevocationRequest"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({ signerClass: z.literal("customer-break-glass") }),
});
export type Revocation = z.infer<typeof revocationSchema>;

/* metallb.io */

export const addressPoolSchema = z.strictObject({
  apiVersion: z.literal("metallb.io/v1beta1"),
  kind: z.literal("IPAddressPool"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({
    addresses: z.array(z.string().regex(/^[0-9a-fA-F:.]+(-[0-9a-fA-F:.]+|\/\d{1,3})$/)).min(1),
    autoAssign: z.boolean(),
    serviceAllocation: z
      .strictObject({
        priority: int32,
        namespaceSelectors: z.array(z.strictObject({ matchLabels: labels })).min(1),
      })
      .optional(),
  }),
});
export type AddressPool = z.infer<typeof addressPoolSchema>;

/* hypershift.openshift.io */

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

export const nameOf = <Name extends z.ZodType<string>>(name: Name) => z.strictObject({ name });

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

/* agent-install.openshift.io */

/** Slipway sets labels and `approved`; the agent's own operators write the rest. */
export const agentSchema = z.strictObject({
  apiVersion: z.literal("agent-install.openshift.io/v1beta1"),
  kind: z.literal("Agent"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({
    approved: z.boolean(),
    role: z.enum(["", "auto-assign", "master", "worker", "bootstrap"]),
    hostname: z.string().optional(),
    clusterDeploymentName: z
      .strictObject({ name: z.string().optional(), namespace: z.string().optional() })
      .optional(),
  }),
});
