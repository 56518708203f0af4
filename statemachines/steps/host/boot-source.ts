import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { BareMetalServer, ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { serverOf } from "../../../core/resources/host/server.ts";
import { bootFromNetwork } from "../machine/boot-from-network.ts";
import { isSetToDiscover, setToDiscover } from "./server.ts";

/** Where a server gets its discovery image from. */
export interface BootSource {
  /** Has the server boot it when it is switched on next. */
  set(server: BareMetalServer, host: Host, context: StepContext<Host>): Promise<void>;
  isSet(seen: ServerObservation): boolean;
  /** Asks once more a controller that has accepted it and does not show it. */
  again(
    server: BareMetalServer,
    host: Host,
    context: StepContext<Host>,
    seen: ServerObservation,
  ): Promise<void>;
}

/** The virtual drive of its controller. */
export const fromMedia: BootSource = {
  set: setToDiscover,
  isSet: isSetToDiscover,
  async again(server, _, __, seen) {
    if (seen.media !== undefined) await server.bootOnce({ from: "media" });
  },
};

/** The site controller, over the network of hosts that nobody has. */
export const fromNetwork: BootSource = {
  set: bootHost,
  isSet: ({ nextBoot }) => nextBoot?.from === "http",
  again: bootHost,
};

/** Each start has a token of its own. */
async function bootHost(
  server: BareMetalServer,
  host: Host,
  context: StepContext<Host>,
): Promise<void> {
  const { number } = serverOf(host).boot ?? { number: 1 };
  const machine = { kind: host.kind, id: host.id };
  const use = { machine, serves: machine, operation: `${context.operation.id}#${number}` };
  await bootFromNetwork(server, host.spec, use, context);
}
