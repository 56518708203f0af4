import { expect } from "vitest";
import { makeAuthority } from "../../../sim/kubernetes/certificates.ts";
import type { Site, Wire } from "../site.ts";
import type { Sizes } from "./cluster-checks.ts";

/** What a change of a cluster can be: a table for each saga. The plain one comes first. */

export interface ClusterChange {
  /** Brings a site to where the saga can start, and answers the cluster if there is one. */
  before(site: Site): Promise<string>;
  /** Starts the saga and answers the cluster. */
  start(site: Site, id: string): Promise<string>;
  /** What the cluster has when the saga succeeded, or gave up. */
  nodes: { done: Sizes; undone: Sizes };
  /** The node sets that another change asks for meanwhile. */
  wish: Sizes;
  /** Asks once more for what has failed. */
  again?(site: Site, id: string): Promise<void>;
  /** Why that cannot be asked where only the last step has failed. */
  notAfterLast?: string;
  holds?: true;
  isLarge?: true;
}

type Changes = Record<string, ClusterChange>;

function accepted({ status, body }: { status: number; body: Wire }): Wire {
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const retry = async (site: Site, id: string): Promise<void> =>
  accepted(await site.api("POST", `clusters/${id}/retry`));

// The states that a site is in before a cluster is ordered.

async function plainSite(): Promise<string> {
  return "";
}

/** The usual site, but without some of its systems. */
const siteWithout =
  (...systems: string[]) =>
  async (site: Site): Promise<string> => {
    const spec = Object.fromEntries(systems.map((system) => [system, null]));
    accepted(await site.admin("PATCH", "sites/site-1", { spec }));
    return "";
  };

async function siteOfAuthority(site: Site): Promise<string> {
  const authority = await makeAuthority("site-1", site.laptop.clock.now());
  const spec = {
    certificates: { authority: authority.certificate },
    secrets: { certificates: authority.key },
  };
  accepted(await site.admin("PATCH", "sites/site-1", { spec }));
  return "";
}

async function noSite(site: Site): Promise<string> {
  for (const hub of ["hub-a", "hub-b"])
    accepted(await site.admin("PATCH", `hubs/${hub}`, { spec: { site: null } }));
  return "";
}

/** A template without volume storage, for sites that have none. */
async function withoutStorage(site: Site): Promise<string> {
  await template(site, "bare", { workers: { host_type: "fc430", size: 2 } });
  return siteWithout("storage")(site);
}

async function template(site: Site, id: string, node_sets: object): Promise<void> {
  const body = { id, metadata: { name: id }, node_sets, allowed_host_types: ["fc430", "h100"] };
  accepted(await site.admin("POST", "cluster_templates", body));
}

const created = (spec: object = {}, nodes: Sizes = { workers: 2 }): ClusterChange => ({
  before: plainSite,
  start: (site) => site.order("c1", spec),
  nodes: { done: nodes, undone: {} },
  wish: { ...nodes, workers: (nodes.workers ?? 0) + 1 },
  again: retry,
});

const creates: Changes = {
  "a small cluster": created(),
  "one for AI": created({ template: { id: "ocp_4_17_ai" } }, { workers: 2, gpu: 1 }),
  "one that is held": {
    ...created(
      { template: { id: "ocp_4_17_single_node" }, template_parameters: { site: "edge" } },
      { workers: 1 },
    ),
    holds: true,
  },
  "one with a pull secret": created({
    pull_secret: JSON.stringify({ auths: { "quay.io": { auth: "b25lOnR3bw==" } } }),
  }),
  "one without a site": { ...created(), before: noSite },
  "one without a fabric": { ...created(), before: siteWithout("fabric", "network") },
  "one without DNS": { ...created(), before: siteWithout("dns") },
  "one without storage": { ...created({ template: "bare" }), before: withoutStorage },
  "one with certificates": { ...created(), before: siteOfAuthority },
};

// The states that a cluster is in before it is changed.

async function ordered(site: Site, spec: object = {}): Promise<string> {
  const id = await site.order("c1", spec);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

const ready = (site: Site): Promise<string> => ordered(site);

/** Of two node sets of one host type, with another host type to choose. */
async function readyOfTwo(site: Site): Promise<string> {
  await template(site, "mixed", {
    workers: { host_type: "fc430", size: 2 },
    infra: { host_type: "fc430", size: 1 },
  });
  return ordered(site, { template: "mixed" });
}

async function readyOfTwoTypes(site: Site): Promise<string> {
  await template(site, "types", {
    workers: { host_type: "fc430", size: 2 },
    gpu: { host_type: "h100", size: 1 },
  });
  return ordered(site, { template: "types" });
}

async function readyWithoutNodes(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  await resize(site, id, { workers: 0 });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  return id;
}

async function readyWithoutSite(site: Site): Promise<string> {
  await noSite(site);
  return readyOfTwo(site);
}

/** More hosts on one hub than one transaction can claim. */
const many = 85;

async function readyAmongMany(site: Site): Promise<string> {
  for (let n = 1; n <= many; n++) {
    const part = (value: number) => value.toString(16).padStart(2, "0");
    const name = `fc430-a-x${n}`;
    const spec = {
      host_type: "fc430",
      hub: "hub-a",
      bmc: { address: `redfish-virtualmedia://192.168.9.${n}/redfish/v1/Systems/1` },
      nics: [
        {
          name: "eno1",
          mac: `52:54:00:0a:0b:${part(n)}`,
          switch: "leaf-a1",
          port: `Ethernet2/${n}`,
        },
      ],
    };
    site.world.addHost({ name, ...spec, discovered: true });
    accepted(await site.admin("POST", "hosts", { metadata: { name }, spec }));
  }
  await site.laptop.pass(6 * 60_000);
  return ordered(site, { placement: { region: "eu-west" } });
}

async function resize(site: Site, id: string, sizes: Sizes): Promise<void> {
  const typeOf = (set: string) => (set === "gpu" ? "h100" : "fc430");
  const node_sets = Object.fromEntries(
    Object.entries(sizes).map(([set, size]) => [set, { host_type: typeOf(set), size }]),
  );
  accepted(await site.api("PATCH", `clusters/${id}`, { spec: { node_sets } }));
}

const ofTwo: Sizes = { workers: 2, infra: 1 };

const scaled = (done: Sizes, more: Partial<ClusterChange> = {}): ClusterChange => ({
  before: readyOfTwo,
  async start(site, id) {
    await resize(site, id, done);
    return id;
  },
  nodes: { done, undone: ofTwo },
  wish: { workers: 2, infra: 2 },
  again: (site, id) => resize(site, id, done),
  ...more,
});

const scales: Changes = {
  "up, one added, one removed": scaled({ workers: 3, gpu: 1 }),
  up: scaled({ workers: 3, infra: 1 }),
  down: scaled({ workers: 1, infra: 1 }),
  "one added": scaled({ ...ofTwo, gpu: 1 }),
  "one removed": scaled({ workers: 2 }),
  "one up and one down, of one host type": scaled({ workers: 1, infra: 3 }),
  "one up and one down, of two host types": scaled(
    { workers: 1, gpu: 2 },
    {
      before: readyOfTwoTypes,
      nodes: { done: { workers: 1, gpu: 2 }, undone: { workers: 2, gpu: 1 } },
      wish: { workers: 3, gpu: 1 },
    },
  ),
  "one removed whose host type another one grows by": scaled({ workers: 3 }),
  "all replaced": scaled({ gpu: 2 }),
  "to zero": scaled({ workers: 0, infra: 0 }),
  "from zero": scaled(
    { workers: 2 },
    {
      before: readyWithoutNodes,
      nodes: { done: { workers: 2 }, undone: { workers: 0 } },
      wish: { workers: 1 },
    },
  ),
  "up by more hosts than one transaction claims": scaled(
    { workers: 2 + many },
    {
      before: readyAmongMany,
      nodes: { done: { workers: 2 + many }, undone: { workers: 2 } },
      wish: { workers: 1 },
      isLarge: true,
    },
  ),
  "up and down without a site": scaled({ workers: 1, infra: 2 }, { before: readyWithoutSite }),
};

/** Has the worker of a step refuse once. */
const failOnce = (site: Site, step: string) =>
  site.world.faults.add({ target: "worker", operation: step, fault: "error" });

async function settledAs(site: Site, id: string, state: string): Promise<string> {
  expect((await site.settled(id)).status.state).toBe(`OPERATION_STATE_${state}`);
  return id;
}

async function failedCreate(site: Site): Promise<string> {
  failOnce(site, "ConfigureCluster");
  return settledAs(site, await site.order("c1"), "FAILED");
}

async function heldCreate(site: Site): Promise<string> {
  failOnce(site, "JoinNodes");
  const order = { template: { id: "ocp_4_17_single_node" }, template_parameters: { site: "edge" } };
  return settledAs(site, await site.order("c1", order), "FAILED");
}

async function stuckScale(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "ResizeNodePools");
  failOnce(site, "Undo ReserveHosts");
  await resize(site, id, { workers: 3, infra: 1 });
  return settledAs(site, id, "STUCK");
}

async function stuckUpgrade(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "UpgradeNodeSets");
  failOnce(site, "Undo UpgradeControlPlane");
  await upgrade(site, id);
  return settledAs(site, id, "STUCK");
}

/** Until the step of the cluster's newest operation waits. */
async function waitingIn(site: Site, id: string, step: string): Promise<string> {
  await site.laptop.until(async () => {
    const { body } = await site.api("GET", "operations");
    const { steps } = body.items.findLast(({ spec }: Wire) => spec.target.id === id).status;
    return steps.some(({ name, state }: Wire) => name === step && state.endsWith("WAITING"));
  }, `${step} to wait`);
  return id;
}

async function scaling(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  await resize(site, id, { workers: 3, gpu: 1 });
  return waitingIn(site, id, "ResizeNodePools");
}

async function upgrading(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  await upgrade(site, id);
  return waitingIn(site, id, "UpgradeNodeSets");
}

async function creating(site: Site): Promise<string> {
  return waitingIn(site, await site.order("c1"), "JoinNodes");
}

const deleted = (before: ClusterChange["before"]): ClusterChange => ({
  before,
  async start(site, id) {
    accepted(await site.api("DELETE", `clusters/${id}`));
    return id;
  },
  nodes: { done: {}, undone: {} },
  wish: { workers: 3 },
});

const deletions: Changes = {
  "a READY cluster": deleted(ready),
  "one that failed": deleted(failedCreate),
  "one that is held": deleted(heldCreate),
  "one whose change is stuck": deleted(stuckScale),
  "one whose upgrade is stuck": deleted(stuckUpgrade),
  "one that is made": deleted(creating),
  "one that is changed": deleted(scaling),
  "one that is upgraded": deleted(upgrading),
  "one without a site": deleted(readyWithoutSite),
};

async function upgrade(site: Site, id: string): Promise<void> {
  accepted(await site.api("PATCH", `clusters/${id}`, { spec: { version: "4-18-1" } }));
}

/** Goes on with an upgrade that stopped half way, or asks for it anew. */
async function upgradeAgain(site: Site, id: string): Promise<void> {
  const { status } = await site.cluster(id);
  if (status.upgrade) return retry(site, id);
  return upgrade(site, id);
}

const upgraded = (before: ClusterChange["before"]): ClusterChange => ({
  before,
  async start(site, id) {
    await upgradeAgain(site, id);
    return id;
  },
  // It stops where it is; `expectNodes` sees to it that this is somewhere.
  nodes: { done: ofTwo, undone: ofTwo },
  wish: { workers: 3 },
  again: upgradeAgain,
  notAfterLast: "every part has the version that is asked for",
});

async function failedScale(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "ResizeNodePools");
  await resize(site, id, { workers: 3, infra: 1 });
  return settledAs(site, id, "FAILED");
}

async function failedUpgrade(site: Site): Promise<string> {
  const id = await readyOfTwo(site);
  failOnce(site, "UpgradeNodeSets");
  await upgrade(site, id);
  return settledAs(site, id, "FAILED");
}

const upgrades: Changes = {
  "a READY cluster": upgraded(readyOfTwo),
  "one whose change failed": upgraded(failedScale),
  "one whose upgrade stopped half way": upgraded(failedUpgrade),
};

export const clusterChanges: Record<string, Changes> = {
  "cluster-create": creates,
  "cluster-delete": deletions,
  "cluster-scale": scales,
  "cluster-upgrade": upgrades,
};
