import { HubApi } from "../../../../../core/ports/kubernetes/api.ts";
import { ovnKubernetesNetworks } from "../../../../../core/ports/network/ovn-kubernetes/networks.ts";
import { openDatabase } from "../../../../../sim/database.ts";
import { hubKinds } from "../../../../../sim/kinds.ts";
import { kubernetesApi } from "../../../../../sim/kubernetes/api.ts";
import { KubeCluster, type KubeObject } from "../../../../../sim/kubernetes/cluster.ts";
import { masters } from "../../../../../sim/kubernetes/rbac.ts";
import { ControlLoop } from "../../../../../sim/operators/control-loop.ts";
import { Marks } from "../../../../../sim/operators/marks.ts";
import { namespaces } from "../../../../../sim/operators/namespaces.ts";
import { hubPackets } from "../../../../../sim/operators/packets.ts";
import {
  podsInNetworks,
  userDefinedNetworks,
} from "../../../../../sim/operators/user-defined-networks.ts";
import { seeded } from "../../../../support/random.ts";
import { VirtualClock } from "../../../../support/virtual-clock.ts";

/** Tenants' networks on the API server of a simulated hub, with OVN-Kubernetes' controllers, in virtual time. */
export function hubFixture() {
  const clock = new VirtualClock();
  const database = openDatabase(":memory:");
  const cluster = new KubeCluster({
    ...{ database, name: "hub-1", kinds: hubKinds, clock, random: seeded(1) },
    hasNamespaceController: true,
  });
  const world = { cluster, marks: new Marks(database, clock) };
  new ControlLoop(cluster, [
    namespaces(cluster, world.marks),
    userDefinedNetworks(world),
    podsInNetworks(world),
  ]).start();
  const api = kubernetesApi(cluster, {
    authenticate: () => ({ name: "slipway", groups: [masters] }),
  });
  const networks = ovnKubernetesNetworks(
    new HubApi({
      connection: { server: "https://hub.test:6443", token: "the-token" },
      wall: clock,
      timeout: 10_000,
      fetch: async (input, init) => api(new Request(input, init)),
    }),
  );
  return {
    networks,
    cluster,
    packets: hubPackets(cluster),
    ours: () => ofTenants(cluster),
    run: <T>(call: Promise<T>) => clock.until(call),
    pass: (milliseconds: number) => clock.advance(milliseconds),
    prepare: async () => {},
    owned: () => ownedIn(cluster),
    close: async () => database.close(),
  };
}

const kinds = ["Namespace", "ClusterUserDefinedNetwork", "NetworkPolicy"];
const ofTenants = (cluster: KubeCluster): KubeObject[] =>
  kinds
    .flatMap((kind) => cluster.list(kind))
    .filter(({ metadata }) => metadata.labels?.["slipway.dev/tenant"] !== undefined);

/** What tenants' networks have on a hub, by the kinds of the owners. */
export const ownedIn = (cluster: KubeCluster): string[] =>
  ofTenants(cluster).map(({ metadata }) => {
    const labels = Object.keys(metadata.labels ?? {});
    const owner = labels.find((each) => /^slipway\.dev\/(?!tenant)/.test(each)) ?? "";
    return owner.slice("slipway.dev/".length);
  });
