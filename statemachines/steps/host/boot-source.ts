import { load, mustLoad } from "../../../core/kernel/object/records.ts";
import type { StepContext } from "../../../core/kernel/saga/context.ts";
import { namesService } from "../../../core/ports/bare-metal/address.ts";
import type { BareMetalServer } from "../../../core/ports/bare-metal/server.ts";
import type { Host } from "../../../core/resources/host/model.ts";
import { serverOf } from "../../../core/resources/host/server.ts";
import { bootFromNetwork, isSetToNetwork } from "../machine/boot-from-network.ts";
import type { BootSource } from "../machine/reboot-rule.ts";
import { isSetToDiscover, setToDiscover } from "./server.ts";

/** Where a server gets its discovery image from. */
type ImageSource = (server: BareMetalServer, host: Host, context: StepContext<Host>) => BootSource;

/**
 * The source of a host's discovery image: the network if the host has DPUs or its site says so, otherwise the
 * virtual drive.
 */
export async function bootSourceOf(
  { spec }: Host,
  { deps }: StepContext<Host>,
): Promise<ImageSource> {
  if (spec.dpus !== undefined) return fromNetwork;
  if (namesService(spec.bmc.address)) return fromMedia;
  const { site: id } = (await mustLoad(deps, "hub", spec.hub)).spec;
  const site = id === undefined ? undefined : await load(deps, "site", id);
  return site?.spec.machines?.discovery_boot === "network" ? fromNetwork : fromMedia;
}

/** The virtual drive of its controller. */
const fromMedia: ImageSource = (server, host, context) => ({
  set: () => setToDiscover(server, host, context),
  isSet: isSetToDiscover,
  // Not repeated, because some services would begin to insert the image again.
  async again({ media }) {
    if (media !== undefined) await server.bootOnce({ from: "media" });
  },
});

/** The site controller, over the network of free hosts. Each start has its own token. */
const fromNetwork: ImageSource = (server, host, context) => {
  const { number } = serverOf(host).boot ?? { number: 1 };
  const machine = { kind: host.kind, id: host.id };
  const use = { machine, serves: machine, operation: `${context.operation.id}#${number}` };
  const set = () => bootFromNetwork(server, host.spec, use, context);
  return { set, isSet: isSetToNetwork, again: set };
};
