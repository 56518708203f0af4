import * as z from "zod";
import { timestamp } from "../clock.ts";
import { idSchema, systemMetadata } from "../input/reference.ts";
import { type ClusterVersionSpec, clusterVersionSpecSchema } from "../model/cluster-version.ts";
import { metadataInputSchema } from "../model/metadata.ts";
import { defaultVersionKey } from "../store/keys.ts";
import { absent, any, eq, type Write } from "../store/store.ts";
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
  idIsName: "ignored",
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
    const key = defaultVersionKey(tenant);
    const other = spec.is_default ? (await deps.store.get(key))?.id : undefined;
    if (other !== undefined && other !== id)
      violations.push({ field: "spec.is_default", message: `'${String(other)}' is the default` });
    const isMine = eq("id", id);
    if (spec.is_default) {
      const write: Write = { put: { ...key, id }, if: any(absent, isMine) };
      return { spec, status: {}, writes: [write] };
    }
    const writes: Write[] = before?.spec.is_default ? [{ delete: key, if: isMine }] : [];
    return { spec, status: {}, writes };
  },
  async remove(_, version) {
    const { metadata, spec, id } = version;
    const claim: Write = { delete: defaultVersionKey(metadata.tenant), if: eq("id", id) };
    return spec.is_default ? [claim] : [];
  },
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
