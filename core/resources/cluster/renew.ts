import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load } from "../../kernel/object/records.ts";
import { startOperation } from "../../kernel/saga/start-operation.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { isRenewalDue } from "./ingress-certificate.ts";
import { operated } from "./operated.ts";
import { clusterSagas } from "./sagas.ts";

/** Starts the renewal of a cluster's certificate if it is due. */
export async function renewIfDue(
  deps: Pick<Deps, "store" | "kinds" | "clock" | "newId">,
  id: string,
  creator: string,
): Promise<void> {
  await optimistically(deps.store, async () => {
    const cluster = await load(deps, "cluster", id);
    if (!cluster || !isRenewalDue(cluster, deps.clock.now()))
      return { writes: [], result: undefined };
    const start = { saga: clusterSagas.renew, creator };
    const started = (operation: OperationId) => operated.started(cluster, operation);
    const { writes } = startOperation(deps, cluster, start, started);
    return { writes, result: undefined };
  });
}
