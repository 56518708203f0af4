import * as z from "zod";
import { namespaced, subdomain } from "../../../kubernetes/schema.ts";

/** Slipway sets labels and `approved`; the agent's operators write the rest. */
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
