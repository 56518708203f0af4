import * as z from "zod";
import { hours, minutes, seconds } from "../../../../core/clock.ts";
import type { HubClient } from "../../../../core/ports/hub/hub.ts";
import { KubernetesHub } from "../../../../core/ports/hub/kubernetes-hub.ts";
import { agentNamespace } from "../../../../core/ports/hub/reported-kinds.ts";
import type { Connection } from "../../../../core/ports/kubernetes/connection.ts";
import { parseKubeconfig } from "../../../../core/ports/kubernetes/kubeconfig.ts";
import type { Faults } from "../../../../sim/faults.ts";
import type { LedgerItem } from "../../../../sim/ledger.ts";
import { type Agent, read } from "../../../../sim/operators/objects.ts";
import type { Order } from "../../../support/deployment.ts";
import { orderOf, type TestWorld, testWorld } from "../../../support/sim-world.ts";
import type { VirtualClock } from "../../../support/virtual-clock.ts";

/** A simulated hub that a test has for itself, with free hosts on it. */
export interface HubFixture {
  hub: HubClient;
  /** The same hub, asked with credentials that it does not know. */
  stranger: HubClient;
  clock: VirtualClock;
  faults: Faults;
  /** An owner's order for hosts that nobody has. */
  order(size?: number): Order;
  /** What a call gives, while time passes as far as it needs. */
  run<T>(call: Promise<T>): Promise<T>;
  /** Everything in the world. */
  ledger(): LedgerItem[];
  /** Whether a thing is there for all clusters of the hub, and may stay when one goes. */
  isShared(item: LedgerItem): boolean;
  agent: AgentsThere;
  /** What another writes at the place where an order's things would be. */
  occupy(order: Order): void;
  /** The pull secret that an order's cluster has on the hub. */
  pullSecret(order: Order): string | undefined;
  /** A release that no registry has, and what the hub says of it. */
  unknownRelease: { image: string; refusal: RegExp };
  /** Asks hosted clusters too, by the URLs of their kubeconfigs. */
  fetch: typeof fetch;
  /** From now on an order's hosted cluster does not answer. */
  cutOff(order: Order): void;
  close(): Promise<void>;
}

/** The agents as they are on the hub, for one who looks and writes there beside us. */
export interface AgentsThere {
  labels(name: string): Record<string, string>;
  isApproved(name: string): boolean;
  label(name: string, labels: Record<string, string>): void;
  /** To the hosted cluster of this name; to none without. */
  bind(name: string, cluster?: string): void;
}

/** The API server on which a simulated hub's operators work, as Slipway reaches it. */
export interface HubServer {
  connection: Connection;
  fetch: typeof fetch;
  close(): Promise<void>;
}

/** The hub's own, simulated as well. */
const simulatedServer = async ({ world, hub }: TestWorld): Promise<HubServer> => ({
  connection: parseKubeconfig(hub.kubeconfig ?? ""),
  fetch: world.fetch,
  close: async () => {},
});

const secretData = z.object({ ".dockerconfigjson": z.string() });

/** A Kubernetes cluster with HyperShift and the assisted service on it. */
export async function kubernetesHub(serverOf = simulatedServer) {
  const simulated = await testWorld();
  const { world, clock, cluster, database } = simulated;
  const server = await serverOf(simulated);
  const { connection } = server;
  const connected = (token = connection.token) =>
    new KubernetesHub({
      connection: { ...connection, ...(token !== undefined && { token }) },
      wall: clock,
      fetch: server.fetch,
    });
  const hub = connected();
  const stranger = connected("a-wrong-token");
  const agentOf = (name: string) => {
    const found = cluster.get("Agent", agentNamespace, name);
    if (!found) throw new Error(`there is no agent ${name}`);
    return read<Agent>(found);
  };
  const fixture: HubFixture = {
    hub,
    stranger,
    clock,
    faults: world.faults,
    order: (size) => orderOf(cluster, size),
    run: (call) => whileTimePasses(clock, call),
    ledger: () => world.ledger(),
    isShared: ({ id }) => id.endsWith("/capi-provider-role"),
    agent: {
      labels: (name) => agentOf(name).metadata.labels ?? {},
      isApproved: (name) => agentOf(name).spec.approved,
      label: (name, labels) => {
        cluster.patch("Agent", agentNamespace, name, (agent) => ({
          ...agent,
          metadata: { ...agent.metadata, labels: { ...agent.metadata.labels, ...labels } },
        }));
      },
      bind: (name, to) => {
        cluster.patch("Agent", agentNamespace, name, (agent) => {
          const { clusterDeploymentName: _, ...free } = read<Agent>(agent).spec;
          if (to === undefined) return { ...agent, spec: free };
          const clusterDeploymentName = { name: to, namespace: `slipway-${to}` };
          return { ...agent, spec: { ...free, clusterDeploymentName } };
        });
      },
    },
    occupy: ({ namespace }) => {
      cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    },
    pullSecret: ({ namespace, name }) => {
      const secret = cluster.get("Secret", namespace, `pullsecret-cluster-${name}`);
      const { data } = secretData.safeParse(secret?.data);
      return data && Buffer.from(data[".dockerconfigjson"], "base64").toString();
    },
    unknownRelease: {
      image: "quay.io/openshift-release-dev/ocp-release:none",
      refusal: /^ValidReleaseImage: InvalidImage: /,
    },
    fetch: world.fetch,
    cutOff: ({ controlPlaneNamespace }) => simulated.hub.hosted.close(controlPlaneNamespace),
    close: async () => {
      await hub.close();
      await stranger.close();
      await server.close();
      await world.stop();
      database.close();
    },
  };
  return { ...fixture, simulated };
}

/** Moves the world on, a step at a time, until it is so. Fails when hours have passed. */
export async function passesUntil(
  clock: VirtualClock,
  condition: () => Promise<boolean>,
  step = minutes(1),
): Promise<void> {
  for (let passed = 0; !(await condition()); passed += step) {
    if (passed > hours(2)) throw new Error("two hours have passed and it is not so");
    await clock.advance(step);
  }
}

/** Lets time pass only once a call has nothing to do but wait. */
async function whileTimePasses<T>(clock: VirtualClock, call: Promise<T>): Promise<T> {
  let isSettled = false;
  const settled = () => {
    isSettled = true;
  };
  call.then(settled, settled);
  for (let round = 1; !isSettled; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.meanwhile();
    if (round % 50 === 0) await clock.advance(seconds(0.5));
  }
  return call;
}

/** What a hub may do to a request, and what a port makes of it. */
export const hubFaults = [
  [{ fault: "error", status: 429 }, "Unavailable"],
  [{ fault: "error", status: 500 }, "Unavailable"],
  [{ fault: "error", status: 503 }, "Unavailable"],
  [{ fault: "error", status: 401 }, "Unavailable"],
  [{ fault: "error", status: 422 }, "Rejected"],
  [{ fault: "error", status: 403 }, "Rejected"],
  [{ fault: "conflict", count: 0 }, "Unavailable"],
  [{ fault: "crash_before" }, "Unavailable"],
  [{ fault: "crash_after" }, "Unavailable"],
  [{ fault: "timeout" }, "Unavailable"],
] as const;
