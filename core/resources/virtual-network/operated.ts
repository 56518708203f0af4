import { infraKey } from "../../kernel/object/keys.ts";
import type { Operating } from "../../kernel/saga/operated.ts";
import { exists } from "../../kernel/store/store.ts";
import { releaseQuota } from "../quota/account.ts";
import { atRest } from "../site/operated.ts";
import { virtualNetworkSagas } from "./sagas.ts";

/** The meaning of operations for a network. */
export const operated: Operating<"virtual_network"> = {
  started: ({ failure: _, ...network }, operation) => ({ ...network, operation }),
  ended: (network, { saga, failure }) =>
    saga === virtualNetworkSagas.delete ? "archive" : atRest(network, failure),
  /** A network that was never made has given everything back, and counts for nothing. */
  settled(before, after) {
    const target = after.made ? after : { ...after, charge: {} };
    return { target, writes: releaseQuota(before, target) };
  },
  archived: (network) => [
    ...releaseQuota(network, undefined),
    { delete: infraKey(network.infra_id), if: exists },
  ],
  placeOf: ({ site }) => site && { kind: "site", id: site.id },
};
