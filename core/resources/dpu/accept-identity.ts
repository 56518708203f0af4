import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { accepted } from "../machine/identity.ts";
import { hostWithDpus } from "./host.ts";
import { provisionWrites } from "./provision.ts";

/**
 * A person has the DPU that was found be this one from now on. It is provisioned again, and its host after it. Throws
 * FailedPrecondition where no other DPU was found, while somebody holds the host, and while a saga works on either.
 */
export const acceptDpuIdentity = (
  deps: Deps,
  caller: Caller,
  id: string,
  match: Match = {},
): Promise<Accepted<"dpu">> =>
  optimistically<Accepted<"dpu">>(deps.store, async () => {
    const dpu = await mustOwn(deps, caller, "dpu", id);
    refuseStale(dpu, match);
    const refused = (why: string) =>
      new AppError("FailedPrecondition", `the identity of DPU '${id}' cannot be accepted: ${why}`);
    if (dpu.operation) throw refused(`operation '${dpu.operation}' works on it`);
    if (!dpu.identity?.other) throw refused("its controller has told of no other DPU");
    const identity = accepted(dpu.identity.other, caller.user, deps.clock.now());
    const host = await mustLoad(deps, "host", dpu.spec.host.id);
    const { writes, result } = provisionWrites(deps, { ...dpu, identity }, caller.user);
    return { writes: [...writes, ...(await hostWithDpus(deps, host, host.dpus ?? []))], result };
  });
