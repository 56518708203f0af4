import { expect } from "vitest";
import { addServerWithDpus } from "../dpus.ts";
import { orderServer, withServers } from "../instances.ts";
import { untilHost } from "../managed-hosts.ts";
import { atRest, natOf, networkWithIp, networkWithSubnet, orderOf } from "../networks.ts";
import { withOutsideOfDpus, withOverlay } from "../overlay.ts";
import type { Site, Wire } from "../site.ts";
import { accepted } from "./cluster-worlds.ts";
import type { NetworkChange } from "./networks.ts";

/** What leads into the networks of DPUs, and out of them, in the matrix. */

/** Two servers in a network, another network, and two external IPs that DPUs announce. */
async function twoServers(site: Site): Promise<string> {
  await withServers(site);
  await withOverlay(site);
  await withOutsideOfDpus(site);
  await networkWithSubnet(site);
  await orderOf(site, "external_ips", "shop", { pool: "outside" });
  await networkWithIp(site, "other");
  const hosts: string[] = [];
  for (const number of [1, 2]) hosts.push((await addServerWithDpus(site, number)).host);
  for (const id of hosts) await untilHost(site, id, "AVAILABLE");
  for (const name of ["shop", "other"]) {
    const id = await orderServer(site, name);
    expect((await atRest(site, "baremetal_instances", id)).status.state).toMatch(/_RUNNING$/);
  }
  return "";
}

const attach = (site: Site, name: string): Promise<string> =>
  orderOf(site, "external_ip_attachments", name, { external_ip: name, baremetal_instance: name });

const orders = { nat_gateways: natOf, external_ip_attachments: attach };

/** The order of it, and its deletion. */
function changesOf(collection: keyof typeof orders): [NetworkChange, NetworkChange] {
  const order = orders[collection];
  const both = {
    ...{ collection, systems: ["bmc"], isLarge: true as const },
    beside: (site: Site) => order(site, "other"),
  };
  return [
    { ...both, before: twoServers, start: (site) => order(site, "shop") },
    {
      ...both,
      async before(site) {
        await twoServers(site);
        const id = await order(site, "shop");
        expect((await atRest(site, collection, id)).status.state).toMatch(/_READY$/);
        return id;
      },
      async start(site, id) {
        accepted(await site.api("DELETE", `${collection}/${id}`));
        return id;
      },
      deletes: true,
    },
  ];
}

/** Has the provider ask for the repair of a server's host, and the tenant consent. */
async function repair(
  site: Site,
  name: string,
  wish: "reprovision" | "update_firmware",
): Promise<string> {
  const servers = (await site.api("GET", "baremetal_instances")).body.items;
  const { id } = servers.find(({ metadata }: Wire) => metadata.name === name);
  const hosts = (await site.admin("GET", "hosts")).body.items;
  const { id: host } = hosts.find(({ status }: Wire) => status.owner?.id === id);
  accepted(await site.admin("POST", `hosts/${host}/${wish}`));
  accepted(await site.api("POST", `baremetal_instances/${id}/maintenance`, { consent: "now" }));
  return id;
}

const repairBy = (wish: Parameters<typeof repair>[2]): NetworkChange => ({
  ...{ collection: "baremetal_instances", systems: ["bmc"], isLarge: true },
  states: { done: /_RUNNING$/, undone: /_(RUNNING|STOPPED)$/ },
  before: twoServers,
  start: (site) => repair(site, "shop", wish),
  beside: (site) => repair(site, "other", wish),
  notAgain: "a repair that failed is consented to once more",
});

const [open, close] = changesOf("nat_gateways");
const [lead, turnBack] = changesOf("external_ip_attachments");

export const inOverlays: Record<string, Record<string, NetworkChange>> = {
  "instance-repair": {
    "of a server with DPUs": repairBy("reprovision"),
    "of the firmware of a server": {
      ...repairBy("update_firmware"),
      async before(site) {
        const brought = await twoServers(site);
        const [type] = (await site.admin("GET", "host_types")).body.items.filter(
          ({ hardware }: Wire) => hardware?.dpus !== undefined,
        );
        const image = "https://firmware.test/bios-2.1.6.bin";
        const firmware = [{ component: "bios", version: "2.1.6", image }];
        accepted(await site.admin("PATCH", `host_types/${type.id}`, { firmware }));
        return brought;
      },
    },
  },
  "nat-gateway-create": { "a way out of an overlay": open },
  "nat-gateway-delete": { "a way out of an overlay": close },
  "external-ip-attachment-create": { "at a server with DPUs": lead },
  "external-ip-attachment-delete": { "from a server with DPUs": turnBack },
};
