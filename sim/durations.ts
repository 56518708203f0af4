import { hours, minutes, seconds } from "../core/clock.ts";

/**
 * The durations of the simulated world, in simulated milliseconds. Two workers take about 20 minutes
 * from HostedCluster to everything ready, a deletion about 5.
 */
export const durations = {
  /** From an API server's open port until it serves everything. */
  startUp: seconds(1),
  /** Between the removals of two kinds from a namespace that is being deleted. */
  namespaceKind: seconds(1),
  /** From an accepted HostedCluster to its control-plane namespace. */
  namespace: seconds(10),
  /** From a ClusterUserDefinedNetwork until its namespaces are attached, and from its deletion until it is removed. */
  userDefinedNetwork: seconds(2),
  /** From a Service of type LoadBalancer to its address. */
  loadBalancer: seconds(20),

  /** From the address of the API server's load balancer to a ready etcd. */
  etcd: seconds(60),
  apiServer: seconds(150),
  ignition: seconds(320),
  available: seconds(330),

  /**
   * From power-on to the first report of a discovery agent; for a server with a controller, from the end of its
   * self-test.
   */
  discovery: minutes(3),
  /** A network boot, from the end of the server's self-test. */
  netBoot: {
    /** Until its firmware has an address and requests its boot file; after `noAddress` it gives up. */
    address: seconds(15),
    noAddress: minutes(2),
    loader: seconds(10),
    script: seconds(2),
    /** From a kernel's start to its request for the seed. */
    installer: seconds(60),
    image: minutes(4),
    /** From the start of an installed image to its report. */
    start: seconds(90),
    /** Between two attempts to report. */
    retry: seconds(10),
  },
  /** A DPU's installation, after its firmware and iPXE, which take as long as a server's. */
  dpu: {
    /** From the image's start to its request for the seed, and from that to the end of cloud-init. */
    image: minutes(4),
    cloudInit: seconds(90),
    /** From the start of its agent, or of its system, to the first report. */
    agent: seconds(15),
    /** Between two polls for its network, and from a new network until it is applied. */
    poll: seconds(30),
    apply: seconds(5),
  },
  /** The lifetime of a discovery image's URL. */
  imageUrl: hours(4),
  /** How long an agent is silent before it counts as disconnected. */
  silence: minutes(3),
  /** The limit from a host's release to its registration. */
  reclaim: minutes(60),
  /** From a change of a host's network to the agent's report of it. */
  agentNetwork: seconds(30),
  /** Between two checks whether a fault still holds something up. */
  held: seconds(30),
  /** How long an agent stays in each state. */
  agent: {
    "discovering-unbound": seconds(60),
    binding: seconds(15),
    discovering: seconds(30),
    insufficient: seconds(15),
    known: seconds(30),
    installing: seconds(30),
    "installing-in-progress": seconds(390),
    unbinding: seconds(15),
    reclaiming: seconds(30),
    "reclaiming-rebooting": seconds(90),
  },

  /** From the node's first report to Ready. */
  nodeReady: seconds(30),
  /** Between two cluster operators that need workers. */
  clusterOperator: seconds(24),
  /** The time to drain a node. */
  drain: seconds(45),
  /** The upgrade to another release. */
  upgrade: {
    /** From the HostedCluster's new release until its version operator begins with it. */
    begin: seconds(30),
    /** Between two cluster operators of the new release. */
    operator: seconds(12),
    /** From a drained node to the first report of the new kubelet. */
    reboot: minutes(2),
  },
  /** From an approved signing request to its certificate. */
  signature: seconds(2),
  /** From a request to revoke all customer certificates until none is valid. */
  revocation: minutes(2),
  /** From the end of the last machine to the end of the control plane. */
  teardown: seconds(90),

  /** Inside hosted clusters. */
  guest: {
    /** From a Subscription to the version that its catalog offers. */
    resolve: seconds(15),
    /** From an InstallPlan to its CustomResourceDefinitions and its ClusterServiceVersion. */
    install: seconds(20),
    /** From an installed ClusterServiceVersion to its running operator. */
    rollout: seconds(45),
    /** From a running operator until its webhook answers. */
    webhook: seconds(20),
    /** From a MetalLB object to its running speakers. */
    metalLb: seconds(30),
    /** From a NodeFeatureDiscovery to the labels of its workers. */
    nodeFeatures: seconds(40),
    /** From a node's label to its allocatable GPUs: driver, toolkit, device plugin. */
    gpu: minutes(4),
    /** From a scheduled pod to its running containers. */
    podStart: seconds(10),
    /** How long a Job's containers run. */
    job: seconds(30),
    /** Between two checks of the console that its own name resolves. */
    console: seconds(30),
  },
} as const;
