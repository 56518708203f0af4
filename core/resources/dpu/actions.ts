import { AppError } from "../../error.ts";
import type { Deps } from "../../kernel/deps.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import type { Acceptance, Actions } from "../../kernel/request/action.ts";
import type { Caller } from "../../kernel/request/caller.ts";
import { accepted } from "../../machine/identity.ts";
import { hostWithDpus } from "./host.ts";
import type { Dpu } from "./model.ts";
import { provisionWrites } from "./provision.ts";

/** The actions of administrators on a DPU. */

export const actions: Actions<"dpu"> = {
  retry: {
    summary: "Retry a DPU",
    description:
      "Provisions a DPU again, then its host. The DPU may be quarantined; the host must be free.",
    destroys: false,
    async accept(dpu, { deps, caller }) {
      if (dpu.operation) throw refused(`DPU '${dpu.id}' cannot be retried`, worksOn(dpu));
      return provisionedAgain(deps, caller, dpu);
    },
  },
  accept_identity: {
    summary: "Accept the identity of a DPU",
    description:
      "Accepts the card that its controller now reports, such as a replacement, as this DPU. The DPU is provisioned again, then its host, which must be free. Refused for a card of another DPU or host.",
    destroys: true,
    async accept(dpu, { deps, caller }) {
      const cannot = (why: string) =>
        refused(`the identity of DPU '${dpu.id}' cannot be accepted`, why);
      if (dpu.operation) throw cannot(worksOn(dpu));
      if (!dpu.identity?.other) throw cannot("its controller has reported no other DPU");
      const by = { user: caller.user, now: deps.clock.now() };
      const { identity, writes: claims } = await accepted(
        deps,
        dpu,
        dpu.identity.other,
        by,
        cannot,
      );
      const { writes, result } = await provisionedAgain(deps, caller, { ...dpu, identity });
      return { writes: [...writes, ...claims], result };
    },
  },
};

const refused = (what: string, why: string): AppError =>
  new AppError("FailedPrecondition", `${what}: ${why}`);

const worksOn = ({ operation }: Dpu): string => `operation '${operation}' works on it`;

/**
 * The DPU with a new operation that provisions it, and its host, which leaves the pool. Throws
 * FailedPrecondition while the host has a holder.
 */
async function provisionedAgain(deps: Deps, caller: Caller, dpu: Dpu): Promise<Acceptance<"dpu">> {
  const host = await mustLoad(deps, "host", dpu.spec.host.id);
  const { writes, result } = provisionWrites(deps, dpu, caller.user);
  const onHost = await hostWithDpus(deps, host, host.dpus ?? []);
  return { writes: [...writes, ...onHost], result };
}
