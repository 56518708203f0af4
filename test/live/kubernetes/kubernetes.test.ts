import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { startAgent } from "../../../agent/agent.ts";
import { systemClock } from "../../../core/clock.ts";
import { writeYaml } from "../../../core/kernel/input/yaml.ts";
import { silent } from "../../../core/log.ts";
import { checkHub } from "../../../core/ports/hub/check.ts";
import { KubernetesHub } from "../../../core/ports/hub/kubernetes-hub.ts";
import type { Message } from "../../../core/ports/hub/news.ts";
import { agentNamespace } from "../../../core/ports/hub/reported-kinds.ts";
import { rightsObjects } from "../../../core/ports/hub/rights-objects.ts";
import type { KubeObject, ObjectName } from "../../../core/ports/kubernetes/kube-object.ts";
import { NotNow } from "../../../core/ports/kubernetes/not-now.ts";
import {
  group,
  network,
  plan,
  prefixes,
  rules,
  subnet,
} from "../../core/ports/network/contract.ts";
import { deployment } from "../../support/deployment.ts";
import { eventually } from "../../support/eventually.ts";
import { failureOf } from "../../support/failure.ts";
import { cleared } from "./fixture.ts";
import { contractsOfHub } from "./hub.ts";
import { missing, type Oracle, prepared } from "./oracle.ts";

/** One file, since each test clears the one server. */

if (missing !== undefined) it.skip(missing);

const hypershift = "hypershift.openshift.io/v1beta1";

describe.skipIf(missing !== undefined)("on a real Kubernetes API server", () => {
  let oracle: Oracle;
  let hub: KubernetesHub;
  const order = deployment({ api: { address: "192.0.2.10" } });
  const { namespace } = order;
  const named = (apiVersion: string, kind: string, name: string, where?: string): ObjectName => ({
    ...{ apiVersion, kind },
    metadata: { name, ...(where !== undefined && { namespace: where }) },
  });
  const hostedCluster = named(hypershift, "HostedCluster", order.hostedCluster, namespace);
  const nodePools = order.nodeSets.map(({ nodePool }) =>
    named(hypershift, "NodePool", nodePool, namespace),
  );
  const read = async (name: ObjectName): Promise<KubeObject> => {
    const found = await oracle.admin.read(name);
    if (!found) throw new Error(`there is no ${name.kind} ${name.metadata.name}`);
    return found;
  };
  const holding = (finalizers: string[] | null) => () => ({ metadata: { finalizers } }) as never;

  beforeAll(async () => {
    oracle = await prepared();
    hub = new KubernetesHub({ connection: oracle.slipway, wall: systemClock });
  }, 120_000);
  beforeEach(async () => {
    await cleared(oracle.admin);
    for (const name of order.nodeSets.flatMap(({ agents }) => agents))
      await oracle.admin.apply({
        ...named("agent-install.openshift.io/v1beta1", "Agent", name, agentNamespace),
        spec: { approved: false, role: "" },
      } as never);
  });
  afterAll(async () => {
    await hub?.close();
    await cleared(oracle.admin);
    await oracle.admin.close();
  });
  const deploy = async () => {
    await hub.clusters.ensureControlPlane(order);
    await hub.clusters.ensureNodePools(order);
  };

  it("the printed rights are applied once, and a second time change nothing", () => {
    const input = rightsObjects().map(writeYaml).join("---\n");
    const apply = () =>
      execFileSync("kubectl", ["--kubeconfig", process.env.KUBE_ORACLE ?? "", "apply", "-f", "-"], {
        ...{ input, encoding: "utf8" },
      });
    apply();
    for (const line of apply().trim().split("\n")) expect(line).toMatch(/ unchanged$/);
  });

  it("the account with these rights passes every check", async () => {
    const { checks } = await checkHub({ connection: oracle.slipway, wall: systemClock });
    expect(checks.length).toBeGreaterThan(60);
    expect(checks.filter(({ outcome }) => outcome !== "ok")).toEqual([]);
  });

  describe("an order", () => {
    it("is stored as it was sent, and a second time changes nothing", async () => {
      await deploy();
      const objects = [hostedCluster, ...nodePools];
      const before = await Promise.all(objects.map(read));
      await deploy();
      expect(await Promise.all(objects.map(read))).toEqual(before);
    });

    it("changes nothing that a typed operator has written back whole", async () => {
      await deploy();
      // metav1.Duration is written as Go writes it.
      for (const pool of nodePools) {
        const { spec } = await read(pool);
        const nodeDrainTimeout = z.string().parse(spec?.nodeDrainTimeout);
        const [minutes] = /^\d+/.exec(nodeDrainTimeout) ?? [];
        await oracle.admin.change(pool, () => ({ spec: { nodeDrainTimeout: `${minutes}m0s` } }));
      }
      const before = await Promise.all(nodePools.map(read));
      await deploy();
      const generations = (all: KubeObject[]) => all.map(({ metadata }) => metadata.generation);
      expect(generations(await Promise.all(nodePools.map(read)))).toEqual(generations(before));
    });

    it("is removed once what holds it lets go, and says what does", async () => {
      await deploy();
      await oracle.admin.change(hostedCluster, holding(["example.com/hold"]));
      await hub.clusters.removeHostedCluster(order);
      await hub.clusters.removeHostedCluster(order);
      const held = (await hub.clusters.read(order)).find(({ kind }) => kind === "HostedCluster");
      expect(held?.object.metadata.deletionTimestamp).toBeDefined();
      expect(await failureOf(hub.clusters.removeNamespace(order))).toMatchObject({
        kind: "Unavailable",
      });
      await oracle.admin.change(hostedCluster, holding(null));
      await eventually(async () => {
        await hub.clusters.removeHostedCluster(order);
        expect(await oracle.admin.read(hostedCluster)).toBeUndefined();
      });
      await hub.clusters.removeNodePools(order, []);
      for (const set of order.nodeSets)
        for (const agent of set.agents) await hub.agents.release(order, agent);
      await eventually(async () => {
        await hub.clusters.removeNamespace(order);
        expect(await hub.observeAll(["cluster"])).toEqual([]);
      });
    });
  });

  describe("a network", () => {
    const cudn = named("k8s.ovn.org/v1", "ClusterUserDefinedNetwork", `slipway-${subnet.name}`);
    const make = async () => {
      await hub.networks.ensureNetwork(network, prefixes);
      await hub.networks.ensureSubnet(subnet, plan);
      await hub.networks.ensureGroup(group, rules(1, 443));
    };

    it("is stored as it was sent, a second time changes nothing, and goes once it is let go", async () => {
      await make();
      const before = await read(cudn);
      await make();
      expect(await read(cudn)).toEqual(before);
      await oracle.admin.change(cudn, holding(["example.com/hold"]));
      await hub.networks.removeGroup(group);
      expect(await hub.networks.removeSubnet(subnet)).not.toMatchObject({ state: "absent" });
      await oracle.admin.change(cudn, holding(null));
      await eventually(async () => {
        await hub.networks.removeSubnet(subnet);
        expect(await oracle.admin.read(cudn)).toBeUndefined();
        await hub.networks.removeNetwork(network);
        expect(await hub.observeAll(["network", "subnet", "security_group"])).toEqual([]);
      });
    });
  });

  describe("webhooks", () => {
    let silentServer: Server;
    let port: number;
    beforeAll(async () => {
      // Takes connections, and never says anything.
      silentServer = createServer(() => {});
      await new Promise<void>((resolve) => silentServer.listen(0, "127.0.0.1", resolve));
      port = z.object({ port: z.number() }).parse(silentServer.address()).port;
    });
    afterAll(async () => {
      await oracle.admin.remove(webhook);
      silentServer.close();
    });
    const webhook = named(
      "admissionregistration.k8s.io/v1",
      "ValidatingWebhookConfiguration",
      "slipway-test",
    );
    const install = (failurePolicy: "Ignore" | "Fail", timeoutSeconds: number, to = port) =>
      oracle.admin.applyStrictly({
        ...webhook,
        webhooks: [
          {
            ...{ name: "a.example.com", failurePolicy, timeoutSeconds, sideEffects: "None" },
            admissionReviewVersions: ["v1"],
            clientConfig: { url: `https://127.0.0.1:${to}/`, caBundle: caOf(oracle) },
            rules: [
              {
                ...{ apiGroups: ["hypershift.openshift.io"], apiVersions: ["*"] },
                ...{ operations: ["CREATE", "UPDATE"], resources: ["hostedclusters"] },
              },
            ],
          },
        ],
      } as never);

    it("that hangs and may be ignored keeps no order from going on", async () => {
      // As long as Kubernetes waits by default, and as Slipway waits for reads.
      await install("Ignore", 10);
      await eventually(async () => {
        const began = systemClock.now();
        await hub.clusters.ensureControlPlane(order);
        expect(systemClock.now() - began).toBeGreaterThan(9000);
      });
      await read(hostedCluster);
    }, 120_000);

    it("that is down and must not be ignored is named", async () => {
      await install("Fail", 1, 1);
      await eventually(async () => {
        const error = await failureOf(hub.clusters.ensureControlPlane(order));
        expect(error).toBeInstanceOf(NotNow);
        expect(error.message).toBe(
          "the hub's webhook 'a.example.com' fails (connection refused): its administrator has to repair it or its configuration",
        );
      });
    }, 60_000);
  });

  it("a kind that it does not serve is named, with what to install", async () => {
    const object = named("k8s.ovn.org/v9", "ClusterUserDefinedNetwork", "slipway-x");
    expect(await failureOf(oracle.admin.apply(object))).toMatchObject({
      kind: "Rejected",
      message:
        "the hub has no kind ClusterUserDefinedNetwork (k8s.ovn.org/v9): install OVN-Kubernetes with user-defined networks there, in a version that serves it",
    });
  });

  it("the agent reports what there is and each change, and nothing that it may not", async () => {
    const messages: Message[] = [];
    const agent = startAgent({
      connection: oracle.slipway,
      report: async (message) => void messages.push(message),
      ...{ clock: systemClock, wall: systemClock, log: silent, heartbeatEvery: 1000, apart: 0 },
    });
    const told = () =>
      messages.flatMap(({ news }) =>
        news.map(
          ({ kind, deleted, object }) => `${deleted ? "-" : "+"}${kind} ${object.metadata.name}`,
        ),
      );
    await eventually(() => expect(agent.state().unwatched).toEqual([]));
    await eventually(() =>
      expect(told().filter((each) => each.startsWith("+Agent"))).toHaveLength(3),
    );
    await deploy();
    await eventually(() => expect(told()).toContain(`+HostedCluster ${order.hostedCluster}`));
    await hub.clusters.removeHostedCluster(order);
    await eventually(() => expect(told()).toContain(`-HostedCluster ${order.hostedCluster}`));
    await agent.stop();
    expect(messages.flatMap(({ unwatched = [] }) => unwatched)).toEqual([]);
    expect(JSON.stringify(messages)).not.toContain("managedFields");
  });
});

/** The server's own authority, in the form of a webhook's configuration. */
const caOf = ({ connection }: Oracle): string =>
  Buffer.from(connection.ca ?? "").toString("base64");

describe.skipIf(missing !== undefined)("a hub on a real Kubernetes API server", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await prepared();
  }, 120_000);

  contractsOfHub(() => oracle);
});
