import type { Site } from "../site.ts";
import type { Sizes } from "./cluster-checks.ts";
import {
  accepted,
  automatic,
  creating,
  failedCreate,
  failedScale,
  failedUpgrade,
  heldCreate,
  inSubnet,
  many,
  noSite,
  plainSite,
  ready,
  readyAmongMany,
  readyInSubnet,
  readyOfTwo,
  readyOfTwoTypes,
  readyWithCertificate,
  readyWithExternalIps,
  readyWithKea,
  readyWithNetbox,
  readyWithoutNodes,
  readyWithoutSite,
  regroup,
  renewLost,
  replaceOne,
  resize,
  scaling,
  siteOfAuthority,
  siteWithKea,
  siteWithNetbox,
  siteWithout,
  siteWithPool,
  siteWithSubnet,
  stuckScale,
  stuckUpgrade,
  upgrade,
  upgrading,
  withoutStorage,
} from "./cluster-worlds.ts";

/** What a change of a cluster can be: a table for each saga. The plain one comes first. */

export interface ClusterChange {
  /** Brings a site to where the saga can start, and answers the cluster if there is one. */
  before(site: Site): Promise<string>;
  /** Starts the saga and answers the cluster. */
  start(site: Site, id: string): Promise<string>;
  /** What the cluster has when the saga succeeded, or gave up. */
  nodes: { done: Sizes; undone: Sizes };
  /** The security groups that it has then, in a tenant's subnet. */
  groups?: { done: string[]; undone: string[] };
  /** What another order there asks for, where it cannot be the usual cluster. */
  neighbour?: object;
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

const retry = async (site: Site, id: string): Promise<void> =>
  accepted(await site.api("POST", `clusters/${id}/retry`));

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
  "one without storage": {
    ...created({ template: "bare" }),
    before: withoutStorage,
    neighbour: { template: "bare" },
  },
  "one with certificates": { ...created(), before: siteOfAuthority },
  "one with Kea": { ...created(), before: siteWithKea },
  "one with numbers written into NetBox": { ...created(), before: siteWithNetbox("slipway") },
  "one with numbers from NetBox": { ...created(), before: siteWithNetbox("netbox") },
  "one in a tenant's subnet": {
    ...created(inSubnet),
    before: siteWithSubnet,
    neighbour: inSubnet,
  },
  "one with external IPs of the tenant": {
    ...created(automatic),
    before: siteWithPool,
    neighbour: automatic,
  },
  "a retry of one that is held": {
    ...created({}, { workers: 1 }),
    before: heldCreate,
    async start(site, id) {
      await retry(site, id);
      return id;
    },
    holds: true,
  },
};

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
  "a host replaced": scaled(ofTwo, {
    async start(site, id) {
      await replaceOne(site, id);
      return id;
    },
    again: replaceOne,
  }),
  "up and down without a site": scaled({ workers: 1, infra: 2 }, { before: readyWithoutSite }),
  "up and down with Kea": scaled({ workers: 1, infra: 2 }, { before: readyWithKea }),
  "up and down in a tenant's subnet": scaled(
    { workers: 1, infra: 2 },
    { before: readyInSubnet, neighbour: inSubnet },
  ),
};

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
  "one with Kea": deleted(readyWithKea),
  "one in a tenant's subnet": { ...deleted(readyInSubnet), neighbour: inSubnet },
  "one with external IPs of the tenant": {
    ...deleted(readyWithExternalIps),
    neighbour: automatic,
  },
  "one with numbers written into NetBox": deleted(readyWithNetbox("slipway")),
  "one with numbers from NetBox": deleted(readyWithNetbox("netbox")),
};

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

const upgrades: Changes = {
  "a READY cluster": upgraded(readyOfTwo),
  "one whose change failed": upgraded(failedScale),
  "one whose upgrade stopped half way": upgraded(failedUpgrade),
};

const toDefaultGroup = (site: Site, id: string) => regroup(site, id, []);

const networkings: Changes = {
  "other security groups": {
    before: readyInSubnet,
    async start(site, id) {
      await toDefaultGroup(site, id);
      return id;
    },
    nodes: { done: ofTwo, undone: ofTwo },
    groups: { done: [], undone: ["web"] },
    neighbour: inSubnet,
    wish: { workers: 3 },
    again: toDefaultGroup,
  },
};

const renewals: Changes = {
  "a lost certificate": {
    before: readyWithCertificate,
    async start(site, id) {
      await renewLost(site, id);
      return id;
    },
    nodes: { done: { workers: 2 }, undone: { workers: 2 } },
    wish: { workers: 3 },
    again: retry,
  },
};

export const clusterChanges: Record<string, Changes> = {
  "cluster-create": creates,
  "cluster-delete": deletions,
  "cluster-scale": scales,
  "cluster-upgrade": upgrades,
  "cluster-networking": networkings,
  "cluster-renew": renewals,
};
