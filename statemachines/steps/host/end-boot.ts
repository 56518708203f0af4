import { minutes } from "../../../core/clock.ts";
import type { Action } from "../../../core/kernel/saga/action.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { revokeToken } from "../../../core/resources/machine/tokens.ts";

/** Ends the token of a boot from the network that has come to its end: nothing that runs from now on gets anything by it. */
export const endBoot: Action<Host> = {
  async act({ kind, id }, { deps, guard, fence }) {
    await guard();
    await revokeToken(deps, { kind, id }, { kind, id }, fence);
  },
  deadline: minutes(15),
};
