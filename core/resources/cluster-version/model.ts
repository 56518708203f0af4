import * as z from "zod";
import { isImageReference } from "../../kernel/input/image-reference.ts";
import type { StoredObject } from "../../kernel/object/object.ts";

export const clusterVersionSpecSchema = z.strictObject({
  version: z
    .string()
    .max(256)
    .regex(
      /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/,
      "must be a semantic version, such as 4.17.3",
    )
    .describe("The OpenShift version, such as `4.17.9`."),
  image: z
    .string()
    .min(1)
    .max(512)
    .refine(isImageReference, {
      error:
        "must be an image in a registry, such as quay.io/openshift-release-dev/ocp-release:4.17.9-multi",
    })
    .describe(
      "The release image, such as `quay.io/openshift-release-dev/ocp-release:4.17.9-multi`.",
    ),
  upgrades_from: z
    .array(z.string().max(256))
    .max(500)
    .optional()
    .describe("Versions that may be upgraded to it; by default, all that the usual rule allows."),
  enabled: z
    .boolean()
    .optional()
    .describe("Whether new orders and upgrades may use it; true by default."),
  is_default: z
    .boolean()
    .optional()
    .describe("Whether it is the default of orders; one version at most."),
  state: z
    .enum([
      "CLUSTER_VERSION_STATE_ACTIVE",
      "CLUSTER_VERSION_STATE_DEPRECATED",
      "CLUSTER_VERSION_STATE_OBSOLETE",
    ])
    .optional()
    .describe("Its stage of life; active by default."),
});
export interface ClusterVersionSpec extends z.infer<typeof clusterVersionSpecSchema> {
  /** When the version became deprecated or obsolete. */
  deprecation?: { deprecation_timestamp?: string; obsolescence_timestamp?: string };
}
export type ClusterVersion = StoredObject<
  "cluster_version",
  ClusterVersionSpec,
  Record<string, never>
>;

/** Whether new clusters may use this version. */
export function isOrderable(version: ClusterVersion): boolean {
  return version.spec.enabled !== false && version.spec.state !== "CLUSTER_VERSION_STATE_OBSOLETE";
}

declare module "../../kernel/object/object-of.ts" {
  interface ObjectOf {
    cluster_version: ClusterVersion;
  }
}
