import * as z from "zod";
import { clusterScoped, int32, namespaced, subdomain } from "../../../kubernetes/schema.ts";

/** Strict schemas of the objects of short-lived credentials: exactly the members that we set. */

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

export const revocationObjectSchema = z.strictObject({
  apiVersion: z.literal("certificates.hypershift.openshift.io/v1alpha1"),
  kind: z.literal("CertificateRevocationRequest"),
  metadata: namespaced(subdomain),
  spec: z.strictObject({ signerClass: z.literal("customer-break-glass") }),
});
export type RevocationObject = z.infer<typeof revocationObjectSchema>;
