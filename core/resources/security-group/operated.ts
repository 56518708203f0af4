import { infraKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { exists } from "../../kernel/store/store.ts";
import { releaseQuota } from "../quota/account.ts";
import { atRest } from "../site/operated.ts";
import { securityGroupSagas } from "./sagas.ts";

/** The meaning of operations for a security group. */
export const operated: Operating<"security_group"> = {
  started: ({ failure: _, ...group }, operation) => ({ ...group, operation }),
  ended(group, { saga, failure }) {
    if (saga === securityGroupSagas.delete) return "archive";
    return atRest(group, failure);
  },
  /** A group that was never made has given everything back, and counts for nothing. */
  settled(before, after) {
    const target = after.made ? after : { ...after, charge: {} };
    return { target, writes: releaseQuota(before, target) };
  },
  archived: (group) => [
    ...releaseQuota(group, undefined),
    { delete: infraKey(group.infra_id), if: exists },
  ],
  placeOf: ({ site }) => site && { kind: "site", id: site.id },
};
