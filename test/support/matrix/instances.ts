import { expect } from "vitest";
import { withOutside } from "../external-ips.ts";
import { orderBatch, orderServer, serverOf, siteWithServers } from "../instances.ts";
import { atRest, orderOf } from "../networks.ts";
import type { Site, Wire } from "../site.ts";
import { accepted } from "./cluster-worlds.ts";
import type { NetworkChange } from "./networks.ts";
import type { End } from "./stage.ts";

/** The sagas of tenants' servers in the matrix. */

const collection = "baremetal_instances";
const systems = ["hub", "fabric", "bmc"] as const;
const states = { done: /_RUNNING$/, undone: /_FAILED$/ };
/** What failed on a server leaves it on or off, and its state says which. */
const either = /_(RUNNING|STOPPED)$/;

/** Two servers are there, and a second subnet. */
const twoServers = (site: Site): Promise<string> => servers(site, 2);

async function servers(site: Site, count: number): Promise<string> {
  const { network } = await siteWithServers(site, count);
  const spec = { virtual_network: network, ipv4_cidr: "10.20.2.0/24" };
  await atRest(site, "subnets", await orderOf(site, "subnets", "shop-back", spec));
  return network;
}

const withIp = { auto_external_ip_attachment: true };

async function twoServersAndAddresses(site: Site): Promise<string> {
  await withOutside(site);
  return twoServers(site);
}

async function aServerWithIp(site: Site): Promise<string> {
  await twoServersAndAddresses(site);
  const id = await orderServer(site, "db-1", withIp);
  await atRest(site, collection, id);
  const [{ id: attachment }] = (await site.api("GET", "external_ip_attachments")).body.items;
  await atRest(site, "external_ip_attachments", attachment);
  return id;
}

async function aServer(site: Site): Promise<string> {
  await twoServers(site);
  return runningServer(site);
}

/** Orders a server, and answers its id once it runs. */
export async function runningServer(site: Site): Promise<string> {
  const id = await orderServer(site, "db-1");
  expect((await atRest(site, collection, id)).status.state).toMatch(states.done);
  return id;
}

async function aServerAndAGroup(site: Site): Promise<string> {
  await withGroup(site, await twoServers(site));
  return runningServer(site);
}

/** Has a group in a network that lets everything in. */
export async function withGroup(site: Site, network: string): Promise<void> {
  const ingress = [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }];
  const group = await orderOf(site, "security_groups", "web", {
    virtual_network: network,
    ingress,
  });
  await atRest(site, "security_groups", group);
}

const inTwoSubnets = {
  network_attachments: [
    { subnet: "shop-web", interface: "eno1", primary: true },
    { subnet: "shop-back", interface: "eno2" },
  ],
};

/** Changes a server, and answers its id. */
async function changed(site: Site, id: string, spec: object): Promise<string> {
  accepted(await site.api("PATCH", `${collection}/${id}`, { spec }));
  return id;
}

const another = (site: Site): Promise<string> => orderServer(site, "db-2");

/** A server is in the subnet that it was to move to, or where it was. */
async function expectSubnets(site: Site, id: string, end: End): Promise<void> {
  const { spec, status } = await serverOf(site, id);
  const names = spec.network_attachments.map(({ subnet }: Wire) => subnet.name);
  expect(names).toEqual(end === "done" ? ["shop-back"] : ["shop-web"]);
  expect(status.network_attachment_statuses).toEqual([
    expect.objectContaining({
      subnet_ref: spec.network_attachments[0].subnet.id,
      ip_address: expect.stringMatching(end === "done" ? /^10\.20\.2\./ : /^10\.20\.1\./),
    }),
  ]);
}

/** The groups of a server are those that were asked for, or those that it had. */
async function expectGroups(site: Site, id: string, end: End): Promise<void> {
  const [attachment] = (await serverOf(site, id)).spec.network_attachments;
  const names = attachment.security_groups.map(({ name }: { name: string }) => name);
  expect(names).toEqual(end === "done" ? ["web"] : []);
}

export const instances: Record<string, Record<string, NetworkChange>> = {
  "instance-provision": {
    "a server": {
      ...{ collection, systems, states },
      before: twoServers,
      start: (site) => orderServer(site, "db-1", { user_data: "#cloud-config\n{}\n" }),
      beside: another,
    },
    "a server in two subnets": {
      ...{ collection, systems, states },
      before: twoServers,
      start: (site) => orderServer(site, "db-1", inTwoSubnets),
      beside: another,
    },
    "the first of two at once": {
      ...{ collection, systems, states },
      before: (site) => servers(site, 3),
      async start(site) {
        const [first = ""] = await orderBatch(site, ["db-1", "db-2"]);
        return first;
      },
      beside: (site) => orderServer(site, "db-3"),
    },
    "a server with an external IP": {
      ...{ collection, systems, states },
      before: twoServersAndAddresses,
      start: (site) => orderServer(site, "db-1", withIp),
      beside: (site) => orderServer(site, "db-2", withIp),
    },
  },
  "instance-networking": {
    "other security groups": {
      ...{ collection, systems },
      states: { done: states.done, undone: states.done },
      before: aServerAndAGroup,
      async start(site, id) {
        const network_attachments = [{ subnet: "shop-web", security_groups: ["web"] }];
        return changed(site, id, { network_attachments });
      },
      beside: another,
      expect: expectGroups,
      notAgain: "a change that failed is asked for by another change",
    },
    "another subnet": {
      ...{ collection, systems },
      states: { done: states.done, undone: states.done },
      before: aServer,
      start: (site, id) => changed(site, id, { network_attachments: [{ subnet: "shop-back" }] }),
      beside: another,
      expect: expectSubnets,
      notAgain: "a change that failed is asked for by another change",
    },
  },
  "instance-restart": {
    "a restart": {
      ...{ collection, systems: ["bmc"] },
      states: { done: states.done, undone: either },
      before: aServer,
      start: (site, id) => changed(site, id, { restart_trigger: 1 }),
      beside: another,
      notAgain: "a restart that failed is asked for by another one",
    },
    "a shutdown": {
      ...{ collection, systems: ["bmc"] },
      states: { done: /_STOPPED$/, undone: either },
      before: aServer,
      start: (site, id) =>
        changed(site, id, { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" }),
      beside: (site) =>
        orderServer(site, "db-2", { run_strategy: "BARE_METAL_INSTANCE_RUN_STRATEGY_HALTED" }),
      notAgain: "a shutdown that failed is asked for by another change",
    },
  },
  "instance-reinstall": {
    "the same image": {
      ...{ collection, systems: ["bmc"] },
      states: { done: states.done, undone: either },
      before: aServer,
      async start(site, id) {
        accepted(await site.api("POST", `${collection}/${id}/reinstall`));
        return id;
      },
      beside: another,
      notAgain: "an installation that failed is asked for by another one",
    },
  },
  "instance-release": {
    "a server": {
      ...{ collection, systems, states },
      before: aServer,
      async start(site, id) {
        accepted(await site.api("DELETE", `${collection}/${id}`));
        return id;
      },
      beside: another,
      deletes: true,
    },
    "a server with an external IP": {
      ...{ collection, systems, states },
      before: aServerWithIp,
      async start(site, id) {
        accepted(await site.api("DELETE", `${collection}/${id}`));
        return id;
      },
      beside: another,
      deletes: true,
    },
  },
};
