import type { OperationId } from "../../id.ts";
import type { Deps } from "../../kernel/deps.ts";
import { load } from "../../kernel/object/records.ts";
import { startOperation } from "../../kernel/saga/start-operation.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import type { Write } from "../../kernel/store/store.ts";
import { isRenewalDue } from "./ingress-certificate.ts";
import type { Cluster } from "./model.ts";
import { operated } from "./operated.ts";
import { clusterSagas } from "./sagas.ts";

/** The start of the renewal of the certificate of a cluster that no operation works on. */
export function renewalWrites(
  deps: Pick<Deps, "kinds" | "clock" | "newId">,
  cluster: Cluster,
  creator: string,
): { writes: Write[]; result: { object: Cluster; operation: OperationId } } {
  const start = { saga: clusterSagas.renew, creator };
  return startOperation(deps, cluster, start, (operation) => operated.started(cluster, operation));
}

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
    return { writes: renewalWrites(deps, cluster, creator).writes, result: undefined };
  });
}
