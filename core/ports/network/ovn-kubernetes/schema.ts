import * as z from "zod";
import { clusterScoped, label, labels, namespaced, subdomain } from "../../kubernetes/schema.ts";

/** Strict schemas of the kinds of tenants' networks: exactly the members that we set. */

const cidr = z.string().max(43);

export const userDefinedNetworkSchema = z.strictObject({
  apiVersion: z.literal("k8s.ovn.org/v1"),
  kind: z.literal("ClusterUserDefinedNetwork"),
  metadata: clusterScoped(subdomain),
  spec: z.strictObject({
    namespaceSelector: z.strictObject({ matchLabels: labels }),
    network: z.strictObject({
      topology: z.literal("Layer2"),
      layer2: z.strictObject({
        role: z.literal("Primary"),
        subnets: z.array(cidr).min(1).max(2),
        ipam: z.strictObject({ lifecycle: z.literal("Persistent") }),
      }),
    }),
  }),
});
export type UserDefinedNetwork = z.infer<typeof userDefinedNetworkSchema>;

const peer = z.union([
  z.strictObject({ podSelector: z.strictObject({ matchLabels: labels }) }),
  z.strictObject({ ipBlock: z.strictObject({ cidr }) }),
]);
export type Peer = z.infer<typeof peer>;

const port = z.strictObject({
  protocol: z.enum(["TCP", "UDP"]),
  port: z.int().min(1).max(65_535).optional(),
  endPort: z.int().min(1).max(65_535).optional(),
});
export type PolicyPort = z.infer<typeof port>;

export const networkPolicySchema = z.strictObject({
  apiVersion: z.literal("networking.k8s.io/v1"),
  kind: z.literal("NetworkPolicy"),
  metadata: namespaced(subdomain).extend({ namespace: label }),
  spec: z.strictObject({
    podSelector: z.strictObject({ matchLabels: labels.optional() }),
    policyTypes: z.array(z.enum(["Ingress", "Egress"])),
    ingress: z
      .array(z.strictObject({ from: z.array(peer), ports: z.array(port).optional() }))
      .optional(),
    egress: z
      .array(z.strictObject({ to: z.array(peer), ports: z.array(port).optional() }))
      .optional(),
  }),
});
export type NetworkPolicy = z.infer<typeof networkPolicySchema>;
