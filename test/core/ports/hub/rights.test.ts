import { expect, it } from "vitest";
import * as z from "zod";
import { startAgent } from "../../../../agent/agent.ts";
import { type Clock, systemClock } from "../../../../core/clock.ts";
import { silent } from "../../../../core/log.ts";
import { checkHub } from "../../../../core/ports/hub/check.ts";
import { metalLbNamespace } from "../../../../core/ports/hub/clusters/hypershift/objects.ts";
import { KubernetesHub } from "../../../../core/ports/hub/kubernetes-hub.ts";
import { agentNamespace } from "../../../../core/ports/hub/reported-kinds.ts";
import { rights } from "../../../../core/ports/hub/rights.ts";
import type { Fetch } from "../../../../core/ports/kubernetes/connection.ts";
import type { Right } from "../../../../core/ports/kubernetes/right.ts";
import { kubernetesApi } from "../../../../sim/kubernetes/api.ts";
import { makeAuthority, signClientRequest } from "../../../../sim/kubernetes/certificates.ts";
import { deployment, type Order, ownerIn } from "../../../support/deployment.ts";
import { eventually } from "../../../support/eventually.ts";
import { TestHub } from "../../../support/hub-api.ts";
import { signingRequest } from "../../../support/signing-request.ts";
import { group, network, plan, prefixes, rules as rulesOf, subnet } from "../network/contract.ts";

/** Rights in one namespace are told apart where that namespace is the hub's, and not an order's. */
const words = ({ verb, group, resource, namespace }: Right) => {
  const isHubs = namespace === agentNamespace || namespace === metalLbNamespace;
  return `${verb} ${resource}.${group}${isHubs ? ` in ${namespace}` : ""}`;
};

/** Who waits has waited; a request takes no time. */
const hasty: Clock = {
  now: () => systemClock.now(),
  after: (ms, fn) => systemClock.after(ms < 1000 ? 0 : ms, fn),
};

const kubeconfig = JSON.stringify({
  contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
  clusters: [{ name: "k", cluster: { server: "https://guest.example.com:6443" } }],
  users: [{ name: "u", user: { token: "t" } }],
});

/** The second takes away what is left of the first, which is old. */
async function issueTwo(hub: TestHub, client: KubernetesHub, order: Order): Promise<void> {
  const authority = await makeAuthority("signer");
  hub.cluster.watch("CertificateSigningRequest", ({ type, object }) => {
    const { request } = z.object({ request: z.string() }).parse(object.spec);
    if (type === "ADDED") void sign(object.metadata.name, request);
  });
  const sign = async (name: string, request: string) => {
    const pem = Buffer.from(request, "base64").toString();
    const signing = { now: Date.now(), lifetime: 86_400 };
    const certificate = await signClientRequest(authority, pem, signing);
    const status = { certificate: Buffer.from(certificate).toString("base64") };
    hub.cluster.patchStatus("CertificateSigningRequest", undefined, name, () => status);
  };
  for (const user of ["ann", "bob"]) {
    const request = { csr: await signingRequest(user), user };
    expect(await client.credentials.issueCredential(order, request)).toMatchObject({
      outcome: "issued",
    });
    const { kinds, store } = hub.cluster;
    const kind = kinds.named("CertificateSigningRequestApproval");
    for (const each of store.list(kind)) {
      const metadata = { ...each.metadata, creationTimestamp: "2020-01-01T00:00:00Z" };
      store.put(kind, { ...each, metadata }, each);
    }
  }
}

/** What the operators of a hub make of an agent that a node pool has taken. */
function addMachine(hub: TestHub, { controlPlaneNamespace: namespace }: Order, agent: string) {
  hub.cluster.create({
    ...{ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  });
  const { name, uid } = hub.cluster.create({
    ...{ apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Machine" },
    ...{ metadata: { namespace, name: "m-1" }, spec: {} },
  }).metadata;
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Machine", name, uid };
  hub.cluster.create({
    ...{ apiVersion: "capi-provider.agent-install.openshift.io/v1beta1", kind: "AgentMachine" },
    ...{ metadata: { namespace, name: "m-1", ownerReferences: [owner] }, spec: {} },
  });
  hub.cluster.patchStatus("AgentMachine", namespace, "m-1", () => ({
    agentRef: { namespace: agentNamespace, name: agent },
  }));
}

/** Claims a BareMetalHost, and gives it up. */
async function useServer(hub: TestHub, { metal3 }: KubernetesHub): Promise<void> {
  const at = { namespace: "servers", name: "rack-1-01" };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: at.namespace } };
  hub.cluster.create(namespace);
  hub.cluster.create({
    ...{ apiVersion: "metal3.io/v1alpha1", kind: "BareMetalHost", metadata: at },
    spec: { online: false, bootMACAddress: "52:54:00:00:01:01", bmc: { address: "redfish://bmc" } },
  });
  const server = await metal3.server({ at, host: "host-1" });
  await server.powerOn();
  await server.giveUp?.("host-1");
}

/** Makes a network with a subnet and a group, and takes it away. */
async function useNetworks(hub: TestHub, { networks }: KubernetesHub): Promise<void> {
  await networks.ensureNetwork(network, prefixes);
  await networks.ensureSubnet(subnet, plan);
  const name = `slipway-${subnet.name}`;
  hub.cluster.patchStatus("ClusterUserDefinedNetwork", undefined, name, () => ({
    conditions: [{ type: "NetworkCreated", status: "True" }],
  }));
  await networks.ensureSubnet(subnet, plan);
  await networks.ensureGroup(group, rulesOf(1, 443));
  await networks.removeGroup(group);
  await networks.removeSubnet(subnet);
  await networks.removeNetwork(network);
}

it("the rights that are asked for are those that the product uses on a hub", async () => {
  const used = new Set<string>();
  const hub = new TestHub();
  const api = kubernetesApi(hub.cluster, {
    authenticate: () => "slipway",
    authorize: (attributes) => {
      used.add(words(attributes));
      return true;
    },
  });
  const connection = { server: "https://hub.example.com", token: "any" };
  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    // To ask whether one may is not to do it.
    const isReview = request.url.endsWith("/selfsubjectaccessreviews");
    return isReview ? Response.json({ status: { allowed: true } }) : api(request);
  };
  const client = new KubernetesHub({ connection, wall: hasty, fetch });
  const order = deployment({ api: { address: "192.0.2.10" } });
  const agents = order.nodeSets.flatMap((set) => set.agents);
  for (const agent of agents) hub.createAgent(agent);

  const { checks } = await checkHub({ connection, wall: hasty, fetch });
  expect(checks.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
  const agent = startAgent({
    ...{ connection, fetch, report: async () => {}, log: silent, heartbeatEvery: 60_000 },
    ...{ clock: systemClock, wall: systemClock },
  });
  await eventually(() => expect(agent.state().unwatched).toEqual([]));
  await agent.stop();
  await client.probe();
  await client.clusters.ensureControlPlane(order);
  const [access] = hub.cluster
    .list("RoleBinding", { namespace: order.namespace })
    .filter(({ metadata }) => metadata.name === "hub-access");
  expect(access).toMatchObject({ subjects: [{ kind: "User", name: "slipway" }] });
  await client.clusters.ensureNodePools(order);
  addMachine(hub, order, agents[0] ?? "");
  await client.clusters.letLeaveFirst(order, agents);
  const [set] = order.nodeSets;
  const release = { version: "4.18.1", image: "quay.io/ocp:4.18.1" };
  await client.clusters.setRelease(order, release.image);
  await client.clusters.withdrawRelease(order, { ...release, image: order.releaseImage }, release);
  await client.clusters.setNodePoolRelease(order, set?.nodePool ?? "", release.image);
  await client.clusters.removeNodePools(order, []);
  const hostedCluster = hub.cluster.get("HostedCluster", order.namespace, order.hostedCluster);
  if (!hostedCluster) throw new Error("there is no HostedCluster");
  const status = { kubeconfig: { name: "admin-kubeconfig" } };
  hub.cluster.update({ ...hostedCluster, status }, { subresource: "status" });
  const data = { kubeconfig: Buffer.from(kubeconfig).toString("base64") };
  const { namespace } = order;
  const secret = { namespace, name: status.kubeconfig.name };
  hub.cluster.create({ apiVersion: "v1", kind: "Secret", metadata: secret, data });
  await issueTwo(hub, client, order);
  await client.credentials.revokeCredentials(order);
  await client.clusters.read(order);
  await client.readAll();
  await client.observeAll(["cluster"]);
  for (const agent of agents) await client.agents.release(ownerIn(order), agent);
  hub.cluster.create({
    ...{ apiVersion: "agent-install.openshift.io/v1beta1", kind: "InfraEnv" },
    ...{ metadata: { namespace: agentNamespace, name: "discovery" }, spec: {} },
  });
  hub.cluster.patchStatus("InfraEnv", agentNamespace, "discovery", () => ({
    isoDownloadURL: "https://images.example.com/discovery.iso",
  }));
  expect(await client.agents.discoveryImage()).toBe("https://images.example.com/discovery.iso");
  const [first = ""] = agents;
  await client.agents.admit(first, { name: "host-1", hostType: "fc430" });
  await client.agents.hardware(first);
  await client.agents.forget(first);
  await useServer(hub, client);
  await useNetworks(hub, client);
  await client.clusters.removeHostedCluster(order);
  await client.clusters.removeNamespace(order);
  await client.close();

  const table = new Set(rights.map(words));
  const covers = (right: string) => table.has(right) || table.has(right.replace(/^\w+/, "*"));
  expect([...used].filter((right) => !covers(right))).toEqual([]);
  // An apply is a patch; it needs `create` too where it makes the object. `bind` is asked within.
  const implied = [...table].filter((right) => !/^(create|bind|\*) /.test(right));
  // The simulated hub has no ACM.
  const unused = implied.filter((right) => !used.has(right) && !/managedclusters/.test(right));
  expect(unused).toEqual([]);
});
