import type { Operating } from "../../kernel/saga/operated.ts";
import type { Host } from "./model.ts";
import { type HostSagaName, hostSagas } from "./sagas.ts";
import { isErased, type ServerCondition, serverOf, withServer } from "./server.ts";

/** The condition of a server after each saga has succeeded. Power alone erases nothing. */
const reached: Readonly<Record<HostSagaName, (host: Host) => ServerCondition>> = {
  [hostSagas.discover]: () => "READY",
  [hostSagas.provision]: () => "READY",
  [hostSagas.clean]: () => "CLEAN",
  [hostSagas.switch_off]: (host) => (isErased(host) ? "CLEAN" : serverOf(host).condition),
};

/** The meaning of operations for a host. */
export const operated: Operating<"host"> = {
  started({ failure: _, ...host }, operation) {
    return withServer(
      { ...host, operation },
      {
        ...{ quarantine: undefined, differences: undefined, boot: undefined, isLate: undefined },
        // What was erased before the last use is not erased any more.
        ...(!isErased(host) && { drives: undefined, started: undefined, asked: undefined }),
      },
    );
  },
  ended({ operation: _, queued: __, ...host }, { saga, at, failure }) {
    const atRest = { boot: undefined, started: undefined, asked: undefined, isLate: undefined };
    if (!failure)
      return withServer(saga === hostSagas.provision ? withoutReinstall(host) : host, {
        ...atRest,
        condition: reached[saga as HostSagaName](host),
      });
    // Nothing is done to it until a person has looked: the next owner must not pay for a guess.
    const { step, message } = failure;
    const quarantine = { since: at, reason: message, ...(step && { step }) };
    return withServer({ ...host, failure }, { ...atRest, quarantine });
  },
  placeOf: ({ spec }) => ({ kind: "hub", id: spec.hub }),
};

const withoutReinstall = ({ reinstall: _, ...host }: Host): Host => host;
