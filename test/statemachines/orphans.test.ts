import { expect, it } from "vitest";
import { inNetwork, networkOf, ownerOf } from "../../core/at-site/owner.ts";
import { asClusterId } from "../../core/id.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import {
  controlPlaneObjects,
  metalLbNamespace,
} from "../../core/ports/hub/clusters/hypershift/objects.ts";
import { agentNamespace } from "../../core/ports/hub/reported-kinds.ts";
import type { ExternalObject } from "../../core/reconcile/external-system.ts";
import type { Cluster } from "../../core/resources/cluster/model.ts";
import { ownedDomain } from "../../core/resources/cluster/owner.ts";
import { ownedSubnet } from "../../core/resources/subnet/owner.ts";
import type { KubeInput } from "../../sim/kubernetes/cluster.ts";
import { wrongInBooks } from "../support/books.ts";
import { deployment } from "../support/deployment.ts";
import { atRest, networkWithSubnet, orderOf, withHubNetworks } from "../support/networks.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** What is outside without an owner, as the sweep of the simulated hubs and their site finds it. */

const minute = 60_000;
const label = "slipway.dev/cluster";

const domain = "c1.tenant-a.eu-west.example.com";

/** A cluster that was, as it was while it lived. */
async function deleted(site: Site): Promise<Cluster> {
  const id = await site.order("c1", { placement: { region: "eu-west" } });
  await site.settled(id);
  const cluster = await mustLoad(recordsIn(site.laptop.store), "cluster", id);
  await site.api("DELETE", `clusters/${id}`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect(site.owned()).toEqual([]);
  return cluster;
}

/** One of each kind at the site, as if the cluster's deletion had missed it. */
async function leaveAtSite(site: Site, cluster: Cluster, kind = "cluster"): Promise<void> {
  const { laptop } = site;
  const { fabric, dns, storage } = await laptop.deps.sites.systems("site-1");
  const name = { name: `api.${domain}`, type: "A" as const, addresses: ["203.0.113.240"] };
  await laptop.clock.until(
    (async () => {
      await fabric?.ensureLayer2({ ...networkOf(cluster), kind }, 3999);
      await dns?.ensure({ ...ownedDomain(cluster, domain), kind }, [name]);
      await storage?.ensure({ ...ownerOf(cluster), kind });
    })(),
  );
}

/** The same on its hub; answers the agent that has its label. */
function leaveOnHub(site: Site, { id, infra_id }: Cluster, hub = "hub-a"): string {
  const { cluster } = site.world.hub(hub);
  const labels = { [label]: id };
  cluster.create({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: `slipway-${infra_id}`, labels },
  });
  cluster.create({
    apiVersion: "metallb.io/v1beta1",
    kind: "IPAddressPool",
    metadata: { name: `slipway-${infra_id}`, namespace: metalLbNamespace, labels },
    spec: { addresses: ["10.64.9.2-10.64.9.2"], autoAssign: false },
  });
  cluster.create({
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: `slipway-${infra_id}-1`, labels },
    spec: { request: "QQ==", signerName: "example.com/any", usages: ["client auth"] },
  });
  const [agent] = cluster.list("Agent", { namespace: agentNamespace });
  const { name } = agent?.metadata ?? { name: "" };
  cluster.mutate("Agent", agentNamespace, name, (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
  }));
  return name;
}

/** Minutes at a time: nobody orders anything meanwhile. */
async function pass({ laptop }: Site, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= minute) {
    await laptop.clock.advance(minute);
    await laptop.drained();
  }
}

/** What the private API tells of a hub or a site. */
async function told(site: Site, path: string): Promise<Wire[]> {
  const { body } = await site.admin("GET", path);
  const { count = 0, items = [] } = body.status.orphans ?? {};
  expect(count).toBe(items.length);
  return items;
}

const kindsOf = (items: Pick<ExternalObject, "kind">[]): string[] =>
  items.map(({ kind }) => kind).sort();

const remove = async (site: Site, path: string): Promise<void> => {
  expect((await site.admin("PATCH", path, { spec: { orphans: "remove" } })).status).toBe(200);
};

const atSite = ["ceph_user", "dns_records", "network", "rbd_namespace"];
const onHub = ["Agent", "CertificateSigningRequest", "IPAddressPool", "Namespace"];

it("what a deletion left is told of and stays, until the provider lets it be taken away", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const cluster = await deleted(site);
  await leaveAtSite(site, cluster);
  const agent = leaveOnHub(site, cluster);
  const owned = site.owned();
  await pass(site, 80 * minute);
  expect(kindsOf(await told(site, "sites/site-1"))).toEqual(atSite);
  const items = await told(site, "hubs/hub-a");
  expect(kindsOf(items)).toEqual(onHub);
  expect(items[0]).toMatchObject({ system: "hub", cluster: cluster.id });
  expect(await told(site, "hubs/hub-b")).toEqual([]);
  const { event } = await mustLoad(recordsIn(site.laptop.store), "site", "site-1");
  expect(event).toMatchObject({ type: "slipway.site.updated.v1" });
  expect(event.changed.some((path) => path.startsWith("status.orphans"))).toBe(true);
  await pass(site, 90 * minute);
  expect(site.owned()).toEqual(owned);
  expect(await told(site, "hubs/hub-a")).toEqual(items);
  expect((await mustLoad(recordsIn(site.laptop.store), "site", "site-1")).event).toEqual(event);

  expect((await site.admin("GET", "removal")).body).toEqual({ paused: false });
  expect((await site.admin("POST", "removal:pause", {})).body).toMatchObject({ paused: true });
  for (const path of ["hubs/hub-a", "sites/site-1"]) await remove(site, path);
  await pass(site, 20 * minute);
  expect(site.owned()).toEqual(owned);
  expect((await site.admin("GET", "removal")).body).toMatchObject({ paused: true });

  expect((await site.admin("POST", "removal:resume", {})).body).toMatchObject({ paused: false });
  await pass(site, 40 * minute);
  expect(site.owned()).toEqual([]);
  expect(await told(site, "hubs/hub-a")).toEqual([]);
  expect(await told(site, "sites/site-1")).toEqual([]);
  const hub = site.world.hub("hub-a").cluster;
  expect(hub.get("Namespace", undefined, `slipway-${cluster.infra_id}`)).toBeUndefined();
  expect(hub.get("Agent", agentNamespace, agent)?.metadata.labels).not.toHaveProperty(label);
});

it("some things are never taken away: hosted clusters, volumes, what was never ours", async () => {
  const site = await openSite();
  const cluster = await deleted(site);
  const stranger = {
    ...cluster,
    id: asClusterId("0197b2d0-1111-7000-8000-000000000001"),
    infra_id: "strangerss",
  };
  for (const path of ["hubs/hub-a", "hubs/hub-b", "sites/site-1"]) await remove(site, path);
  // A hosted cluster in a namespace of ours, and volumes in our storage.
  leaveOnHub(site, cluster);
  const hub = site.world.hub("hub-a").cluster;
  const namespace = `slipway-${cluster.infra_id}`;
  const [theirs] = controlPlaneObjects(deployment()).slice(-1);
  hub.create({ ...theirs, metadata: { name: "of-somebody", namespace } } as KubeInput);
  const { storage } = await site.laptop.deps.sites.systems("site-1");
  await site.laptop.clock.until(storage?.ensure(ownerOf(cluster)) ?? Promise.resolve());
  const { records } = site.world.site.storage;
  const [own] = records.namespaces();
  const pool = own?.pool ?? "";
  records.addImage({ pool, namespace: own?.name ?? "", name: "pvc-1", size: 1 });
  // Ownership tags that name a cluster which the store never knew.
  await leaveAtSite(site, stranger);
  leaveOnHub(site, stranger, "hub-b");
  const owned = site.owned();
  await pass(site, 150 * minute);
  expect(site.owned()).toEqual(owned);
  expect(kindsOf(await told(site, "hubs/hub-a"))).toEqual([
    ...onHub.slice(0, 2),
    "HostedCluster",
    ...onHub.slice(2),
  ]);
  expect(kindsOf(await told(site, "hubs/hub-b"))).toEqual(onHub);
  expect(kindsOf(await told(site, "sites/site-1"))).toEqual(
    [...atSite, "ceph_user", "rbd_namespace"].sort(),
  );
});

it("what names an owner of another kind is not the cluster's of the same id: it is told of, and stays", async () => {
  const site = await openSite();
  const cluster = await deleted(site);
  for (const path of ["hubs/hub-a", "sites/site-1"]) await remove(site, path);
  await leaveAtSite(site, cluster, "virtual_network");
  const owned = site.owned();
  expect(owned.join()).toContain("virtual_network");
  await pass(site, 150 * minute);
  expect(site.owned()).toEqual(owned);
  expect(kindsOf(await told(site, "sites/site-1"))).toEqual(atSite);
  expect(await told(site, "hubs/hub-a")).toEqual([]);

  // What the cluster itself left goes all the same.
  leaveOnHub(site, cluster);
  await pass(site, 150 * minute);
  expect(site.owned()).toEqual(owned);
  expect(kindsOf(await told(site, "sites/site-1"))).toEqual(atSite);
});

it("what a live cluster has is no orphan, whatever it is doing", async () => {
  const site = await openSite();
  for (const path of ["hubs/hub-a", "hubs/hub-b", "sites/site-1"]) await remove(site, path);
  const id = await site.order("c1");
  await pass(site, 15 * minute);
  await site.settled(id);
  const owned = site.owned();
  await pass(site, 180 * minute);
  expect(site.owned()).toEqual(owned);
  for (const path of ["hubs/hub-a", "hubs/hub-b", "sites/site-1"])
    expect(await told(site, path)).toEqual([]);
});

/** A network on a hub with a subnet and a group, deleted; answers what makes them on the hub again. */
async function deletedNetwork(site: Site): Promise<(id?: string) => Promise<void>> {
  await withHubNetworks(site);
  const ids = await networkWithSubnet(site);
  const everything = [{ protocol: "PROTOCOL_ALL", ipv4_cidr: "0.0.0.0/0" }];
  const spec = { virtual_network: ids.network, ingress: everything };
  const group = await orderOf(site, "security_groups", "web", spec);
  await atRest(site, "security_groups", group);
  const records = recordsIn(site.laptop.store);
  const network = await mustLoad(records, "virtual_network", ids.network);
  const subnet = await mustLoad(records, "subnet", ids.subnet);
  const web = await mustLoad(records, "security_group", group);
  for (const [collection, id] of [
    ["security_groups", group],
    ["subnets", ids.subnet],
    ["virtual_networks", ids.network],
  ] as const) {
    expect((await site.api("DELETE", `${collection}/${id}`)).status).toBe(200);
    expect(await atRest(site, collection, id)).toBeUndefined();
  }
  expect(site.owned()).toEqual([]);
  const [prefix] = plan.prefixes;
  return async (other) => {
    const { networks } = await site.laptop.deps.hubs.client("hub-a");
    const as = <T extends object>(owner: T): T => ({ ...owner, ...(other && { id: other }) });
    await site.laptop.clock.until(
      (async () => {
        await networks.ensureNetwork(as(ownerOf(network)), [prefix.cidr]);
        await networks.ensureSubnet(as(ownedSubnet(subnet)), plan);
        await networks.ensureGroup(as(inNetwork(web)), { version: 1, rules: [] });
      })(),
    );
    // OVN-Kubernetes attaches the namespace.
    await pass(site, minute);
  };
}

const plan = {
  prefixes: [
    {
      cidr: "10.20.1.0/24",
      gateway: "10.20.1.1",
      dhcp: { first: "10.20.1.2", last: "10.20.1.3" },
    },
  ],
  dnsServers: [],
} as const;

/** The network's policies are two: that of its default group, and one that allows nothing. */
const ofNetwork = [
  "ClusterUserDefinedNetwork",
  "Namespace",
  ...["NetworkPolicy", "NetworkPolicy", "NetworkPolicy"],
];

it("what a network left on its hub is told of and stays, until the provider lets it be taken away", async () => {
  const site = await openSite();
  const leave = await deletedNetwork(site);
  await leave();
  const owned = site.owned();
  await pass(site, 150 * minute);
  expect(kindsOf(await told(site, "hubs/hub-a"))).toEqual(ofNetwork);
  expect(await told(site, "hubs/hub-b")).toEqual([]);
  expect(site.owned()).toEqual(owned);
  await remove(site, "hubs/hub-a");
  await pass(site, 60 * minute);
  expect(await told(site, "hubs/hub-a")).toEqual([]);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("what names a network that nobody has ever ordered is told of, and stays", async () => {
  const site = await openSite();
  const leave = await deletedNetwork(site);
  await remove(site, "hubs/hub-a");
  await leave("0197b2d0-1111-7000-8000-000000000001");
  const owned = site.owned();
  await pass(site, 150 * minute);
  expect(kindsOf(await told(site, "hubs/hub-a"))).toEqual(ofNetwork);
  expect(site.owned()).toEqual(owned);
});
