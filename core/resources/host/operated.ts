import type { Operating } from "../../kernel/saga/operated.ts";
import { type HostSagaName, hostSagas } from "./sagas.ts";
import { isErased, type ServerCondition, withServer } from "./server.ts";

/** The condition of a server after each saga has succeeded. */
const reached: Readonly<Record<HostSagaName, ServerCondition>> = {
  [hostSagas.discover]: "READY",
  [hostSagas.clean]: "CLEAN",
  [hostSagas.switch_off]: "CLEAN",
};

/** The meaning of operations for a host. */
export const operated: Operating<"host"> = {
  started({ failure: _, ...host }, operation) {
    return withServer(
      { ...host, operation },
      {
        ...{ quarantine: undefined, differences: undefined, boot: undefined },
        // What was erased before the last use is not erased any more.
        ...(!isErased(host) && { drives: undefined, started: undefined }),
      },
    );
  },
  ended({ operation: _, queued: __, ...host }, { saga, at, failure }) {
    const atRest = { boot: undefined, started: undefined };
    if (!failure) return withServer(host, { ...atRest, condition: reached[saga as HostSagaName] });
    // Nothing is done to it until a person has looked: the next owner must not pay for a guess.
    const { step, message } = failure;
    const quarantine = { since: at, reason: message, ...(step && { step }) };
    return withServer({ ...host, failure }, { ...atRest, quarantine });
  },
  placeOf: ({ spec }) => ({ kind: "hub", id: spec.hub }),
};
