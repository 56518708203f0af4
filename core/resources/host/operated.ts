import type { Operating } from "../../kernel/saga/operated.ts";
import type { Host } from "./model.ts";
import { type HostSagaName, hostSagas } from "./sagas.ts";
import { isErased, type ServerCondition, serverOf, withServer } from "./server.ts";

/** What is so of a server that was off at last: power alone erases nothing. */
const erasedOrNot = (host: Host): ServerCondition =>
  isErased(host) ? "CLEAN" : serverOf(host).condition;

/** The condition of a server after each saga has succeeded. */
const reached: Readonly<Record<HostSagaName, (host: Host) => ServerCondition>> = {
  [hostSagas.discover]: () => "READY",
  [hostSagas.provision]: () => "READY",
  [hostSagas.clean]: () => "CLEAN",
  [hostSagas.switch_off]: erasedOrNot,
  [hostSagas.update_firmware]: erasedOrNot,
};

/** The meaning of operations for a host. */
export const operated: Operating<"host"> = {
  started({ failure: _, ...host }, operation) {
    return withServer(
      { ...host, operation },
      {
        ...{ quarantine: undefined, differences: undefined, boot: undefined, isLate: undefined },
        update: undefined,
        bootSet: undefined,
        // What was erased before the last use is not erased any more.
        ...(!isErased(host) && { drives: undefined, started: undefined, asked: undefined }),
      },
    );
  },
  ended({ operation: _, queued: __, ...host }, { saga, at, failure }) {
    const atRest = {
      update: undefined,
      boot: undefined,
      bootSet: undefined,
      started: undefined,
      asked: undefined,
      isLate: undefined,
    };
    if (!failure)
      return withServer(withoutWish(host, saga), {
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

/** The host of which nobody asks any more for what a saga has done. */
function withoutWish(host: Host, saga: string): Host {
  const { reinstall, firmware_update, ...rest } = host;
  return {
    ...rest,
    ...(reinstall && saga !== hostSagas.provision && { reinstall }),
    ...(firmware_update && saga !== hostSagas.update_firmware && { firmware_update }),
  };
}
