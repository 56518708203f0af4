import type { Operating } from "../../kernel/saga/operated.ts";
import type { Host } from "./model.ts";
import { type HostSagaName, hostSagas } from "./sagas.ts";
import { isErased, type ServerCondition, serverOf, withServer } from "./server.ts";

/** The condition of a server that was switched off: its drives are clean only if they were erased before. */
const erasedOrNot = (host: Host): ServerCondition =>
  isErased(host) ? "CLEAN" : serverOf(host).condition;

/** The condition of a server after the success of each saga. */
const reached: Readonly<Record<HostSagaName, (host: Host) => ServerCondition>> = {
  [hostSagas.discover]: () => "READY",
  [hostSagas.provision]: () => "READY",
  [hostSagas.clean]: () => "CLEAN",
  [hostSagas.switch_off]: erasedOrNot,
  [hostSagas.update_firmware]: erasedOrNot,
};

/** The changes of a host at the start and the end of its operation. */
export const operated: Operating<"host"> = {
  started({ failure: _, ...host }, operation) {
    return withServer(
      { ...host, operation },
      {
        ...{ quarantine: undefined, differences: undefined, boot: undefined, isLate: undefined },
        update: undefined,
        bootSet: undefined,
        // The host was used since, so earlier erasures no longer count.
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
    // After a failure nothing more is done to the host until an operator acts, since a wrong guess
    // would harm the next owner.
    const { step, message } = failure;
    const quarantine = { since: at, reason: message, ...(step && { step }) };
    return withServer({ ...host, failure }, { ...atRest, quarantine });
  },
  placeOf: ({ spec }) => ({ kind: "hub", id: spec.hub }),
};

/** The host without the request that this saga fulfilled. */
function withoutWish(host: Host, saga: string): Host {
  const { reinstall, firmware_update, ...rest } = host;
  return {
    ...rest,
    ...(reinstall && saga !== hostSagas.provision && { reinstall }),
    ...(firmware_update && saga !== hostSagas.update_firmware && { firmware_update }),
  };
}
