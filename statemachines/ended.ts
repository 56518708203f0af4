import type { Ended } from "../core/kernel/saga/saga.ts";
import type { Cluster } from "../core/resources/cluster/model.ts";
import { backToFormer, settledAt, upgraded, upgradedSoFar } from "./steps/settled.ts";

/** What the end of an operation means for its cluster, by saga. */
export const ended = {
  "cluster-create": {
    succeeded: settledAt,
    failed: (cluster, failure) => ({ ...cluster, published: false, failure }),
  },
  "cluster-delete": {
    succeeded: () => "archive",
    failed: (cluster, failure) => ({ ...cluster, failure }),
  },
  "cluster-scale": { succeeded: settledAt, failed: backToFormer },
  "cluster-upgrade": { succeeded: upgraded, failed: upgradedSoFar },
} as const satisfies Record<string, Ended<Cluster>>;
