import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { BareMetalServer, ServerObservation } from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { serverOf } from "../../../core/resources/host/server.ts";
import { mintToken } from "../../../core/resources/machine/tokens.ts";
import { urlsOf } from "../../../core/resources/machine/urls.ts";
import { machinesAt } from "../dpu/site.ts";
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
  set: bootFromNetwork,
  isSet: ({ nextBoot }) => nextBoot?.from === "http",
  again: bootFromNetwork,
};

async function bootFromNetwork(
  server: BareMetalServer,
  host: Host,
  context: StepContext<Host>,
): Promise<void> {
  await server.bootOnce({ from: "http", url: await loaderFor(host, context) });
}

/** Each start has a token of its own. */
async function loaderFor(host: Host, context: StepContext<Host>): Promise<string> {
  const { site, machines } = await machinesAt(context.deps, host.spec);
  const { number } = serverOf(host).boot ?? { number: 1 };
  const operation = `${context.operation.id}#${number}`;
  const machine = { kind: host.kind, id: host.id };
  const token = await mintToken(
    context.deps,
    { machine, serves: machine, operation, site: site.id },
    context,
  );
  return urlsOf(machines.url, token).loader;
}
