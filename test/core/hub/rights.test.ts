import { expect, test } from "vitest";
import { systemClock } from "../../../core/clock.ts";
import type { Right } from "../../../core/hub/api.ts";
import { agentNamespace } from "../../../core/hub/hub.ts";
import { KubernetesHub } from "../../../core/hub/kubernetes.ts";
import { metalLbNamespace } from "../../../core/hub/objects.ts";
import { rights } from "../../../core/hub/rights.ts";
import { kubernetesApi } from "../../../sim/kubernetes/api.ts";
import { deployment } from "../../support/deployment.ts";
import { TestHub } from "../../support/hub-api.ts";

/** Rights in one namespace are told apart where that namespace is the hub's, and not an order's. */
const words = ({ verb, group, resource, namespace }: Right) => {
  const isHubs = namespace === agentNamespace || namespace === metalLbNamespace;
  return `${verb} ${resource}.${group}${isHubs ? ` in ${namespace}` : ""}`;
};

test("the rights that are asked for are those that an order's life uses", async () => {
  const used = new Set<string>();
  const hub = new TestHub();
  const metadata = { name: metalLbNamespace };
  hub.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata });
  const api = kubernetesApi(hub.cluster, {
    authenticate: () => "slipway",
    authorize: (attributes) => {
      used.add(words(attributes));
      return true;
    },
  });
  const client = new KubernetesHub({
    connection: { server: "https://hub.example.com", token: "any" },
    wall: systemClock,
    fetch: async (input, init) => api(new Request(input, init)),
  });
  const order = deployment({ api: { address: "192.0.2.10" } });
  const agents = order.nodeSets.flatMap((set) => set.agents);
  for (const agent of agents) hub.createAgent(agent);

  await client.probe();
  await client.ensureControlPlane(order);
  await client.ensureNodePools(order);
  const [set] = order.nodeSets;
  const release = { version: "4.18.1", image: "quay.io/ocp:4.18.1" };
  await client.setRelease(order, release.image);
  await client.withdrawRelease(order, { ...release, image: order.releaseImage }, release);
  await client.setNodePoolRelease(order, set?.nodePool ?? "", release.image);
  await client.removeNodePools(order, []);
  const hostedCluster = hub.cluster.get("HostedCluster", order.namespace, order.hostedCluster);
  if (!hostedCluster) throw new Error("there is no HostedCluster");
  const status = { kubeconfig: { name: "admin-kubeconfig" } };
  hub.cluster.update({ ...hostedCluster, status }, { subresource: "status" });
  await client.readKubeconfig(order);
  await client.read(order);
  await client.readAll();
  for (const agent of agents) await client.releaseAgent(order, agent);
  await client.removeHostedCluster(order);
  await client.removeNamespace(order);
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
