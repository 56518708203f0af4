import * as z from "zod";
import { objectSchema, undecodable, verbatim } from "./schema.ts";

/** The schemas of built-in kinds: only the members that an order may use. */

const strings = z.record(z.string(), z.string());
const intOrString = z.union([z.int(), z.string()]);
const localReference = z.strictObject({ name: z.string() });
const objectReference = z.strictObject({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  uid: z.string().optional(),
  resourceVersion: z.string().optional(),
  fieldPath: z.string().optional(),
});

const base64 = z.string().superRefine((value, context) => {
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) return;
  const byte = /[^A-Za-z0-9+/]/.exec(value)?.index ?? value.length - (value.length % 4);
  const message = `illegal base64 data at input byte ${byte}`;
  context.addIssue({ code: "custom", message, params: undecodable });
});

export const namespaceSchema = objectSchema({
  spec: z.strictObject({ finalizers: z.array(z.string()).optional() }).optional(),
}).transform(({ metadata, spec, status, ...rest }) => ({
  ...rest,
  metadata: {
    ...metadata,
    labels: { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name ?? "" },
  },
  spec: { finalizers: ["kubernetes"], ...spec },
  status: status ?? { phase: "Active" },
}));

export const secretSchema = objectSchema({
  type: z.string().default("Opaque"),
  data: z.record(z.string(), base64).optional(),
  stringData: strings.optional(),
  immutable: z.boolean().optional(),
})
  .transform(({ stringData = {}, ...secret }) => {
    const encoded = Object.entries(stringData).map(([key, value]) => [
      key,
      Buffer.from(value).toString("base64"),
    ]);
    const data = { ...secret.data, ...Object.fromEntries(encoded) };
    return Object.keys(data).length > 0 ? { ...secret, data } : secret;
  })
  .superRefine((secret, context) => {
    for (const key of requiredKeys[secret.type] ?? []) {
      if (secret.data?.[key] !== undefined) continue;
      const path = ["data", key];
      context.addIssue({ code: "custom", path, message: "Required value", params: verbatim });
    }
    const config = secret.data?.[".dockerconfigjson"];
    if (secret.type !== "kubernetes.io/dockerconfigjson" || config === undefined) return;
    if (!isJson(Buffer.from(config, "base64").toString())) {
      const path = ["data", ".dockerconfigjson"];
      const message = 'Invalid value: "<secret contents redacted>": must be valid JSON';
      context.addIssue({ code: "custom", path, message, params: verbatim });
    }
  });

const requiredKeys: Record<string, string[]> = {
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

export const configMapSchema = objectSchema({
  data: strings.optional(),
  binaryData: z.record(z.string(), base64).optional(),
  immutable: z.boolean().optional(),
});

export const serviceAccountSchema = objectSchema({
  secrets: z.array(objectReference).optional(),
  imagePullSecrets: z.array(localReference).optional(),
  automountServiceAccountToken: z.boolean().optional(),
});

export const serviceSchema = objectSchema({
  spec: z.strictObject({
    type: z.enum(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]).default("ClusterIP"),
    selector: strings.optional(),
    ports: z
      .array(
        z.strictObject({
          name: z.string().optional(),
          protocol: z.enum(["TCP", "UDP", "SCTP"]).default("TCP"),
          port: z.int().min(1).max(65535),
          targetPort: intOrString.optional(),
          nodePort: z.int().optional(),
          appProtocol: z.string().optional(),
        }),
      )
      .optional(),
    clusterIP: z.string().optional(),
    clusterIPs: z.array(z.string()).optional(),
    externalIPs: z.array(z.string()).optional(),
    externalName: z.string().optional(),
    externalTrafficPolicy: z.enum(["Cluster", "Local"]).optional(),
    internalTrafficPolicy: z.enum(["Cluster", "Local"]).optional(),
    ipFamilies: z.array(z.string()).optional(),
    ipFamilyPolicy: z.string().optional(),
    allocateLoadBalancerNodePorts: z.boolean().optional(),
    loadBalancerClass: z.string().optional(),
    loadBalancerIP: z.string().optional(),
    loadBalancerSourceRanges: z.array(z.string()).optional(),
    publishNotReadyAddresses: z.boolean().optional(),
    sessionAffinity: z.enum(["None", "ClientIP"]).default("None"),
  }),
});

export const eventSchema = objectSchema({
  involvedObject: objectReference,
  reason: z.string().optional(),
  message: z.string().optional(),
  type: z.string().optional(),
  count: z.int().optional(),
  firstTimestamp: z.string().nullish(),
  lastTimestamp: z.string().nullish(),
  eventTime: z.string().nullish(),
  action: z.string().optional(),
  related: objectReference.optional(),
  reportingComponent: z.string().optional(),
  reportingInstance: z.string().optional(),
  source: z
    .strictObject({ component: z.string().optional(), host: z.string().optional() })
    .optional(),
});

const taint = z.strictObject({
  key: z.string(),
  value: z.string().optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
  timeAdded: z.string().optional(),
});

export const nodeSchema = objectSchema({
  spec: z
    .strictObject({
      podCIDR: z.string().optional(),
      podCIDRs: z.array(z.string()).optional(),
      providerID: z.string().optional(),
      taints: z.array(taint).optional(),
      unschedulable: z.boolean().optional(),
    })
    .optional(),
});

/** A pod; it runs nothing here, so only its existence and its status matter. */
export const podSchema = objectSchema({
  spec: z.looseObject({
    containers: z.array(z.looseObject({ name: z.string(), image: z.string().optional() })).min(1),
    nodeName: z.string().optional(),
    restartPolicy: z.enum(["Always", "OnFailure", "Never"]).default("Always"),
  }),
});

export const leaseSchema = objectSchema({
  spec: z
    .strictObject({
      holderIdentity: z.string().nullish(),
      leaseDurationSeconds: z.int().min(1).nullish(),
      acquireTime: z.string().nullish(),
      renewTime: z.string().nullish(),
      leaseTransitions: z.int().min(0).nullish(),
      strategy: z.string().nullish(),
      preferredHolder: z.string().nullish(),
    })
    .optional(),
});

export const signingRequestSchema = objectSchema({
  spec: z.strictObject({
    request: base64,
    signerName: z.string().min(1),
    expirationSeconds: z.int().min(600).optional(),
    usages: z.array(z.string()).min(1),
    username: z.string().optional(),
    uid: z.string().optional(),
    groups: z.array(z.string()).optional(),
    extra: z.record(z.string(), z.array(z.string())).optional(),
  }),
});

export const rbacGroup = "rbac.authorization.k8s.io";

const policyRule = z.strictObject({
  verbs: z.array(z.string()),
  apiGroups: z.array(z.string()).optional(),
  resources: z.array(z.string()).optional(),
  resourceNames: z.array(z.string()).optional(),
  nonResourceURLs: z.array(z.string()).optional(),
});

export const roleSchema = objectSchema({ rules: z.array(policyRule).nullish() });

export const clusterRoleSchema = objectSchema({
  rules: z.array(policyRule).nullish(),
  aggregationRule: z
    .strictObject({
      clusterRoleSelectors: z
        .array(
          z.strictObject({
            matchLabels: strings.optional(),
            matchExpressions: z
              .array(
                z.strictObject({
                  key: z.string(),
                  operator: z.enum(["In", "NotIn", "Exists", "DoesNotExist"]),
                  values: z.array(z.string()).optional(),
                }),
              )
              .optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});

export const roleBindingSchema = objectSchema({
  roleRef: z.strictObject({
    apiGroup: z.string().default(rbacGroup),
    kind: z.enum(["Role", "ClusterRole"]),
    name: z.string(),
  }),
  subjects: z
    .array(
      z.strictObject({
        kind: z.enum(["User", "Group", "ServiceAccount"]),
        name: z.string(),
        namespace: z.string().optional(),
        apiGroup: z.string().optional(),
      }),
    )
    .optional(),
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
