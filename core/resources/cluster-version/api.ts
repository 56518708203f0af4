import * as z from "zod";
import { timestamp } from "../../clock.ts";
import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { written } from "../../kernel/events/rewrite.ts";
import { idSchema, systemMetadata } from "../../kernel/input/reference.ts";
import { defaultVersionKey, versionKey } from "../../kernel/object/keys.ts";
import { metadataInputSchema } from "../../kernel/object/metadata.ts";
import { load } from "../../kernel/object/records.ts";
import type { ApiOf } from "../../kernel/request/api-of.ts";
import type { Definition } from "../../kernel/request/definition.ts";
import { absent, any, eq, type Write } from "../../kernel/store/store.ts";
import { type ClusterVersion, type ClusterVersionSpec, clusterVersionSpecSchema } from "./model.ts";
import { clusterVersionSchema } from "./wire.ts";

const schema = z.strictObject({
  id: idSchema.optional(),
  metadata: metadataInputSchema.extend(systemMetadata),
  /** Slipway writes `deprecation`; the client's value is ignored. */
  spec: clusterVersionSpecSchema.extend({
    deprecation: z.unknown().optional().describe("Written by Slipway; ignored in requests."),
  }),
  status: z.unknown().optional(),
});

/** The desired state of a version. */
interface Wanted {
  tenant: string;
  id: string;
  spec: ClusterVersionSpec;
  before: ClusterVersion | undefined;
}

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
    if (violations.length > 0) return { spec, status: {} };
    const own: Write[] = before ? [] : [await claim(deps, tenant, spec.version, id)];
    const writes = [...own, ...(await defaultWrites(deps, { tenant, id, spec, before }))];
    return { spec, status: {}, writes };
  },
  async remove(_, { metadata: { tenant }, spec, id }) {
    const mine = { if: eq("id", id) };
    return [
      { delete: versionKey(tenant, spec.version) },
      ...(spec.is_default ? [{ delete: defaultVersionKey(tenant), ...mine }] : []),
    ];
  },
};

/** Claims the version's number, because no two versions of a tenant have the same. Throws AlreadyExists. */
async function claim({ store }: Deps, tenant: string, version: string, id: string): Promise<Write> {
  const key = versionKey(tenant, version);
  if (await store.get(key))
    throw new AppError("AlreadyExists", `cluster version with version '${version}' already exists`);
  return { put: { ...key, id }, if: absent };
}

/** Moves the mark of the default, like OSAC: the previous default version loses it in the same transaction. */
async function defaultWrites(
  deps: Deps,
  { tenant, id, spec: wanted, before }: Wanted,
): Promise<Write[]> {
  const key = defaultVersionKey(tenant);
  const isMine = eq("id", id);
  if (!wanted.is_default) return before?.spec.is_default ? [{ delete: key, if: isMine }] : [];
  const other = (await deps.store.get(key))?.id;
  if (typeof other !== "string" || other === id)
    return [{ put: { ...key, id }, if: any(absent, isMine) }];
  const previous = await load(deps, "cluster_version", other);
  const moved: Write = { put: { ...key, id }, if: eq("id", other) };
  // If the version was just deleted, its mark was released too, so this request is tried again.
  if (!previous) return [moved];
  const changed = { ...previous, generation: previous.generation + 1 };
  const spec = { ...previous.spec, is_default: false };
  return [moved, ...written(deps, previous, { ...changed, spec }).writes];
}

/**
 * The times of deprecation. A version that becomes active again loses them; a version can become obsolete without
 * having been deprecated.
 */
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

export const api = {
  schema: clusterVersionSchema,
  rules: clusterVersions,
  // Tenants can order by active and deprecated versions.
  offered: [
    { path: "spec.state", filter: "this.spec.state in [1, 2]" },
    { path: "spec.enabled", filter: "this.spec.enabled" },
  ],
} satisfies ApiOf<"cluster_version">;
