import { addServerWithDpus } from "../dpus.ts";
import { withServers } from "../instances.ts";
import { untilHost } from "../managed-hosts.ts";
import { atRest, networkWithSubnet, orderOf } from "../networks.ts";
import { withOverlay } from "../overlay.ts";
import type { Site } from "../site.ts";
import { accepted } from "./cluster-worlds.ts";
import { instances, runningServer, withGroup } from "./instances.ts";
import type { NetworkChange } from "./networks.ts";

/** What is asked of tenants' servers, where DPUs make their networks. */

/** Two free hosts with two DPUs each, and two subnets of an overlay. */
async function twoHosts(site: Site): Promise<string> {
  await withServers(site);
  await withOverlay(site);
  const { network } = await networkWithSubnet(site);
  const spec = { virtual_network: network, ipv4_cidr: "10.20.2.0/24" };
  await atRest(site, "subnets", await orderOf(site, "subnets", "shop-back", spec));
  const hosts: string[] = [];
  for (const number of [1, 2]) hosts.push((await addServerWithDpus(site, number)).host);
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  return network;
}

async function aServer(site: Site): Promise<string> {
  await twoHosts(site);
  return runningServer(site);
}

async function aServerAndAGroup(site: Site): Promise<string> {
  await withGroup(site, await twoHosts(site));
  return runningServer(site);
}

/** A change that servers without DPUs go through as well, from where `before` brings a site. */
function onDpus(saga: string, name: string, before: NetworkChange["before"]): NetworkChange {
  const change = instances[saga]?.[name];
  if (!change) throw new Error(`servers without DPUs have no change '${name}' of ${saga}`);
  return { ...change, before, systems: ["hub", "bmc"] };
}

const large = (change: NetworkChange): NetworkChange => ({ ...change, isLarge: true });

/** Deletes a server in another way than its tenant's plain request. */
const deletedBy = (ask: (site: Site, id: string) => Promise<void>): NetworkChange =>
  large({
    ...onDpus("instance-release", "a server", aServer),
    async start(site, id) {
      await ask(site, id);
      return id;
    },
  });

export const instancesOnDpus: Record<string, Record<string, NetworkChange>> = {
  "instance-provision": {
    "a server with DPUs": onDpus("instance-provision", "a server", twoHosts),
    "one with DPUs in two subnets": large(
      onDpus("instance-provision", "a server in two subnets", twoHosts),
    ),
  },
  "instance-networking": {
    "other security groups of a server with DPUs": onDpus(
      "instance-networking",
      "other security groups",
      aServerAndAGroup,
    ),
    "another subnet of a server with DPUs": onDpus(
      "instance-networking",
      "another subnet",
      aServer,
    ),
  },
  "instance-restart": {
    "a restart of a server with DPUs": onDpus("instance-restart", "a restart", aServer),
  },
  "instance-reinstall": {
    "the same image on a server with DPUs": onDpus("instance-reinstall", "the same image", aServer),
  },
  "instance-release": {
    "a server with DPUs": onDpus("instance-release", "a server", aServer),
    "one with DPUs, by force": deletedBy(async (site, id) => {
      accepted(await site.admin("POST", `baremetal_instances/${id}/force`, {}));
    }),
    "one with DPUs, with an issue": deletedBy(async (site, id) => {
      const issue = { category: "network", summary: "the links flap" };
      accepted(await site.api("POST", `baremetal_instances/${id}/release`, { issue }));
    }),
  },
};
