import * as z from "zod";
import { objectSchema } from "../kubernetes/schema.ts";

/** The strict schemas of the objects that the operators of a GPU cluster accept, with their common members. */

export const nodeFeatureDiscoverySchema = objectSchema({
  spec: z
    .strictObject({
      instance: z.string().optional(),
      operand: z
        .strictObject({
          image: z.string().optional(),
          imagePullPolicy: z.string().optional(),
          servicePort: z.int().optional(),
        })
        .optional(),
      workerConfig: z.strictObject({ configData: z.string() }).optional(),
      topologyUpdater: z.boolean().optional(),
    })
    .optional(),
});
export type NodeFeatureDiscoverySpec = z.infer<typeof nodeFeatureDiscoverySchema>["spec"];

const component = z.strictObject({
  enabled: z.boolean().optional(),
  repository: z.string().optional(),
  image: z.string().optional(),
  version: z.string().optional(),
});

const devicePlugin = component.extend({
  config: z
    .strictObject({ name: z.string().optional(), default: z.string().optional() })
    .optional(),
});

const toleration = z.strictObject({
  key: z.string().optional(),
  operator: z.enum(["Exists", "Equal"]).optional(),
  value: z.string().optional(),
  effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
});

export const clusterPolicySchema = objectSchema({
  spec: z
    .strictObject({
      operator: z.strictObject({
        defaultRuntime: z.enum(["docker", "crio", "containerd"]),
        runtimeClass: z.string().optional(),
        use_ocp_driver_toolkit: z.boolean().optional(),
      }),
      daemonsets: z.strictObject({
        priorityClassName: z.string().optional(),
        tolerations: z.array(toleration).optional(),
      }),
      driver: component,
      toolkit: component,
      devicePlugin,
      dcgm: component,
      dcgmExporter: component,
      gfd: component,
      nodeStatusExporter: component,
      mig: z.strictObject({ strategy: z.enum(["none", "single", "mixed"]).optional() }).optional(),
      migManager: component.optional(),
      validator: component.optional(),
    })
    .optional(),
});
export type ClusterPolicySpec = z.infer<typeof clusterPolicySchema>["spec"];
