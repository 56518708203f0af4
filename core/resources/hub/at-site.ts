import { keyOfUser, objectKey, usersPartition } from "../../kernel/object/keys.ts";
import { objectIn, type Records } from "../../kernel/object/records.ts";
import type { Hub } from "./model.ts";

/** The limit of hubs that are read for a site; hubs of one site are much alike. */
const most = 50;

/** The first hubs of a site, by id. */
export async function hubsAt({ store, kinds }: Records, site: string): Promise<Hub[]> {
  const range = { prefix: objectKey("hub", "").pk };
  const { items } = await store.query({ pk: usersPartition("site", site), range, limit: most });
  const found = await store.getMany(items.map(keyOfUser));
  return found.flatMap((item) => (item ? [objectIn<"hub">(kinds, item)] : []));
}
