import type { ClusterVersion } from "./model.ts";

/** The spec of a version in the form of the API, with defaults filled in. */
export const versionShown = ({ spec }: Pick<ClusterVersion, "spec">) => ({
  version: spec.version,
  ...(spec.upgrades_from ? { upgrades_from: spec.upgrades_from } : {}),
  enabled: spec.enabled ?? true,
  is_default: spec.is_default ?? false,
  state: spec.state ?? ("CLUSTER_VERSION_STATE_ACTIVE" as const),
  ...(spec.deprecation ? { deprecation: spec.deprecation } : {}),
  image: spec.image,
});
