import { defaultVersionKey } from "../../kernel/object/keys.ts";
import { load, type Records } from "../../kernel/object/records.ts";
import { ownersFor } from "../../kernel/request/resolve.ts";
import type { Key } from "../../kernel/store/store.ts";
import { type ClusterVersion, isOrderable } from "./model.ts";

/** The keys that `defaultVersion` reads first. */
const defaultVersionKeys = (tenant: string): Key[] => ownersFor(tenant).map(defaultVersionKey);

/** The version for orders without one: the tenant's own default, or else the shared default. */
export async function defaultVersion(
  records: Records,
  tenant: string,
): Promise<ClusterVersion | undefined> {
  for (const claim of await records.store.getMany(defaultVersionKeys(tenant))) {
    const version =
      typeof claim?.id === "string" ? await load(records, "cluster_version", claim.id) : undefined;
    if (version && isOrderable(version)) return version;
  }
  return undefined;
}
