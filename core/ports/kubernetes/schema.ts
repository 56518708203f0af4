import * as z from "zod";

/**
 * Strict schemas of the objects that Slipway sends to hubs and to hosted clusters alike: exactly the members
 * that it sets, with the values that the API accepts. Operators write `status`, which is not here. The
 * simulated servers refuse what these schemas refuse.
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

export const labels = z.record(z.string().min(1).max(317), labelValue);
const annotations = z.record(z.string().min(1).max(317), z.string());

export const clusterScoped = <Name extends z.ZodType<string>>(name: Name) =>
  z.strictObject({ name, labels: labels.optional(), annotations: annotations.optional() });

export const namespaced = <Name extends z.ZodType<string>>(name: Name) =>
  clusterScoped(name).extend({ namespace: label });

export const nameOf = <Name extends z.ZodType<string>>(name: Name) => z.strictObject({ name });

export const int32 = z.int().min(0).max(2_147_483_647);

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
export type KubeSecret = z.infer<typeof secretSchema>;

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
export type KubeRole = z.infer<typeof roleSchema>;

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
