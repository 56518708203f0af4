import * as z from "zod";
import { clusterScoped, label, nameOf, namespaced, subdomain } from "../../kubernetes/schema.ts";

/**
 * Strict schemas of the custom objects that Slipway sends to a hosted cluster: exactly the members
 * that we set. The simulated cluster refuses what these schemas refuse.
 */

/* operators.coreos.com */

export const operatorGroupSchema = z.strictObject({
  apiVersion: z.literal("operators.coreos.com/v1"),
  kind: z.literal("OperatorGroup"),
  metadata: namespaced(subdomain),
  /** The namespaces to watch; all if none are named. */
  spec: z.strictObject({ targetNamespaces: z.array(label).optional() }),
});
export type OperatorGroup = z.infer<typeof operatorGroupSchema>;

export const subscriptionSchema = z.strictObject({
  apiVersion: z.literal("operators.coreos.com/v1alpha1"),
  kind: z.literal("Subscription"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({
    name: z.string().min(1),
    channel: z.string().min(1),
    source: z.string().min(1),
    sourceNamespace: label,
    installPlanApproval: z.enum(["Automatic", "Manual"]),
  }),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/* operator.openshift.io */

/** The cluster creates the object; Slipway sets its certificate. */
export const ingressControllerSchema = z.strictObject({
  apiVersion: z.literal("operator.openshift.io/v1"),
  kind: z.literal("IngressController"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({ defaultCertificate: nameOf(subdomain) }),
});
export type IngressController = z.infer<typeof ingressControllerSchema>;

/* storage.k8s.io */

export const storageClassSchema = z.strictObject({
  apiVersion: z.literal("storage.k8s.io/v1"),
  kind: z.literal("StorageClass"),
  metadata: clusterScoped(subdomain),
  provisioner: z.string().min(1),
  parameters: z.record(z.string(), z.string()),
  reclaimPolicy: z.enum(["Delete", "Retain"]),
  allowVolumeExpansion: z.boolean(),
  volumeBindingMode: z.enum(["Immediate", "WaitForFirstConsumer"]),
});
export type StorageClass = z.infer<typeof storageClassSchema>;
