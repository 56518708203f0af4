import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { type Caller, mustOwn } from "../../kernel/request/caller.ts";
import { type Accepted, type Match, refuseStale } from "../../kernel/request/checks.ts";
import { optimistically } from "../../kernel/store/optimistically.ts";
import type { Write } from "../../kernel/store/store.ts";
import { accepted } from "../machine/identity.ts";
import { hostWithDpus } from "./host.ts";
import type { Dpu } from "./model.ts";
import { provisionWrites } from "./provision.ts";

/** What a request for a DPU makes of it before it is provisioned again; throws its refusal of others. */
type Decided = (
  deps: Deps,
  dpu: Dpu,
  by: { user: string; now: number },
  refused: (why: string) => AppError,
) => Promise<{ after: Dpu; besides: Write[] }>;

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
      const by = { user: caller.user, now: deps.clock.now() };
      const { after, besides } = await decided(deps, dpu, by, refused);
      const host = await mustLoad(deps, "host", dpu.spec.host.id);
      const { writes, result } = provisionWrites(deps, after, caller.user);
      const onHost = await hostWithDpus(deps, host, host.dpus ?? []);
      return { writes: [...writes, ...onHost, ...besides], result };
    });

/** Provisions a DPU again as it is. */
export const retryDpu = provisionAgain(
  (id) => `DPU '${id}' cannot be retried`,
  async (_, dpu) => ({ after: dpu, besides: [] }),
);

/** A person has the DPU that was found be this one from now on. Throws FailedPrecondition where none was found, or that is another host or DPU. */
export const acceptDpuIdentity = provisionAgain(
  (id) => `the identity of DPU '${id}' cannot be accepted`,
  async (deps, dpu, by, refused) => {
    if (!dpu.identity?.other) throw refused("its controller has told of no other DPU");
    const { identity, writes } = await accepted(deps, dpu, dpu.identity.other, by, refused);
    return { after: { ...dpu, identity }, besides: writes };
  },
);
