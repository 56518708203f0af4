import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import { accepted } from "../machine/identity.ts";
import { hostWithDpus } from "./host.ts";
import type { Dpu } from "./model.ts";
import { provisionWrites } from "./provision.ts";

/** What a request for a DPU makes of it before it is provisioned again; throws its refusal of others. */
type Decided = (dpu: Dpu, caller: Caller, now: number, refused: (why: string) => AppError) => Dpu;

/**
 * Provisions a DPU again, and with it its host, which leaves the pool. Throws NotFound, PreconditionFailed, and
 * FailedPrecondition while somebody holds the host, while a saga works on it or on the DPU, and where `decided` does.
 */
const provisionAgain =
  (cannot: (id: string) => string, decided: Decided) =>
  (deps: Deps, caller: Caller, id: string, match: Match = {}): Promise<Accepted<"dpu">> =>
    optimistically<Accepted<"dpu">>(deps.store, async () => {
      const dpu = await mustOwn(deps, caller, "dpu", id);
      refuseStale(dpu, match);
      const refused = (why: string) => new AppError("FailedPrecondition", `${cannot(id)}: ${why}`);
      if (dpu.operation) throw refused(`operation '${dpu.operation}' works on it`);
      const after = decided(dpu, caller, deps.clock.now(), refused);
      const host = await mustLoad(deps, "host", dpu.spec.host.id);
      const { writes, result } = provisionWrites(deps, after, caller.user);
      return { writes: [...writes, ...(await hostWithDpus(deps, host, host.dpus ?? []))], result };
    });

/** Provisions a DPU again as it is. */
export const retryDpu = provisionAgain(
  (id) => `DPU '${id}' cannot be retried`,
  (dpu) => dpu,
);

/** A person has the DPU that was found be this one from now on. Throws FailedPrecondition where no other DPU was found. */
export const acceptDpuIdentity = provisionAgain(
  (id) => `the identity of DPU '${id}' cannot be accepted`,
  (dpu, caller, now, refused) => {
    if (!dpu.identity?.other) throw refused("its controller has told of no other DPU");
    return { ...dpu, identity: accepted(dpu.identity.other, caller.user, now) };
  },
);
