import * as z from "zod";
import { timestamp } from "../clock.ts";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { type ClusterVersionSpec, clusterVersionSpecSchema } from "../model/cluster-version.ts";
import { metadataInputSchema } from "../model/metadata.ts";
import { allOf } from "../order/resolve.ts";
import { closing } from "../store/uses.ts";
import type { Definition } from "./definition.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  /** `deprecation` is written by the server; ignored. */
  spec: clusterVersionSpecSchema.extend({ deprecation: z.unknown().optional() }),
  status: z.unknown().optional(),
});

export const clusterVersions: Definition<"cluster_version", z.output<typeof schema>> = {
  kind: "cluster_version",
  schema,
  idIsName: true,
  tenant: "shared",
  async build({ deps, id, tenant, input, before, violations }) {
    const { deprecation: _, ...given } = input.spec;
    const state = given.state ?? "CLUSTER_VERSION_STATE_ACTIVE";
    const deprecation = deprecationOf(state, before?.spec, timestamp(deps.clock.now()));
    const spec = {
      ...given,
      enabled: given.enabled ?? true,
      is_default: given.is_default ?? false,
      state,
      ...(deprecation ? { deprecation } : {}),
    };
    if (before && before.spec.version !== spec.version) {
      violations.push({ field: "spec.version", message: "field 'spec.version' is immutable" });
    }
    if (spec.is_default && !(spec.enabled && spec.state !== "CLUSTER_VERSION_STATE_OBSOLETE")) {
      violations.push({
        field: "spec.is_default",
        message: "a disabled or obsolete version can't be the default",
      });
    }
    if (spec.is_default && !before?.spec.is_default) {
      const others = await allOf(deps.store, "cluster_version", tenant);
      const other = others.find((each) => each.id !== id && each.spec.is_default);
      if (other)
        violations.push({
          field: "spec.is_default",
          message: `'${other.metadata.name}' is the default`,
        });
    }
    return { spec, status: {} };
  },
  remove: ({ store }, version) => closing(store, version),
};

/** A version that is active again has never been deprecated; an obsolete one may skip that. */
function deprecationOf(
  state: NonNullable<ClusterVersionSpec["state"]>,
  before: ClusterVersionSpec | undefined,
  now: string,
): ClusterVersionSpec["deprecation"] {
  if (state === "CLUSTER_VERSION_STATE_ACTIVE") return undefined;
  const { deprecation_timestamp, obsolescence_timestamp = now } = before?.deprecation ?? {};
  if (state === "CLUSTER_VERSION_STATE_DEPRECATED")
    return { deprecation_timestamp: deprecation_timestamp ?? now };
  return { ...(deprecation_timestamp ? { deprecation_timestamp } : {}), obsolescence_timestamp };
}
