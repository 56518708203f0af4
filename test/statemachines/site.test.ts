import { expect, it } from "vitest";
import { changeObject } from "../../core/kernel/events/rewrite.ts";
import { mustLoad } from "../../core/kernel/object/records.ts";
import { executionArn } from "../../local/workflow/arn.ts";
import { wrongInBooks } from "../support/books.ts";
import { recordsIn } from "../support/records.ts";
import { openSite, type Site, type Wire } from "../support/site.ts";

/** Networks, addresses, names and storage of orders, through the sagas and the simulated site. */

const minute = 60_000;

async function operationOn(site: Site, id: string): Promise<Wire> {
  const { body } = await site.api("GET", "operations");
  return body.items.findLast((item: Wire) => item.spec.target.id === id);
}

const waits = async (site: Site, id: string): Promise<Wire[]> =>
  (await operationOn(site, id)).status.waiting;

const ownedKinds = (site: Site): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(site.owned(), (thing) => thing.split(" ")[0] ?? "")].map(([kind, all]) => [
      kind,
      all.length,
    ]),
  );

it("a READY cluster has a network, addresses, names and storage, and says which", {
  tags: "smoke",
}, async () => {
  const site = await openSite();
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const { status } = await site.cluster(id);
  const domain = "c1.tenant-a.eu-west.example.com";
  expect(status).toMatchObject({
    api_url: `https://api.${domain}:6443`,
    network: { prefix: "10.64.0.0/24", gateway: "10.64.0.1" },
    addresses: {
      api: { external: "203.0.113.100", internal: "10.64.0.2" },
      ingress: { external: "203.0.113.101", internal: "10.64.0.3" },
    },
    ingress_endpoint: "203.0.113.101",
    dns_names: [`api.${domain}`, `api-int.${domain}`, `*.apps.${domain}`],
    storage: { state: "done" },
  });
  expect(status.network).not.toHaveProperty("vlan");
  const { body } = await site.admin("GET", `clusters/${id}`);
  expect(body.status.network.vlan).toBe(100);
  expect(ownedKinds(site)).toMatchObject({
    network: 1,
    vlan: 1,
    subnet: 1,
    prefix: 1,
    router: 1,
    port_binding: 4,
    floating_ip: 2,
    dns_record: 3,
    rbd_namespace: 1,
    ceph_user: 1,
  });
  const { dns } = world(site);
  expect(dns.resolve(`api.${domain}`, "A")).toEqual(["203.0.113.100"]);
  expect(dns.resolve(`shop.apps.${domain}`, "A")).toEqual(["203.0.113.101"]);
  expect(await wrongInBooks(site)).toEqual([]);
});

const world = ({ world }: Site) => world.site;

it("every saga's fault-free run stays within 18 states", async () => {
  const site = await openSite();
  const id = await site.order("c1");
  const operation = await site.settled(id);
  const entered = site.laptop.engine
    .history(executionArn("cluster-create", operation.id))
    .filter(({ type }) => /StateEntered$/.test(type));
  expect(entered.length).toBeLessThanOrEqual(18);
});

it("a waiting operation and its cluster say which system is waited for, and since when", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "dns", fault: "error", status: 503, count: 0 });
  const id = await site.order("c1");
  await site.laptop.pass(5 * minute);
  const [wait] = await waits(site, id);
  expect(wait).toMatchObject({ step: "CreateDnsRecords", system: "DNS" });
  expect(Date.parse(wait.since)).toBeLessThan(site.laptop.clock.now() - minute);
  expect((await site.cluster(id)).status.waiting).toEqual([wait]);
  site.world.faults.clear();
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});

it.each(["fabric", "storage"])(
  "a %s that is unreachable: the order waits, and goes on",
  async (system) => {
    const site = await openSite();
    site.world.faults.add({ target: system as "fabric", fault: "error", status: 503, count: 0 });
    const id = await site.order("c1");
    await site.laptop.pass(5 * minute);
    const said = await waits(site, id);
    expect(said.some((wait) => wait.system === system)).toBe(true);
    site.world.faults.clear();
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  },
);

/** Where in `calls` the last that matches is; every one of `patterns` has to be there. */
function places(calls: string[], patterns: RegExp[]): number[] {
  return patterns.map((pattern) => {
    const place = calls.findLastIndex((call) => pattern.test(call));
    expect(place, `${pattern} among ${calls.join("\n")}`).toBeGreaterThanOrEqual(0);
    return place;
  });
}

const backwards: Record<string, RegExp[]> = {
  DeployControlPlane: [
    /^DELETE .*\/hostedclusters\//,
    /^DELETE .*\/ipaddresspools\//,
    /^DELETE \/api\/v1\/namespaces\/slipway-[a-z0-9]+$/,
  ],
  AllocateStorage: [/^DELETE \/api\/block\/pool\//],
  CreateDnsRecords: [/^PATCH .*\/zones\//],
  AllocateFloatingIps: [/^DELETE \/v2.0\/floatingips\//],
  AttachHosts: [/^DELETE \/v2.0\/ports\//],
  CreateLayer3Network: [
    /^PUT \/v2.0\/routers\/.*\/remove_router_interface/,
    /^DELETE \/v2.0\/routers\//,
    /^DELETE \/v2.0\/subnets\//,
  ],
  CreateLayer2Network: [/^DELETE \/v2.0\/networks\//],
};

it.each([
  "DeployControlPlane",
  "JoinNodes",
  "ConfigureCluster",
  "ValidateCluster",
  "PublishCluster",
])(
  "%s refused for good: what was made is taken away outside in the reverse order",
  async (step) => {
    const site = await openSite();
    site.world.faults.add({ target: "worker", operation: step, fault: "error" });
    const id = await site.order("c1");
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_FAILED");
    // What was refused before its effect has made nothing.
    const undone = Object.entries(backwards).filter(([name]) => name !== step);
    const found = places(
      site.calls,
      undone.flatMap(([, patterns]) => patterns),
    );
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect(site.owned()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it.each(["CreateLayer3Network", "AttachHosts", "AllocateFloatingIps", "CreateDnsRecords"])(
  "%s refused for good: nothing after it was begun, and all before it is given back",
  async (step) => {
    const site = await openSite();
    site.world.faults.add({ target: "worker", operation: step, fault: "error" });
    const id = await site.order("c1");
    expect((await site.settled(id)).status.failure).toMatchObject({ step });
    expect(site.calls.some((call) => /hostedclusters/.test(call))).toBe(false);
    expect(site.owned()).toEqual([]);
    expect(await wrongInBooks(site)).toEqual([]);
  },
);

it("hosts are attached before a pool grows, and detached after they have left it", async () => {
  const site = await openSite();
  const id = await site.order("c1");
  await site.settled(id);
  site.calls.length = 0;
  const resize = (size: number) => ({ spec: { node_sets: { workers: { size } } } });
  await site.api("PATCH", `clusters/${id}`, resize(3));
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const [bound = 0, grown = 0] = places(site.calls, [
    /^POST \/v2.0\/ports$/,
    /^PATCH .*\/nodepools\//,
  ]);
  expect(bound).toBeLessThan(grown);
  expect(ownedKinds(site)).toMatchObject({ host: 3, port_binding: 6 });

  site.calls.length = 0;
  await site.api("PATCH", `clusters/${id}`, resize(1));
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const [shrunk = 0, unbound = 0] = places(site.calls, [
    /^PATCH .*\/nodepools\//,
    /^DELETE \/v2.0\/ports\//,
  ]);
  expect(shrunk).toBeLessThan(unbound);
  expect(ownedKinds(site)).toMatchObject({ host: 1, port_binding: 2 });
  expect(await wrongInBooks(site)).toEqual([]);
});

it("50 orders at once for 20 VLANs, 10 floating IPs and 15 hosts: no number twice, waits name what is short, all comes back", async () => {
  const site = await openSite({
    network: {
      vlans: { first: 100, last: 119 },
      floating_ips: { first: "203.0.113.100", last: "203.0.113.109" },
      rest_minutes: 5,
    },
  });
  for (const n of [7, 8, 9]) {
    const spec = {
      host_type: "fc430",
      hub: "hub-a",
      bmc: { address: `redfish-virtualmedia://192.168.9.${n}/redfish/v1/Systems/1` },
      nics: [
        { name: "eno1", mac: `52:54:00:0a:0b:0${n}`, switch: "leaf-a1", port: `Ethernet1/9${n}` },
      ],
    };
    site.world.addHost({ name: `fc430-a-0${n}`, ...spec, discovered: true });
    await site.admin("POST", "hosts", { metadata: { name: `fc430-a-0${n}` }, spec });
  }
  await site.laptop.pass(6 * minute);

  const names = Array.from({ length: 50 }, (_, n) => `c${String(n).padStart(2, "0")}`);
  const ids = await Promise.all(
    names.map((name) => site.order(name, { node_sets: { workers: { size: 1 } } })),
  );
  await site.laptop.pass(27 * minute);
  const states = new Map<string, string[]>();
  for (const id of ids) {
    const { state } = (await site.cluster(id)).status;
    const [wait] = (await waits(site, id)) ?? [];
    const key = wait ? wait.step : state;
    states.set(key, [...(states.get(key) ?? []), wait?.message ?? ""]);
  }
  // Ten addresses are for five clusters; fifteen hosts for ten more, which wait for addresses.
  expect(states.get("CLUSTER_STATE_READY")).toHaveLength(5);
  expect(states.get("AllocateFloatingIps")).toHaveLength(10);
  expect(states.get("ReserveCapacity")).toHaveLength(35);
  for (const message of states.get("AllocateFloatingIps") ?? [])
    expect(message).toContain(
      "floating IPs (API and ingress of clusters) of site site-1: 10 of 10",
    );
  for (const message of states.get("ReserveCapacity") ?? [])
    expect(message).toContain("of type fc430");
  const held = (
    await Promise.all(ids.map((id) => mustLoad(recordsIn(site.laptop.store), "cluster", id)))
  ).map(({ site: own }) => own?.vlan);
  const vlans = held.filter((vlan) => vlan !== undefined);
  expect(new Set(vlans).size).toBe(15);
  expect((await site.admin("GET", "sites/site-1")).body.status.low).toContain("floating_ips");

  // One goes; the first of those who wait for addresses gets its two, after their rest.
  const ready = (await Promise.all(ids.map((id) => site.cluster(id)))).find(
    ({ status }) => status.state === "CLUSTER_STATE_READY",
  );
  await site.api("DELETE", `clusters/${ready.id}`);
  await site.settled(ready.id);
  await site.laptop.pass(27 * minute);
  const later = await Promise.all(
    ids.map(async (id) => (await site.api("GET", `clusters/${id}`)).body),
  );
  expect(later.filter(({ status }) => status?.state === "CLUSTER_STATE_READY")).toHaveLength(5);

  for (const { id } of later.filter(({ id }) => id !== undefined && id !== ready.id))
    await site.api("DELETE", `clusters/${id}`);
  await site.laptop.until(async () => (await site.api("GET", "clusters")).body.total === 0);
  await site.laptop.pass(15 * minute);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
  expect((await site.admin("GET", "sites/site-1")).body.status.low).toEqual([]);
}, 300_000);

it("a VLAN id that somebody has taken on the fabric is left to them, and another is taken", async () => {
  const site = await openSite({ network: { vlans: { first: 100, last: 103 } } });
  const { fabric } = world(site);
  fabric.run((state) =>
    state.make("network", {
      name: "theirs",
      admin_state_up: true,
      shared: false,
      external: false,
      mtu: 1500,
      physical_network: fabric.physicalNetwork,
      vlan: 100,
    }),
  );
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.admin("GET", `clusters/${id}`)).body.status.network.vlan).toBe(101);
});

it("a hub without a site leaves networks, names and storage to others", async () => {
  const site = await openSite();
  for (const hub of ["hub-a", "hub-b"])
    expect((await site.admin("PATCH", `hubs/${hub}`, { spec: { site: null } })).status).toBe(200);
  const id = await site.order("c1");
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.cluster(id)).status).not.toHaveProperty("network");
  expect(site.calls.some((call) => call.includes("/v2.0/"))).toBe(false);
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect(site.owned()).toEqual([]);
});

it("a template that holds what failed: kept for a look, adopted by a retry, given back by a deletion", async () => {
  const site = await openSite();
  site.world.faults.add({ target: "worker", operation: "JoinNodes", fault: "error", count: 2 });
  const order = { template: { id: "ocp_4_17_single_node" }, template_parameters: { site: "edge" } };
  const id = await site.order("c1", order);
  const failed = await site.settled(id);
  expect(failed.status).toMatchObject({
    state: "OPERATION_STATE_FAILED",
    failure: { step: "JoinNodes", given_back: false },
  });
  expect((await site.cluster(id)).status.failure).toMatchObject({ given_back: false });
  expect(ownedKinds(site)).toMatchObject({ HostedCluster: 1, network: 1, host: 1 });
  expect(await wrongInBooks(site)).toEqual([]);
  const { hosts } = (await site.admin("GET", `clusters/${id}`)).body.status;

  await site.api("POST", `clusters/${id}/retry`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_FAILED");
  await site.api("POST", `clusters/${id}/retry`);
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  expect((await site.admin("GET", `clusters/${id}`)).body.status.hosts).toEqual(hosts);
  expect((await site.cluster(id)).status.state).toBe("CLUSTER_STATE_READY");

  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("the AI template becomes READY once a GPU has done a computation", async () => {
  const site = await openSite();
  const id = await site.order("ai", { template: { id: "ocp_4_17_ai" } });
  const operation = await site.settled(id);
  expect(operation.status.state, JSON.stringify(operation.status.failure)).toBe(
    "OPERATION_STATE_SUCCEEDED",
  );
  await site.api("DELETE", `clusters/${id}`);
  await site.settled(id);
  expect(site.owned()).toEqual([]);
});

it.each([
  ["Delete", "CLUSTER GONE"],
  ["Retain", "WAITS"],
])(
  "volumes of a cluster whose class says %s when it is deleted: %s",
  async (reclaim_policy, outcome) => {
    const site = await openSite();
    await site.admin("POST", "cluster_templates", {
      id: "volumes",
      metadata: { name: "volumes" },
      node_sets: { workers: { host_type: "fc430", size: 1 } },
      storage: { storage_class: "rbd", reclaim_policy },
    });
    const id = await site.order("c1", { template: "volumes" });
    await site.settled(id);
    const { records } = world(site).storage;
    const [share] = records.namespaces();
    if (!share) throw new Error("the cluster has no share of the storage");
    const volume = { pool: share.pool, namespace: share.name, name: "pvc-1", size: 1 };
    records.addImage(volume);
    await site.api("DELETE", `clusters/${id}`);
    if (outcome === "WAITS") {
      await site.laptop.pass(30 * minute);
      const [wait] = await waits(site, id);
      expect(wait).toMatchObject({ step: "Undo AllocateStorage", system: "storage" });
      expect(wait.message).toContain("1 images in it");
      const { conditions } = (await site.cluster(id)).status;
      expect(JSON.stringify(conditions)).toContain("storage");
      records.removeImage(volume);
    }
    expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
    expect(site.owned()).toEqual([]);
  },
);

it("a pod network that overlaps the network of the hosts is refused, with both", async () => {
  const site = await openSite();
  const spec = { template: "ocp_4_17_small", network: { pod_cidr: "10.64.0.0/14" } };
  const ordered = await site.api("POST", "clusters", { metadata: { name: "c0" }, spec });
  expect(ordered.body.message).toBe(
    "validation failed: spec.network.pod_cidr: must not overlap 10.64.0.0/12, which the provider reserves for itself at a site where the cluster may be placed",
  );
  expect(site.owned()).toEqual([]);
  // One that was accepted before.
  const id = await site.order("c1", { network: { pod_cidr: "10.32.0.0/14" } });
  const { deps } = site.laptop;
  await changeObject(deps, "cluster", id, (cluster) => ({
    ...cluster,
    spec: { ...cluster.spec, network: { pod_cidr: "10.64.0.0/14" } },
  }));
  expect((await site.settled(id)).status.failure).toMatchObject({
    step: "CreateLayer3Network",
    message: expect.stringContaining("spec.network.pod_cidr 10.64.0.0/14 overlaps"),
  });
  expect(site.owned()).toEqual([]);
  expect(await wrongInBooks(site)).toEqual([]);
});

it("the default pod network is held to the network of the hosts as any other", async () => {
  const prefixes = { cidr: "10.128.0.0/16", length: 24 };
  const site = await openSite({ network: { prefixes } });
  // One that was accepted before.
  const id = await site.order("c1", { network: { pod_cidr: "10.32.0.0/14" } });
  await changeObject(site.laptop.deps, "cluster", id, (cluster) => ({
    ...cluster,
    spec: { ...cluster.spec, network: {} },
  }));
  expect((await site.settled(id)).status.failure).toMatchObject({
    step: "CreateLayer3Network",
    message: expect.stringContaining("spec.network.pod_cidr 10.128.0.0/14 overlaps"),
  });
  const other = await site.order("c2", { network: { pod_cidr: "10.32.0.0/14" } });
  expect((await site.settled(other)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
});

it("a site's identity provider is who people log in with, and its secret stays on the hub", async () => {
  const site = await openSite();
  const identity_provider = {
    name: "Acme",
    issuer: "https://login.example.com",
    client_id: "openshift",
    groups_claim: "groups",
  };
  const secrets = { identity_provider: "a-client-secret" };
  const spec = { identity_provider, secrets };
  expect((await site.admin("PATCH", "sites/site-1", { spec })).status).toBe(200);
  const id = await site.order("c1", { placement: { region: "eu-west" } });
  expect((await site.settled(id)).status.state).toBe("OPERATION_STATE_SUCCEEDED");
  const hub = site.world.hub("hub-a").cluster;
  const [hosted] = hub.list("HostedCluster");
  expect(hosted?.spec).toMatchObject({
    configuration: {
      oauth: { identityProviders: [{ name: "Acme", openID: { clientID: "openshift" } }] },
    },
  });
  // There is no kubeadmin beside it.
  expect((await site.api("GET", `clusters/${id}/password`)).status).not.toBe(200);
  expect(JSON.stringify(await site.admin("GET", "sites/site-1"))).not.toContain("a-client-secret");
  expect(JSON.stringify(await site.admin("GET", `clusters/${id}`))).not.toContain(
    "a-client-secret",
  );
});
