import type { DatabaseSync } from "node:sqlite";
import { minutes, seconds, systemClock } from "../../core/clock.ts";
import type { GuestObservation } from "../../core/ports/guest/guest.ts";
import { KubernetesGuest } from "../../core/ports/guest/kubernetes/kubernetes.ts";
import { openDatabase } from "../../sim/database.ts";
import { guestControllers, prepareGuest } from "../../sim/guest/guest.ts";
import { serving } from "../../sim/guest/serving.ts";
import { createWayIn } from "../../sim/guest/way-in.ts";
import { hostedKinds } from "../../sim/kinds.ts";
import { kubernetesApi } from "../../sim/kubernetes/api.ts";
import { KubeCluster } from "../../sim/kubernetes/cluster.ts";
import { clusterVersion, createClusterVersion } from "../../sim/operators/cluster-version.ts";
import { ControlLoop } from "../../sim/operators/control-loop.ts";
import { Marks } from "../../sim/operators/marks.ts";
import { addNode, nodes } from "../../sim/operators/nodes.ts";
import { seeded } from "./random.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface TestGuest {
  clock: VirtualClock;
  cluster: KubeCluster;
  database: DatabaseSync;
  client: KubernetesGuest;
  /** Of writes, as the server saw them. */
  requests: { method: string; path: string; query: string }[];
  /** Names that lead nowhere. */
  unknownNames: Set<string>;
  /** Answers in place of the cluster when it returns something. */
  intercept: (request: Request) => Response | undefined;
  /** Joins nodes; they are Ready a little later. */
  join(...names: string[]): void;
  /** Joins a node with 8 GPUs. */
  joinGpuServer(name: string): void;
  /** The same cluster, opened from its database as after a kill. */
  reopen(): TestGuest;
  stop(): Promise<void>;
}

const domain = "demo.tenant-a.example.com";
const version = "v1.30.7";
const release = { image: "quay.io/openshift-release-dev/ocp-release:4.17.9", version: "4.17.9" };

/** A hosted cluster by itself, in virtual time and in process. */
export function testGuest(
  clock = new VirtualClock(),
  database: DatabaseSync = openDatabase(":memory:"),
): TestGuest {
  const random = seeded(clock.now());
  const cluster = new KubeCluster({ database, name: "guest", kinds: hostedKinds, clock, random });
  const marks = new Marks(database, clock);
  prepareGuest(cluster);
  createClusterVersion(cluster, release);
  createWayIn(cluster, domain);
  const unknownNames = new Set<string>();
  const loop = new ControlLoop(cluster, [
    nodes(cluster, marks),
    clusterVersion(cluster, marks, (name) => !unknownNames.has(name)),
    ...guestControllers(cluster, marks),
  ]);
  loop.start();
  const api = kubernetesApi(cluster, { authenticate: () => "admin", ...serving(cluster, marks) });
  const requests: TestGuest["requests"] = [];
  const guest: TestGuest = {
    clock,
    cluster,
    database,
    requests,
    unknownNames,
    intercept: () => undefined,
    client: new KubernetesGuest({
      connection: { server: "https://guest.invalid:6443", token: "t" },
      wall: systemClock,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const { method } = request;
        const { pathname: path, search: query } = new URL(request.url);
        if (method !== "GET") requests.push({ method, path, query });
        return guest.intercept(request) ?? api(request);
      },
    }),
    join: (...names) => {
      for (const name of names) addNode(cluster, { name, version });
    },
    joinGpuServer: (name) => addNode(cluster, { name, version, gpus: 8 }),
    reopen: () => {
      loop.stop();
      return testGuest(clock, database);
    },
    stop: async () => {
      loop.stop();
      await guest.client.close();
      database.close();
    },
  };
  return guest;
}

/** Looks again and again, as a step does, until it is done or failed; answers all that it said. */
export async function untilSettled(
  { clock }: Pick<TestGuest, "clock">,
  look: () => Promise<GuestObservation>,
  limit = minutes(30),
): Promise<GuestObservation[]> {
  const said: GuestObservation[] = [];
  for (let passed = 0; passed <= limit; passed += seconds(5)) {
    const observation = await look();
    if (JSON.stringify(said.at(-1)) !== JSON.stringify(observation)) said.push(observation);
    if (observation.state !== "pending") return said;
    await clock.advance(seconds(5));
  }
  throw new Error(`still not settled: ${JSON.stringify(said)}`);
}

/** What each of the observations waits for, or says. */
export const wordsOf = (said: GuestObservation[]): string[] =>
  said.map((one) =>
    one.state === "pending" ? one.waitingFor : one.state === "failed" ? one.message : one.state,
  );
