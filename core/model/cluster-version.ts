import * as z from "zod";
import type { StoredObject } from "./object.ts";

export const clusterVersionSpecSchema = z.strictObject({
  version: z
    .string()
    .max(256)
    .regex(
      /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/,
      "must be a semantic version, such as 4.17.3",
    ),
  /** Release image; administrators only. */
  image: z.string().min(1).max(512),
  /** Versions that a cluster may come from, where not every one that the rule allows is good. */
  upgrades_from: z.array(z.string().max(256)).max(500).optional(),
  enabled: z.boolean().optional(),
  is_default: z.boolean().optional(),
  state: z
    .enum([
      "CLUSTER_VERSION_STATE_ACTIVE",
      "CLUSTER_VERSION_STATE_DEPRECATED",
      "CLUSTER_VERSION_STATE_OBSOLETE",
    ])
    .optional(),
});
export interface ClusterVersionSpec extends z.infer<typeof clusterVersionSpecSchema> {
  /** Since when it is so. */
  deprecation?: { deprecation_timestamp?: string; obsolescence_timestamp?: string };
}
export type ClusterVersion = StoredObject<
  "cluster_version",
  ClusterVersionSpec,
  Record<string, never>
>;

/** Whether new clusters may be of this version. */
export function isOrderable(version: ClusterVersion): boolean {
  return version.spec.enabled !== false && version.spec.state !== "CLUSTER_VERSION_STATE_OBSOLETE";
}
