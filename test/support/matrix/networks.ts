import { expect } from "vitest";
import { sagas } from "../../../statemachines/index.ts";
import { wrongInBooks } from "../books.ts";
import {
  atRest,
  natOf,
  networkWithIp,
  networkWithSubnet,
  orderOf,
  readyNetwork,
  withNetworks,
  withOutsidePool,
} from "../networks.ts";
import { siteAfter } from "../save-site.ts";
import { type Answer, openSite, type Site, type Wire } from "../site.ts";
import { attachments } from "./attachments.ts";
import { accepted } from "./cluster-worlds.ts";
import { onHub } from "./hub-networks.ts";
import { instances } from "./instances.ts";
import { instancesOnDpus } from "./instances-on-dpus.ts";
import { inOverlays } from "./overlays.ts";
import { seenIn } from "./seen.ts";
import type { Change, End, Stage, Subject } from "./stage.ts";
import { withFaultAt } from "./with-fault.ts";

/** The sagas of tenants' networks, and of servers in them, in the matrix: through the API, on a site with a simulated fabric. */

export interface NetworkChange {
  collection: string;
  /** The systems that it works on; the fabric alone unless told. */
  systems?: readonly string[];
  /** Brings a site to where the saga can start, and answers the object that what is ordered is a part of, or that is deleted. */
  before(site: Site): Promise<string>;
  /** Has the saga start, and answers its target. */
  start(site: Site, id: string): Promise<string>;
  /** Orders another one beside the target. */
  beside(site: Site, id: string): Promise<string>;
  deletes?: true;
  /** Asks for other rules; absent for what never changes. */
  wish?(site: Site, id: string): Promise<Answer>;
  /** What the state of the target is like; READY, or FAILED where it is undone, unless told. */
  states?: { done: RegExp; undone: RegExp };
  /** What else is to be so at the end. */
  expect?(site: Site, id: string, end: End): Promise<void>;
  /** Why what has failed is not asked for once more. */
  notAgain?: string;
  /** It takes far longer than others. */
  isLarge?: true;
  /** It brings about a version of rules: once that applies there is nothing to retry, though the step has failed. */
  appliesRules?: true;
}

const subnetOf = (site: Site, network: string, number: number): Promise<string> =>
  orderOf(site, "subnets", `subnet-${number}`, {
    virtual_network: network,
    ipv4_cidr: `10.20.${number}.0/24`,
    ipv6_cidr: `fd00:20:0:${number}::/64`,
  });

const networkNamed = (site: Site, name: string): Promise<string> =>
  orderOf(site, "virtual_networks", name, {
    ipv4_cidr: "10.20.0.0/16",
    ipv6_cidr: "fd00:20::/48",
  });

async function classOnly(site: Site): Promise<string> {
  await withNetworks(site);
  return "";
}

const prefix_pools = {
  ipv4: { cidrs: ["10.20.0.0/14"], length: 16 },
  ipv6: { cidrs: ["fd00::/32"], length: 48 },
};

async function classWithPools(site: Site): Promise<string> {
  await withNetworks(site, { prefix_pools });
  return "";
}

const networkFromPool = (site: Site, name: string): Promise<string> =>
  orderOf(site, "virtual_networks", name, {});

async function aNetworkFromPool(site: Site): Promise<string> {
  await classWithPools(site);
  const id = await networkFromPool(site, "shop");
  expect((await atRest(site, "virtual_networks", id)).status.state).toMatch(/_READY$/);
  return id;
}

async function overlayClass(site: Site): Promise<string> {
  accepted(
    await site.admin("POST", "network_classes", {
      metadata: { name: "overlay" },
      implementation_strategy: "overlay",
      is_default: true,
      spec: { vni_range: { first: 5000, last: 5999 } },
    }),
  );
  return "";
}

async function aNetworkOfOverlay(site: Site): Promise<string> {
  await overlayClass(site);
  return readyNetwork(site, "shop");
}

async function aNetwork(site: Site): Promise<string> {
  await withNetworks(site);
  return readyNetwork(site, "shop");
}

async function aSubnet(site: Site): Promise<string> {
  await withNetworks(site);
  return (await networkWithSubnet(site)).subnet;
}

const web = { protocol: "PROTOCOL_TCP", port_from: 443, port_to: 443, ipv4_cidr: "0.0.0.0/0" };

const groupOf = (site: Site, network: string, name: string): Promise<string> =>
  orderOf(site, "security_groups", name, {
    virtual_network: network,
    ingress: [web, { protocol: "PROTOCOL_ALL", security_group: name }],
    egress: [web],
  });

async function aGroup(site: Site): Promise<string> {
  const id = await groupOf(site, await aNetwork(site), "web");
  expect((await atRest(site, "security_groups", id)).status.state).toMatch(/_READY$/);
  return id;
}

async function anotherGroup(site: Site): Promise<string> {
  const { items } = (await site.api("GET", "virtual_networks")).body;
  return groupOf(site, items[0].id, "other");
}

/** Two networks, each with an external IP. */
async function twoWithIps(site: Site): Promise<string> {
  await withNetworks(site);
  await withOutsidePool(site);
  for (const name of ["shop", "other"]) await networkWithIp(site, name);
  return "";
}

async function aNatGateway(site: Site): Promise<string> {
  await twoWithIps(site);
  const id = await natOf(site, "shop");
  expect((await atRest(site, "nat_gateways", id)).status.state).toMatch(/_READY$/);
  return id;
}

const otherRules = (site: Site, id: string): Promise<Answer> =>
  site.api("PATCH", `security_groups/${id}`, {
    spec: { ingress: [{ ...web, port_from: 80, port_to: 80 }] },
  });

const remove = (collection: string) => async (site: Site, id: string) => {
  accepted(await site.api("DELETE", `${collection}/${id}`));
  return id;
};

const changes: Record<string, Record<string, NetworkChange>> = {
  "virtual-network-create": {
    "a network of an overlay": {
      collection: "virtual_networks",
      before: overlayClass,
      start: (site) => networkNamed(site, "shop"),
      beside: (site) => networkNamed(site, "other"),
    },
    "a network": {
      collection: "virtual_networks",
      before: classOnly,
      start: (site) => networkNamed(site, "shop"),
      beside: (site) => networkNamed(site, "other"),
    },
    "a network with prefixes of its class": {
      collection: "virtual_networks",
      before: classWithPools,
      start: (site) => networkFromPool(site, "shop"),
      beside: (site) => networkFromPool(site, "other"),
    },
  },
  "virtual-network-delete": {
    "a network of an overlay": {
      collection: "virtual_networks",
      before: aNetworkOfOverlay,
      start: remove("virtual_networks"),
      beside: (site) => networkNamed(site, "other"),
      deletes: true,
    },
    "a network": {
      collection: "virtual_networks",
      before: aNetwork,
      start: remove("virtual_networks"),
      beside: (site) => networkNamed(site, "other"),
      deletes: true,
    },
    "a network with prefixes of its class": {
      collection: "virtual_networks",
      before: aNetworkFromPool,
      start: remove("virtual_networks"),
      beside: (site) => networkFromPool(site, "other"),
      deletes: true,
    },
  },
  "subnet-create": {
    "a subnet of an overlay": {
      collection: "subnets",
      before: aNetworkOfOverlay,
      start: (site, network) => subnetOf(site, network, 1),
      beside: (site, network) => subnetOf(site, network, 2),
    },
    "a subnet": {
      collection: "subnets",
      before: aNetwork,
      start: (site, network) => subnetOf(site, network, 1),
      beside: (site, network) => subnetOf(site, network, 2),
    },
    "a subnet that names no prefix": {
      collection: "subnets",
      before: aNetworkFromPool,
      start: (site, network) => orderOf(site, "subnets", "web", { virtual_network: network }),
      beside: (site, network) => orderOf(site, "subnets", "back", { virtual_network: network }),
    },
  },
  "security-group-create": {
    "a group": {
      collection: "security_groups",
      before: aNetwork,
      start: (site, network) => groupOf(site, network, "web"),
      beside: (site, network) => groupOf(site, network, "other"),
      wish: otherRules,
    },
  },
  "security-group-apply": {
    "changed rules": {
      collection: "security_groups",
      before: aGroup,
      async start(site, id) {
        accepted(await otherRules(site, id));
        return id;
      },
      beside: anotherGroup,
      wish: (site, id) => site.api("PATCH", `security_groups/${id}`, { spec: { egress: [] } }),
      appliesRules: true,
    },
  },
  "security-group-delete": {
    "a group": {
      collection: "security_groups",
      before: aGroup,
      start: remove("security_groups"),
      beside: anotherGroup,
      deletes: true,
    },
  },
  "nat-gateway-create": {
    "a way out": {
      collection: "nat_gateways",
      before: twoWithIps,
      start: (site) => natOf(site, "shop"),
      beside: (site) => natOf(site, "other"),
    },
  },
  "nat-gateway-delete": {
    "a way out": {
      collection: "nat_gateways",
      before: aNatGateway,
      start: remove("nat_gateways"),
      beside: (site) => natOf(site, "other"),
      deletes: true,
    },
  },
  "subnet-delete": {
    "a subnet": {
      collection: "subnets",
      before: aSubnet,
      start: remove("subnets"),
      beside: async (site, id) => {
        const { items } = (await site.api("GET", "virtual_networks")).body;
        expect(id).not.toBe("");
        return subnetOf(site, items[0].id, 2);
      },
      deletes: true,
    },
  },
};

export const networks: Subject = {
  sagas,
  changes: Object.fromEntries(
    Object.entries({ ...inOverlays, ...changes, ...attachments, ...instances, ...onHub }).map(
      ([saga, ofSaga]) => [
        saga,
        Object.fromEntries(
          Object.entries({ ...ofSaga, ...instancesOnDpus[saga], ...inOverlays[saga] }).map(
            ([name, change]) => [name, staged(change)],
          ),
        ),
      ],
    ),
  ),
};

function staged(change: NetworkChange): Change {
  return {
    again: change.deletes ? "a deletion is not asked for again" : (change.notAgain ?? true),
    ...(change.appliesRules && {
      notAfterLast: "the version of the rules that is asked for applies",
    }),
    ...(change.isLarge && { isLarge: true }),
    ...(!change.wish && { never: { "a new wish": "what it was ordered with never changes" } }),
    async open(options) {
      const { site, brought } = await siteAfter(change.before, options);
      return stageOn(site, change, brought);
    },
  };
}

const usual = { done: /_READY$/, undone: /_FAILED$/ };

function stageOn(site: Site, change: NetworkChange, brought: string): Stage {
  const { collection, deletes, systems = ["fabric"], states = usual } = change;
  const refuse = (): never => {
    throw new Error("a network cannot be asked for this");
  };
  const isGone = (end: End) => end === "gone" || (deletes === true && end === "done");
  return {
    laptop: site.laptop,
    start: () => change.start(site, brought),
    async orderNeighbour() {
      const id = await change.beside(site, brought);
      return {
        id,
        async expectMade() {
          expect((await atRest(site, collection, id)).status.state).toMatch(states.done);
        },
      };
    },
    putAside() {
      const from = site.saved();
      return async (options) => stageOn(await openSite({ ...options, from }), change, brought);
    },
    async newest(id) {
      const { body } = await site.api("GET", "operations");
      const found = body.items.findLast(
        ({ spec }: Wire) => id === undefined || spec.target.id === id,
      );
      return found && seenIn(found);
    },
    operation: async (id) => seenIn((await site.api("GET", `operations/${id}`)).body),
    async cancel(operation) {
      return (await site.api("POST", `operations/${operation}/cancel`)).status === 200;
    },
    async resume(operation) {
      accepted(await site.api("POST", `operations/${operation}/resume`));
    },
    async remove(id) {
      accepted(await site.api("DELETE", `${collection}/${id}`));
    },
    wish: async (id) => (await (change.wish ?? refuse)(site, id)).status === 200,
    again: async (id) => void accepted(await site.api("POST", `${collection}/${id}/retry`)),
    withFault: withFaultAt(site, systems),
    async wrong() {
      // A server does not wait for the address that has come with it.
      for (const { id, metadata } of (await site.api("GET", "external_ip_attachments")).body.items)
        if (metadata.labels["osac.openshift.io/auto-created"])
          await atRest(site, "external_ip_attachments", id);
      return wrongInBooks(site);
    },
    async expectEnd(id, end) {
      const { status, body } = await site.api("GET", `${collection}/${id}`);
      if (isGone(end)) return expect(status).toBe(404);
      const { state, wanted_version: wanted, applied_version: applied } = body.status;
      // Rules that were applied before their change was cancelled apply.
      const isUndone = end === "undone" && (applied === undefined || applied !== wanted);
      expect(state).toMatch(isUndone ? states.undone : states.done);
      if (end === "undone") expect(body.status.message).not.toBe("");
      await change.expect?.(site, id, end);
    },
  };
}
