import { minutes, seconds } from "../core/clock.ts";

/**
 * How long the simulated world takes, in simulated milliseconds. Two workers take about 20 minutes
 * from HostedCluster to everything ready, a deletion about 5.
 */
export const durations = {
  /** From an API server's open port to all that it serves. */
  startUp: seconds(1),
  /** Between one kind and the next that goes out of a namespace that is being removed. */
  namespaceKind: seconds(1),
  /** From an accepted HostedCluster to its control-plane namespace. */
  namespace: seconds(10),
  /** From a Service of type LoadBalancer to its address. */
  loadBalancer: seconds(20),

  /** Since the API server's load balancer has its address. */
  etcd: seconds(60),
  apiServer: seconds(150),
  ignition: seconds(320),
  available: seconds(330),

  /** From power-on to the first word of a discovery agent. */
  discovery: minutes(3),
  /** From a change of a host's network to what its agent is known to have. */
  agentNetwork: seconds(30),
  /** How long an agent stays in a state before it goes on. */
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

  /** From the node's first word to Ready. */
  nodeReady: seconds(30),
  /** Between one cluster operator that needs workers and the next. */
  clusterOperator: seconds(24),
  /** Moving the pods off a node. */
  drain: seconds(45),
  /** A move to another release. */
  upgrade: {
    /** From a HostedCluster's new release to its version operator working towards it. */
    begin: seconds(30),
    /** Between one cluster operator of the new release and the next. */
    operator: seconds(12),
    /** From a drained node to the first word of its new kubelet. */
    reboot: minutes(2),
  },
  /** From an approved signing request to its certificate. */
  signature: seconds(2),
  /** From a wish to revoke all certificates of customers to none of them counting. */
  revocation: minutes(2),
  /** From the last machine gone to the control plane gone. */
  teardown: seconds(90),

  /** Inside hosted clusters. */
  guest: {
    /** From a Subscription to the version that its catalog offers. */
    resolve: seconds(15),
    /** From an InstallPlan to its definitions and its version. */
    install: seconds(20),
    /** From a version to its operator running. */
    rollout: seconds(45),
    /** From an operator running to its webhook answering. */
    webhook: seconds(20),
    /** From a MetalLB object to its speakers running. */
    metalLb: seconds(30),
    /** From a NodeFeatureDiscovery to its workers' labels. */
    nodeFeatures: seconds(40),
    /** From a node's label to its GPUs on offer: driver, toolkit, device plugin. */
    gpu: minutes(4),
    /** From a pod to its containers running. */
    podStart: seconds(10),
    /** How long the containers of a Job run. */
    job: seconds(30),
    /** Between a console's looks at its own name. */
    console: seconds(30),
  },
} as const;
