import { ownerOf } from "../../at-site/owner.ts";
import type { Owning } from "../../at-site/owners.ts";

/** The things that attachments own outside. */
export const owning: Owning<"external_ip_attachment"> = {
  owner: ownerOf,
  removeFrom: async ({ fabric }, attachment) => {
    await fabric?.removeExternalIp(ownerOf(attachment));
  },
};
