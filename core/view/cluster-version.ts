import * as z from "zod";
import { type ClusterVersion, clusterVersionSpecSchema } from "../model/cluster-version.ts";
import { metadataSchema, metadataView, timeSchema } from "./wire.ts";

const shape = clusterVersionSpecSchema.shape;

export const clusterVersionSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    version: z.string(),
    upgrades_from: z.array(z.string()).optional(),
    enabled: z.boolean(),
    is_default: z.boolean(),
    state: shape.state.unwrap(),
    deprecation: z
      .object({
        deprecation_timestamp: timeSchema.optional(),
        obsolescence_timestamp: timeSchema.optional(),
      })
      .optional(),
    /** Administrators only. */
    image: z.string().optional(),
  }),
  status: z.object({}),
});

/** OSAC's versions say nothing of ways between them. */
export function osacClusterVersion({ spec, ...rest }: z.output<typeof clusterVersionSchema>) {
  const { upgrades_from: _, ...osacSpec } = spec;
  return { ...rest, spec: osacSpec };
}

export function clusterVersionView(version: ClusterVersion): z.output<typeof clusterVersionSchema> {
  const { spec } = version;
  return {
    id: version.id,
    metadata: metadataView(version),
    spec: {
      version: spec.version,
      ...(spec.upgrades_from ? { upgrades_from: spec.upgrades_from } : {}),
      enabled: spec.enabled ?? true,
      is_default: spec.is_default ?? false,
      state: spec.state ?? "CLUSTER_VERSION_STATE_ACTIVE",
      ...(spec.deprecation ? { deprecation: spec.deprecation } : {}),
      image: spec.image,
    },
    status: {},
  };
}
