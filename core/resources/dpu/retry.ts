import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { hostWithDpus } from "./host.ts";
import { provisionWrites } from "./provision.ts";

/**
 * Provisions a DPU again, and with it its host, which leaves the pool. Throws NotFound, PreconditionFailed, and
 * FailedPrecondition while somebody holds the host, or a saga works on it or on the DPU.
 */
export const retryDpu = (
  deps: Deps,
  caller: Caller,
  id: string,
  match: Match = {},
): Promise<Accepted<"dpu">> =>
  optimistically<Accepted<"dpu">>(deps.store, async () => {
    const dpu = await mustOwn(deps, caller, "dpu", id);
    refuseStale(dpu, match);
    if (dpu.operation)
      throw new AppError(
        "FailedPrecondition",
        `DPU '${id}' cannot be retried: operation '${dpu.operation}' works on it`,
      );
    const host = await mustLoad(deps, "host", dpu.spec.host.id);
    const { writes, result } = provisionWrites(deps, dpu, caller.user);
    return { writes: [...writes, ...(await hostWithDpus(deps, host, host.dpus ?? []))], result };
  });
