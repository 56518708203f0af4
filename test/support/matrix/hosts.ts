import { expect } from "vitest";
import { hostSagas } from "../../../core/resources/host/sagas.ts";
import { sagas } from "../../../statemachines/index.ts";
import { wrongInBooks } from "../books.ts";
import { addServerWithDpus } from "../dpus.ts";
import { withServers } from "../instances.ts";
import { addNode, addNodeHost, withIronic } from "../ironic-hosts.ts";
import {
  addServer,
  bootFromNetwork,
  hostOf,
  metal,
  untilHost,
  withMetal,
} from "../managed-hosts.ts";
import { addServerByMetal3 } from "../metal3-hosts.ts";
import { networkWithSubnet } from "../networks.ts";
import { withOverlay } from "../overlay.ts";
import { siteAfter } from "../save-site.ts";
import { openSite, type Site, type Wire } from "../site.ts";
import { accepted } from "./cluster-worlds.ts";
import { runningServer } from "./instances.ts";
import { seenIn } from "./seen.ts";
import type { Change, End, Stage, Subject } from "./stage.ts";
import { withFaultAt } from "./with-fault.ts";

/** The sagas of hosts in the matrix: through the API, on a site with simulated servers. */

interface HostChange {
  /** Brings a site to where the saga can start, and answers the host if there is one. */
  before(site: Site): Promise<string>;
  /** Has the saga start, and answers the host. */
  start(site: Site, id: string): Promise<string>;
  /** Has one more server discovered where none would be. */
  forNeighbour?(site: Site): Promise<void>;
  /** The state of the host when the saga has succeeded. */
  done: string;
  /** Another saga begins by itself then. */
  isFollowed?: true;
}

/** What manages the servers: their own controllers, or a service. */
interface Service {
  /** Gives a site the service. */
  before(site: Site): Promise<void>;
  /** Puts the server of this number into the world, and registers it as a host. Answers the host's id. */
  add(site: Site, number: number): Promise<string>;
  /** Services have none of it updated. */
  updatesFirmware?: true;
}

const services: Record<string, Service> = {
  "a server": { before: (site) => withMetal(site), add: addServer, updatesFirmware: true },
  "a node of Ironic": {
    async before(site) {
      await withMetal(site, { url_boot: false });
      await withIronic(site);
    },
    async add(site, number) {
      await addNode(site, number);
      return addNodeHost(site, number);
    },
  },
  "a BareMetalHost": { before: (site) => withMetal(site), add: addServerByMetal3 },
};

async function keepDiscovered(site: Site, count: number, type = metal): Promise<void> {
  const spec = { hot_pools: { [type]: { min: count, max: count } } };
  accepted(await site.admin("PATCH", "hubs/hub-a", { spec }));
}

function changesOf({ before, add, updatesFirmware }: Service): Record<string, HostChange> {
  const withoutHosts = async (site: Site): Promise<string> => {
    await before(site);
    return "";
  };

  /** With the same firmware of its controller, and another one that starts it. */
  const withOldFirmware = async (site: Site): Promise<string> => {
    const id = await discovered(site);
    const image = "https://firmware.test/bios-2.1.6.bin";
    const firmware = [{ component: "bios", version: "2.1.6", image }];
    accepted(await site.admin("PATCH", `host_types/${metal}`, { firmware }));
    return id;
  };

  const discovered = async (site: Site): Promise<string> => {
    await before(site);
    const id = await add(site, 1);
    await untilHost(site, id, "AVAILABLE");
    return id;
  };

  /** A cluster whose only node is the server, which then stays off, since nothing is kept discovered. */
  async function used(site: Site): Promise<string> {
    const id = await discovered(site);
    const cluster = await site.order("c1", { template: { id: metal } });
    expect((await site.settled(cluster)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    await keepDiscovered(site, 0);
    return id;
  }

  return {
    "host-discover": {
      before: withoutHosts,
      start: (site) => add(site, 1),
      done: "AVAILABLE",
    },
    "host-clean": {
      before: used,
      async start(site, id) {
        const { owner } = (await hostOf(site, id)).status;
        accepted(await site.api("DELETE", `clusters/${owner.id}`));
        return id;
      },
      forNeighbour: (site) => keepDiscovered(site, 1),
      done: "OFF",
    },
    "host-switch-off": {
      before: discovered,
      async start(site, id) {
        accepted(await site.admin("POST", `hosts/${id}/maintain`));
        return id;
      },
      done: "MAINTENANCE",
    },
    ...(updatesFirmware && {
      "host-update-firmware": {
        before: withOldFirmware,
        async start(site: Site, id: string) {
          accepted(await site.admin("POST", `hosts/${id}/update_firmware`));
          return id;
        },
        done: "AVAILABLE",
        isFollowed: true,
      },
    }),
  };
}

const withDpus = (dpus: number): Service => ({
  before: withMetal,
  add: async (site, number) => (await addServerWithDpus(site, number, { dpus })).host,
});
const withDpu = withDpus(1);
/** One for each NIC: all of them can be in a tenant's networks. */
const withTwoDpus = withDpus(2);

const provisioned: HostChange = {
  async before(site) {
    await withDpu.before(site);
    return "";
  },
  start: (site) => withDpu.add(site, 1),
  done: "AVAILABLE",
};

/** The other way that a server without DPUs can boot: nothing else of it is otherwise. */
const fromNetwork: Service = {
  async before(site) {
    await withMetal(site);
    await bootFromNetwork(site);
  },
  add: addServer,
};
const { [hostSagas.discover]: discoveredFromNetwork } = changesOf(fromNetwork);

const typeWithTwo = `${metal}-2-dpus`;

/** A tenant's server has the host, which then stays off, since nothing is kept discovered. */
async function usedWithDpus(site: Site): Promise<string> {
  await withServers(site);
  await withOverlay(site);
  await networkWithSubnet(site);
  const id = await withTwoDpus.add(site, 1);
  await untilHost(site, id, "AVAILABLE");
  await runningServer(site);
  await keepDiscovered(site, 0, typeWithTwo);
  return id;
}

const cleaned: HostChange = {
  before: usedWithDpus,
  async start(site, id) {
    const { owner } = (await hostOf(site, id)).status;
    accepted(await site.api("DELETE", `baremetal_instances/${owner.id}`));
    return id;
  },
  forNeighbour: (site) => keepDiscovered(site, 1, typeWithTwo),
  done: "OFF",
};

const changes: [string, Service, Partial<Record<string, HostChange>>][] = [
  ...Object.entries(services).map(([name, service]): (typeof changes)[number] => [
    name,
    service,
    changesOf(service),
  ]),
  [
    "a server that boots from the network",
    fromNetwork,
    { ...(discoveredFromNetwork && { [hostSagas.discover]: discoveredFromNetwork }) },
  ],
  // Clusters get no servers with DPUs: tenants' servers have them, and nothing else of them is another way.
  ["a server with a DPU", withDpu, { [hostSagas.provision]: provisioned }],
  ["a server with DPUs", withTwoDpus, { [hostSagas.clean]: cleaned }],
];

export const hosts: Subject = {
  sagas,
  changes: Object.fromEntries(
    Object.values(hostSagas).map((saga): [string, Record<string, Change>] => [
      saga,
      Object.fromEntries(
        changes.flatMap(([name, service, { [saga]: change }]) =>
          change ? [[name, staged(change, service)]] : [],
        ),
      ),
    ]),
  ),
};

function staged(change: HostChange, service: Service): Change {
  return {
    again: true,
    ...(change.isFollowed && { isFollowed: true }),
    never: {
      "a delete": "a host at work is not deleted",
      "a new wish": "the work of a host follows from its state",
    },
    async open(options) {
      const { site, brought } = await siteAfter(change.before, options);
      return stageOn(site, change, service, () => change.start(site, brought));
    },
  };
}

const systems = ["hub", "fabric", "bmc"] as const;

function stageOn(site: Site, change: HostChange, service: Service, start: Stage["start"]): Stage {
  const operations = async (id: string | undefined): Promise<Wire[]> => {
    const { items } = (await site.admin("GET", "operations")).body;
    return items.filter(({ spec }: Wire) =>
      id === undefined ? spec.target.kind === "host" : spec.target.id === id,
    );
  };
  const refuse = (): never => {
    throw new Error("a host cannot be asked for this");
  };
  return {
    laptop: site.laptop,
    async start() {
      const before = new Set((await operations(undefined)).map(({ id }) => id));
      const id = await start();
      const isThere = async () => (await operations(id)).some((each) => !before.has(each.id));
      await site.laptop.until(isThere, "an operation on the host");
      return id;
    },
    async orderNeighbour() {
      await change.forNeighbour?.(site);
      const id = await service.add(site, 2);
      return { id, expectMade: () => untilHost(site, id, "AVAILABLE") };
    },
    putAside() {
      const from = site.saved();
      return async (options) =>
        stageOn(await openSite({ ...options, from }), change, service, start);
    },
    async newest(id) {
      const found = (await operations(id)).at(-1);
      return found && seenIn(found);
    },
    operation: async (id) => seenIn((await site.admin("GET", `operations/${id}`)).body),
    async cancel(operation) {
      const { status } = await site.admin("POST", `operations/${operation}/cancel`);
      return status === 200;
    },
    async resume(operation) {
      accepted(await site.admin("POST", `operations/${operation}/resume`));
    },
    remove: refuse,
    wish: refuse,
    async again(id) {
      accepted(await site.admin("POST", `hosts/${id}/retry`));
    },
    withFault: withFaultAt(site, systems),
    wrong: () => wrongInBooks(site),
    async expectEnd(id, end) {
      const { status } = await hostOf(site, id);
      expect(status.state).toBe(`HOST_STATE_${stateAt(end, change)}`);
      if (end === "undone") expect(status.server.quarantine.reason).not.toBe("");
    },
  };
}

const stateAt = (end: End, { done }: HostChange): string => (end === "done" ? done : "QUARANTINED");
