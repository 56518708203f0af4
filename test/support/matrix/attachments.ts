import { attached, externalIp, withOutside } from "../external-ips.ts";
import { orderServer, siteWithServers } from "../instances.ts";
import { atRest, orderOf, withOutsidePool } from "../networks.ts";
import type { Site } from "../site.ts";
import { accepted, ready, readyInSubnet } from "./cluster-worlds.ts";
import type { NetworkChange } from "./networks.ts";

/** The sagas of external IPs at the endpoints of a cluster, and at servers. */

const collection = "external_ip_attachments";

const attachTo = (site: Site, external_ip: string, endpoint: string): Promise<string> =>
  orderOf(site, collection, external_ip, {
    external_ip,
    cluster: "c1",
    target_endpoint: `EXTERNAL_IP_ATTACHMENT_ENDPOINT_${endpoint}`,
  });

/** A cluster that is READY, and two external IPs. */
const free =
  (cluster: (site: Site) => Promise<string>) =>
  async (site: Site): Promise<string> => {
    await cluster(site);
    await withOutside(site);
    for (const name of ["front", "other"]) await externalIp(site, name);
    return "";
  };

const one =
  (cluster: (site: Site) => Promise<string>) =>
  async (site: Site): Promise<string> => {
    await free(cluster)(site);
    return (await attached(site, "front", "front")).id;
  };

const systems = ["fabric", "dns"] as const;
const beside = (site: Site): Promise<string> => attachTo(site, "other", "INGRESS");

const create = (cluster: (site: Site) => Promise<string>): NetworkChange => ({
  collection,
  systems,
  before: free(cluster),
  start: (site) => attachTo(site, "front", "API"),
  beside,
});

const remove = (cluster: (site: Site) => Promise<string>): NetworkChange => ({
  collection,
  systems,
  before: one(cluster),
  async start(site, id) {
    accepted(await site.api("DELETE", `${collection}/${id}`));
    return id;
  },
  beside,
  deletes: true,
});

const attachToServer = (site: Site, external_ip: string, server: string): Promise<string> =>
  orderOf(site, collection, external_ip, { external_ip, baremetal_instance: server });

/** Two servers of a tenant, and two external IPs. */
async function twoServers(site: Site): Promise<string> {
  await siteWithServers(site, 2);
  await withOutsidePool(site);
  for (const name of ["front", "other"]) {
    await externalIp(site, name);
    await atRest(site, "baremetal_instances", await orderServer(site, `of-${name}`));
  }
  return "";
}

const ofServers = {
  ...{ collection, systems },
  beside: (site: Site) => attachToServer(site, "other", "of-other"),
};

export const attachments: Record<string, Record<string, NetworkChange>> = {
  "external-ip-attachment-create": {
    "at an API": create(ready),
    "in a tenant's subnet": create(readyInSubnet),
    "at a server": {
      ...ofServers,
      before: twoServers,
      start: (site) => attachToServer(site, "front", "of-front"),
    },
  },
  "external-ip-attachment-delete": {
    "from an API": remove(ready),
    "in a tenant's subnet": remove(readyInSubnet),
    "from a server": {
      ...ofServers,
      async before(site) {
        await twoServers(site);
        const id = await attachToServer(site, "front", "of-front");
        await atRest(site, collection, id);
        return id;
      },
      async start(site, id) {
        accepted(await site.api("DELETE", `${collection}/${id}`));
        return id;
      },
      deletes: true,
    },
  },
};
