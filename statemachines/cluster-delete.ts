import { minutes } from "../core/clock.ts";
import type { StepContext } from "../core/saga/context.ts";
import type { ClusterSaga } from "../core/saga/end.ts";
import { backwards, step } from "../core/saga/saga.ts";
import { secretReference } from "../core/secrets/secrets.ts";
import { clusterCreate } from "./cluster-create.ts";

/** The table of cluster-create walked backwards, so that each undo is written once. */
export const clusterDelete: ClusterSaga = {
  name: "cluster-delete",
  comment: "A cluster is taken away, and everything it held is given back",
  irreversible: true,
  nodes: [
    ...backwards(clusterCreate.nodes),
    step(
      "ArchiveCluster",
      { act: forgetSecrets, deadline: minutes(15) },
      { none: "nothing is left to go back to" },
    ),
  ],
  ended: {
    succeeded: () => "archive",
    failed: (cluster, failure) => ({ ...cluster, failure }),
  },
};

async function forgetSecrets({ deps, operation }: StepContext): Promise<void> {
  await deps.secrets.remove(secretReference.pullSecret(operation.spec.target.id));
}
