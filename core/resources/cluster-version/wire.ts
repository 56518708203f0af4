import * as z from "zod";
import { metadataSchema, metadataView, timeSchema } from "../../kernel/object/wire.ts";
import { osacOf, type WireForm } from "../../kernel/object/wire-form.ts";
import { versionShown } from "./kind.ts";
import { type ClusterVersion, clusterVersionSpecSchema } from "./model.ts";

export const clusterVersionSchema = z.object({
  id: z.string().optional(),
  metadata: metadataSchema,
  spec: z.object({
    version: z.string().describe("The OpenShift version, such as `4.17.9`."),
    upgrades_from: z
      .array(z.string())
      .optional()
      .describe("Versions that may be upgraded to it; by default, all that the usual rule allows."),
    enabled: z.boolean().describe("Whether new orders and upgrades may use it."),
    is_default: z.boolean().describe("Whether it is the default of orders."),
    state: clusterVersionSpecSchema.shape.state.unwrap().describe("Its stage of life."),
    deprecation: z
      .object({
        deprecation_timestamp: timeSchema.optional().describe("When it became deprecated."),
        obsolescence_timestamp: timeSchema.optional().describe("When it became obsolete."),
      })
      .optional()
      .describe("When it was disabled."),
    image: z.string().optional().describe("The release image. For administrators."),
  }),
  status: z.object({}),
});

/** The version for OSAC, which has no `upgrades_from`. */
function osacClusterVersion({ spec, ...rest }: z.output<typeof clusterVersionSchema>) {
  const { upgrades_from: _, ...osacSpec } = spec;
  return { ...rest, spec: osacSpec };
}

const clusterVersionView = (version: ClusterVersion): z.output<typeof clusterVersionSchema> => ({
  id: version.id,
  metadata: metadataView(version),
  spec: versionShown(version),
  status: {},
});

export const wire: WireForm<"cluster_version"> = {
  view: clusterVersionView,
  osac: osacOf(osacClusterVersion),
  inOsacEvents: true,
};
