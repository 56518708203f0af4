import type { StepContext } from "../../../core/kernel/saga/context.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { serverOf } from "../../../core/resources/host/server.ts";
import { bootFromNetwork, isSetToNetwork } from "../machine/boot-from-network.ts";
import type { BootSource } from "../machine/reboot-rule.ts";
import { isSetToDiscover, setToDiscover } from "./server.ts";

/** Where a server gets its discovery image from. */
export type ImageSource = (
  server: BareMetalServer,
  host: Host,
  context: StepContext<Host>,
) => BootSource;

/** The virtual drive of its controller. */
export const fromMedia: ImageSource = (server, host, context) => ({
  set: () => setToDiscover(server, host, context),
  isSet: isSetToDiscover,
  // A service may still be inserting it; asked again, some would begin anew.
  async again({ media }) {
    if (media !== undefined) await server.bootOnce({ from: "media" });
  },
});

/** The site controller, over the network of hosts that nobody has. Each start has a token of its own. */
export const fromNetwork: ImageSource = (server, host, context) => {
  const { number } = serverOf(host).boot ?? { number: 1 };
  const machine = { kind: host.kind, id: host.id };
  const use = { machine, serves: machine, operation: `${context.operation.id}#${number}` };
  const set = () => bootFromNetwork(server, host.spec, use, context);
  return { set, isSet: isSetToNetwork, again: set };
};
