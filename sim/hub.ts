import type { Timer } from "../core/clock.ts";
import { ownAccount } from "../core/ports/hub/own-account.ts";
import { agentNamespace } from "../core/ports/hub/reported-kinds.ts";
import { tokenSecretName } from "../core/ports/hub/rights-objects.ts";
import type { Machine } from "./bmc/machine.ts";
import { durations } from "./durations.ts";
import { faulty } from "./faulty.ts";
import { type Host, hostId } from "./host.ts";
import { HostedClusters, type Surroundings } from "./hosted-clusters.ts";
import type { HubOptions, HubRecord } from "./hub-options.ts";
import { installed } from "./installed.ts";
import { hubKinds } from "./kinds.ts";
import { kubernetesApi } from "./kubernetes/api.ts";
import { KubeCluster, type KubeInput } from "./kubernetes/cluster.ts";
import { masters, rbac } from "./kubernetes/rbac.ts";
import { ServiceAccountTokens } from "./kubernetes/service-account-tokens.ts";
import { lackAt } from "./kubernetes/start-up.ts";
import { askWebhooks } from "./kubernetes/webhooks.ts";
import { metal3 } from "./metal3/operator.ts";
import { agentMachines } from "./operators/agent-machines.ts";
import { isOnNetworkOf } from "./operators/agent-network.ts";
import { registerAgent, registerServer } from "./operators/agent-registration.ts";
import { assistedService } from "./operators/assisted-service.ts";
import {
  breakGlassAuthority,
  breakGlassRevocation,
  breakGlassSigning,
} from "./operators/break-glass.ts";
import { ControlLoop } from "./operators/control-loop.ts";
import { hostedClusters } from "./operators/hosted-clusters.ts";
import type { HubWorld } from "./operators/hub.ts";
import { discoveryImage, infraEnvs } from "./operators/infra-envs.ts";
import { machines } from "./operators/machines.ts";
import { Marks } from "./operators/marks.ts";
import { metallb } from "./operators/metallb.ts";
import { namespaces } from "./operators/namespaces.ts";
import { nodePools } from "./operators/node-pools.ts";
import { type Agent, controlPlaneNamespace, read } from "./operators/objects.ts";
import { hubPackets } from "./operators/packets.ts";
import { type ControlPlaneOn, isNamed, isReachableByClients } from "./operators/published-api.ts";
import { podsInNetworks, userDefinedNetworks } from "./operators/user-defined-networks.ts";
import type { PacketCarrier } from "./packets/packets.ts";
import { leadsTo } from "./site-effects.ts";
import { SiteLooks } from "./site-looks.ts";

/** A management cluster of the simulated world: its API, its operators, the clusters it hosts. */
export class Hub {
  readonly id: string;
  readonly region: string;
  readonly number: number;
  readonly cluster: KubeCluster;
  readonly hosted: HostedClusters;
  /** Packets between pods in primary networks. */
  readonly packets: PacketCarrier;
  readonly #record: HubRecord;
  readonly #options: HubOptions;
  readonly #world: HubWorld;
  readonly #loop: ControlLoop;
  readonly #tokens: ServiceAccountTokens;
  readonly #boots = new Map<string, Timer>();
  readonly #siteLooks: SiteLooks;
  /** When the hub's API server opened its port, and until when its pending answers continue. */
  #openedAt = 0;
  #connections = new AbortController();

  constructor(record: HubRecord, options: HubOptions) {
    const { database, clock, wall, random, servers, faults } = options;
    this.id = record.id;
    this.region = record.region;
    this.number = record.number;
    this.#record = record;
    this.#options = options;
    this.cluster = new KubeCluster({
      ...{ database, name: this.#name, kinds: hubKinds, clock, random },
      hasNamespaceController: true,
    });
    this.packets = hubPackets(this.cluster);
    this.#tokens = new ServiceAccountTokens(this.cluster, random);
    const marks = new Marks(database, clock);
    const { authority, identity } = record;
    this.hosted = new HostedClusters({
      database,
      hub: this.#name,
      clock,
      wall,
      random,
      marks,
      servers,
      authority: authority.certificate,
      identity,
      surroundings: (namespace) => this.#surroundings(namespace),
      onChange: (namespace) => this.#onHostedChange(namespace),
    });
    const world: HubWorld = {
      id: record.id,
      cluster: this.cluster,
      marks,
      random,
      hosted: this.hosted,
      site: options.site,
      servers: options.hardware,
      lookInto: (host) => this.#lookInto(host),
      host: options.host,
      failsInstallation: ({ name }) => faults.takeInstallation(record.id, name),
      holds: (what, { name }) => faults.holds(record.id, what, name),
    };
    this.#world = world;
    this.#loop = new ControlLoop(this.cluster, [
      namespaces(this.cluster, marks),
      infraEnvs(world),
      assistedService(world),
      hostedClusters(world),
      nodePools(world),
      machines(world),
      agentMachines(world),
      metallb(world),
      userDefinedNetworks(world),
      podsInNetworks(world),
      metal3({ cluster: this.cluster, ...options.metal }),
      breakGlassSigning(world),
      breakGlassRevocation(world),
    ]);
    this.#siteLooks = new SiteLooks({
      ...{ cluster: this.cluster, clock, site: options.site, host: options.host, loop: this.#loop },
      looked: () => this.hosted.wake(),
    });
  }

  /** The kubeconfig for Slipway, with only the rights that it needs. Undefined until the API server listens. */
  get kubeconfig(): string | undefined {
    const token = this.#tokens.token(ownAccount.namespace, tokenSecretName(ownAccount));
    return this.#options.servers.kubeconfig(this.#name, token);
  }

  /** The UID that identifies the hub's cluster. */
  get clusterUid(): string | undefined {
    return this.cluster.get("Namespace", undefined, "kube-system")?.metadata.uid;
  }

  /** The administrator's kubeconfig, for people. */
  get adminKubeconfig(): string | undefined {
    return this.#options.servers.kubeconfig(this.#name);
  }

  get server(): string | undefined {
    return this.#options.servers.url(this.#name);
  }

  start(): void {
    const { servers, faults, clock, wall, startUp } = this.#options;
    this.#openedAt = clock.now();
    this.#tokens.start();
    for (const object of installed(this.number)) this.#ensure(object);
    this.#loop.start();
    this.hosted.start();
    this.#siteLooks.start();
    servers.serve(this.#name, {
      handler: (token) => {
        const api = kubernetesApi(this.cluster, {
          authenticate: (given) => (given === token ? admin : this.#tokens.userOf(given)),
          authorize: rbac(this.cluster),
          admit: askWebhooks(this.cluster, wall),
          lacks: () => lackAt(clock.now() - this.#openedAt, startUp),
          wall,
        });
        const take = (operation: string) => faults.take(`hub:${this.id}`, operation);
        return faulty((request) => api(this.#untilRestart(request)), { take, clock, wall });
      },
      cluster: this.id,
      authority: this.#record.authority.certificate,
      identity: this.#record.identity,
    });
  }

  stop(): void {
    this.#siteLooks.stop();
    this.#loop.stop();
    this.#tokens.stop();
    this.hosted.stop();
    for (const timer of this.#boots.values()) timer.cancel();
    this.#boots.clear();
  }

  /** Restarts the API server: watches end, and its start-up begins anew. */
  restart(): void {
    this.#connections.abort();
    this.#connections = new AbortController();
    this.#openedAt = this.#options.clock.now();
  }

  /** Powers the machine on with the discovery image; its Agent is created with its first report. */
  boot(host: Host): void {
    const { clock, site } = this.#options;
    const { cluster } = this;
    const state = host.discovered ? "known-unbound" : "discovering-unbound";
    const register = () => {
      this.#boots.delete(host.id);
      if (registerAgent({ cluster, site }, host, state)) return;
      this.#boots.set(host.id, clock.after(durations.agentNetwork, register));
    };
    const wait = host.reports_at - clock.now();
    if (wait > 0) this.#boots.set(host.id, clock.after(wait, register));
    else register();
  }

  /** The URL of the hub's discovery image. */
  get image(): string | undefined {
    return discoveryImage(this.cluster);
  }

  /** Registers the agent of a server that runs this hub's discovery image; false when it cannot reach the hub. */
  register(host: Host): boolean {
    return registerServer(this.#world, host);
  }

  /** Runs operators for a server that is new, or now runs something else. */
  lookAt(host: Host): void {
    this.#loop.enqueue("InfraEnv", { namespace: agentNamespace, name: agentNamespace });
    const agent = this.cluster.get("Agent", agentNamespace, host.id);
    if (!agent) return;
    this.#loop.enqueue("Agent", agent.metadata);
    const { namespace } = read<Agent>(agent).spec.clusterDeploymentName ?? {};
    if (namespace === undefined) return;
    for (const { metadata } of this.cluster.list("Machine", { namespace }))
      this.#loop.enqueue("Machine", metadata);
  }

  /** The name of the hub in the database, and of its API server. */
  get #name(): string {
    return `hub-${this.#record.id}`;
  }

  #surroundings(namespace: string): Surroundings {
    const { resolves, site } = this.#options;
    const here: ControlPlaneOn = [this.cluster, namespace];
    return {
      clientAuthority: () => breakGlassAuthority(this.cluster, namespace),
      isReachable: () => isReachableByClients(site, here),
      resolves: (name, address) =>
        isNamed(here) ? leadsTo(site, name, address) : resolves(name, address),
      isLocal: (address) =>
        !isNamed(here) ||
        this.#hostsOf(namespace).some((host) => isOnNetworkOf(host, address, site)),
    };
  }

  #lookInto({ id, name }: Host): Machine | undefined {
    const { hardware, faults, host } = this.#options;
    const machine = hardware.machine(id);
    const other = faults.takeMac(name);
    const nics = other === undefined ? undefined : host(hostId(other))?.nics;
    return machine && nics ? { ...machine, macs: nics.map(({ mac }) => mac) } : machine;
  }

  /** The machines of a hosted cluster, by its control-plane namespace. */
  #hostsOf(namespace: string): Host[] {
    return this.cluster
      .list("Agent")
      .filter((agent) => read<Agent>(agent).spec.clusterDeploymentName?.namespace === namespace)
      .map(({ metadata }) => this.#options.host(metadata.name))
      .filter((host) => host !== undefined);
  }

  #onHostedChange(namespace: string): void {
    for (const hosted of this.cluster.list("HostedCluster")) {
      if (controlPlaneNamespace(hosted) !== namespace) continue;
      this.#loop.enqueue("HostedCluster", hosted.metadata);
    }
    for (const { metadata } of this.cluster.list("Machine", { namespace })) {
      this.#loop.enqueue("Machine", metadata);
    }
  }

  #untilRestart(request: Request): Request {
    // All requests except watches are answered at once.
    if (!/[?&]watch=/.test(request.url)) return request;
    const signal = AbortSignal.any([request.signal, this.#connections.signal]);
    return new Request(request, { signal });
  }

  #ensure(object: KubeInput): void {
    const { namespace, name = "" } = object.metadata;
    if (!this.cluster.get(object.kind, namespace, name)) this.cluster.create(object);
  }
}

const admin = { name: "admin", groups: [masters, "system:authenticated"] };
