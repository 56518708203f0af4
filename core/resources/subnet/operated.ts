import { infraKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { exists } from "../../kernel/store/store.ts";
import { numbersQueue } from "../../placement/tickets.ts";
import { releaseQuota } from "../quota/account.ts";
import { poolName } from "../site/model.ts";
import { atRest } from "../site/operated.ts";
import { subnetSagas } from "./sagas.ts";
import { releasePrefixes } from "./siblings.ts";

/** The meaning of operations for a subnet. */
export const operated: Operating<"subnet"> = {
  started: ({ failure: _, ...subnet }, operation) => ({ ...subnet, operation }),
  ended: (subnet, { saga, failure }) =>
    saga === subnetSagas.delete ? "archive" : atRest(subnet, failure),
  /** A subnet that was never made has given everything back, and counts for nothing. */
  settled(before, after) {
    const target = after.made ? after : { ...after, charge: {} };
    return { target, writes: releaseQuota(before, target) };
  },
  archived: (subnet) => [
    ...releaseQuota(subnet, undefined),
    releasePrefixes(subnet.spec.virtual_network.id, subnet.id),
    { delete: infraKey(subnet.infra_id), if: exists },
  ],
  placeOf: ({ site }) => site && { kind: "site", id: site.id },
  queues: ({ site }) => (site ? [numbersQueue(poolName(site.id, "vlans"))] : []),
};
