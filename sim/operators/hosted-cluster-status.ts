import type { Rollout } from "./cluster-version.ts";
import { conditionsOf, type Finding, kubeTime } from "./conditions.ts";
import type { ControlPlaneHistory, HostedCluster, HostedClusterStatus } from "./objects.ts";

/** The operator's view of a hosted cluster at one moment. */
export interface ControlPlane {
  /** The errors of the order; empty when it is valid. */
  refusals: Finding[];
  version: string;
  /** When the order was accepted, in ms since the epoch; undefined while it is refused. */
  accepted: number | undefined;
  /** The address of the API server's load balancer. */
  address: string | undefined;
  /** The API server's name in the order, and whether it resolves. */
  name: { hostname: string; resolves: boolean } | undefined;
  isEtcdUp: boolean;
  isApiServerUp: boolean;
  isIgnitionUp: boolean;
  isAvailable: boolean;
  /** When the control plane became available. */
  availableAt: number | undefined;
  readyNodes: number;
  /** The hosted cluster's report of its releases. */
  rollout: Rollout | undefined;
}

const asExpected = { reason: "AsExpected", message: "All is well" };

/** The whole status. Endpoint and secret names do not change once they are set. */
export function hostedClusterStatus(
  hosted: HostedCluster,
  control: ControlPlane,
  now: number,
): HostedClusterStatus {
  const { name, generation } = hosted.metadata;
  return {
    conditions: conditionsOf(hosted.status?.conditions, findings(control), { now, generation }),
    ...(control.accepted !== undefined && versions(hosted, control)),
    ...(control.isApiServerUp && {
      // The name for clients; the address if the order has no name.
      controlPlaneEndpoint: { host: control.name?.hostname ?? control.address ?? "", port: 6443 },
      kubeconfig: { name: `${name}-admin-kubeconfig` },
      // A cluster with its own identity provider has no kubeadmin.
      ...(!hosted.spec.configuration?.oauth && {
        kubeadminPassword: { name: `${name}-kubeadmin-password` },
      }),
    }),
    ...(control.isIgnitionUp && {
      ignitionEndpoint: `ignition-server-${hosted.metadata.namespace}-${name}.apps.hub.example.com`,
    }),
  };
}

function versions(
  { spec, metadata }: HostedCluster,
  control: ControlPlane,
): Pick<HostedClusterStatus, "version" | "controlPlaneVersion"> {
  const { accepted = 0, availableAt, rollout } = control;
  // A refused release is no target.
  const [image, version] =
    control.refusals.length > 0 && rollout
      ? [rollout.desired.image, rollout.desired.version]
      : [spec.release.image, control.version];
  const desired = { image, version };
  const state = "Partial";
  const started = { state, image, version, startedTime: kubeTime(accepted) } as const;
  const controlPlane: ControlPlaneHistory =
    availableAt === undefined
      ? started
      : { ...started, state: "Completed", completionTime: kubeTime(availableAt) };
  const history = rollout?.history ?? [{ ...started, verified: false, completionTime: null }];
  const observedGeneration = metadata.generation ?? 1;
  return {
    version: { desired, history, observedGeneration, availableUpdates: null },
    controlPlaneVersion: { desired, history: [controlPlane], observedGeneration },
  };
}

function findings(control: ControlPlane): Finding[] {
  const { refusals, accepted } = control;
  const newest = control.rollout?.history[0];
  const isRolledOut =
    newest?.state === "Completed" && (refusals.length > 0 || newest.version === control.version);
  const isServing = control.rollout?.history.some(({ state }) => state === "Completed") ?? false;
  const refused = (type: string): Finding =>
    refusals.find((refusal) => refusal.type === type) ?? { type, status: true, ...asExpected };
  const rest: Finding[] =
    accepted === undefined
      ? []
      : [
          infrastructure(control),
          ...(control.name ? [externalDns(control.name)] : []),
          etcd(control),
          apiServer(control),
          {
            type: "IgnitionEndpointAvailable",
            status: control.isIgnitionUp,
            reason: control.isIgnitionUp ? "AsExpected" : "IgnitionServerDeploymentNotFound",
            message: control.isIgnitionUp ? "All is well" : "",
          },
          degraded(control),
          dataPlane(control),
          {
            type: "ClusterVersionSucceeding",
            status: isServing ? true : control.isApiServerUp ? false : "Unknown",
            reason: control.isApiServerUp ? "FromClusterVersion" : "StatusUnknown",
            message: isServing ? "" : "Cluster version is not rolled out yet",
          },
          {
            type: "ClusterVersionProgressing",
            status: control.isApiServerUp ? newest?.state !== "Completed" : "Unknown",
            reason: control.isApiServerUp ? "FromClusterVersion" : "StatusUnknown",
            message: control.rollout?.message ?? "",
          },
          { type: "ClusterVersionFailing", status: false, reason: "FromClusterVersion" },
          {
            type: "ClusterVersionUpgradeable",
            status: control.rollout?.fixed === undefined,
            reason: "FromClusterVersion",
            message: control.rollout?.fixed ?? "",
          },
        ];
  return [
    available(control),
    {
      type: "Progressing",
      status: !isRolledOut,
      reason: isRolledOut ? "AsExpected" : refusals.length > 0 ? "Blocked" : "Progressing",
      message: refusals.map(({ message }) => message).join("; "),
    },
    ...rest,
    refused("ValidConfiguration"),
    refused("SupportedHostedCluster"),
    refused("ValidReleaseImage"),
    refused("PlatformCredentialsFound"),
    {
      type: "ReconciliationActive",
      status: true,
      reason: "AsExpected",
      message: "Reconciliation active on resource",
    },
    { type: "ReconciliationSucceeded", status: true, reason: "ReconciliatonSucceeded" },
  ];
}

function available(control: ControlPlane): Finding {
  const type = "Available";
  if (control.isAvailable) {
    return {
      type,
      status: true,
      reason: "AsExpected",
      message: "The hosted control plane is available",
    };
  }
  const [refusal] = control.refusals;
  if (refusal) return { ...refusal, type, status: false };
  if (!control.address) {
    const message = "Waiting for the API server's load balancer to be provisioned";
    return { type, status: false, reason: "WaitingOnInfrastructureReady", message };
  }
  if (!control.isEtcdUp) {
    const message = "Waiting for etcd to reach quorum";
    return { type, status: false, reason: "EtcdWaitingForQuorum", message };
  }
  if (!control.isApiServerUp) {
    const message = "Waiting for hosted control plane kubeconfig to be created";
    return { type, status: false, reason: "KubeconfigWaitingForCreate", message };
  }
  const message = "Waiting for hosted control plane to be healthy";
  return { type, status: false, reason: "WaitingForAvailable", message };
}

function infrastructure({ address }: ControlPlane): Finding {
  const type = "InfrastructureReady";
  if (address) return { type, status: true, ...asExpected };
  const message = "APIServer load balancer is not provisioned; 0 of 1 addresses assigned";
  return { type, status: false, reason: "WaitingOnInfrastructureReady", message };
}

/** The DNS condition: checks only that the name resolves, with Go's message when it does not. */
function externalDns({ hostname, resolves }: NonNullable<ControlPlane["name"]>): Finding {
  const type = "ExternalDNSReachable";
  if (resolves) return { type, status: true, ...asExpected };
  const message = `lookup ${hostname} on 172.30.0.10:53: no such host`;
  return { type, status: false, reason: "ExternalDNSHostNotReachable", message };
}

function etcd({ isEtcdUp, address }: ControlPlane): Finding {
  const type = "EtcdAvailable";
  if (isEtcdUp) return { type, status: true, reason: "QuorumAvailable" };
  const message = address ? "Waiting for etcd to reach quorum" : "";
  const reason = address ? "EtcdWaitingForQuorum" : "StatefulSetNotFound";
  return { type, status: false, reason, message };
}

function apiServer({ isApiServerUp }: ControlPlane): Finding {
  const type = "KubeAPIServerAvailable";
  if (isApiServerUp) return { type, status: true, ...asExpected };
  const message = "Waiting for Kube APIServer deployment to become available";
  return { type, status: false, reason: "WaitingForAvailable", message };
}

/** Components start one after another, so an installation is degraded for a while. */
function degraded({ isEtcdUp, isAvailable }: ControlPlane): Finding {
  if (!isEtcdUp || isAvailable) return { type: "Degraded", status: false, ...asExpected };
  const message = "openshift-apiserver deployment has 3 unavailable replicas";
  return { type: "Degraded", status: true, reason: "UnavailableReplicas", message };
}

function dataPlane({ readyNodes }: ControlPlane): Finding {
  const type = "DataPlaneConnectionAvailable";
  if (readyNodes > 0) return { type, status: true, ...asExpected };
  const message = "No worker nodes available";
  return { type, status: "Unknown", reason: "NoWorkerNodesAvailable", message };
}
