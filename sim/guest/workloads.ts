import { seconds } from "../../core/clock.ts";
import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { conditionsOf, type Finding, kubeTime } from "../operators/conditions.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { ownedBy, read } from "../operators/objects.ts";
import type { Deployment, Job, Pod } from "./objects.ts";
import { isToFail } from "./pods.ts";
import { placeFor } from "./scheduler.ts";

const jobLabel = "batch.kubernetes.io/job-name";
/** The pause after a Job's first failed pod; it doubles each time. */
const backoff = seconds(10);

/** The Job controller: one pod after another, until enough have succeeded or too many have failed. */
export function jobs(cluster: KubeCluster, marks: Marks): Controller {
  return {
    kind: "Job",
    also: {
      Pod: ({ metadata: { namespace = "", labels } }) => {
        const name = labels?.[jobLabel];
        return name ? [{ namespace, name }] : [];
      },
    },
    reconcile(object) {
      const job = read<Job>(object);
      const { uid, namespace = "", name } = job.metadata;
      if ((job.status?.conditions ?? []).length > 0) return undefined;
      const labelSelector = `${jobLabel}=${name}`;
      const phases = cluster
        .list("Pod", { namespace, labelSelector })
        .map((pod) => read<Pod>(pod).status?.phase);
      const succeeded = phases.filter((phase) => phase === "Succeeded").length;
      const failed = phases.filter((phase) => phase === "Failed").length;
      const active = phases.length - succeeded - failed;
      const end = endOf(job, succeeded, failed);
      const now = cluster.clock.now();
      cluster.patchStatus("Job", namespace, name, (status) => ({
        startTime: kubeTime(marks.begin(uid, "started")),
        ...status,
        active,
        succeeded,
        failed,
        ...(end && { conditions: conditionsOf(undefined, [end], { now }) }),
        ...(end?.type === "Complete" && { completionTime: kubeTime(now) }),
      }));
      if (end || active > 0) return undefined;
      const wait = failed === 0 ? 0 : backoff * 2 ** (failed - 1);
      const due = marks.begin(uid, `failed-${failed}`) + wait;
      if (now < due) return due;
      createPod(cluster, job);
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function endOf({ spec }: Job, succeeded: number, failed: number): Finding | undefined {
  if (succeeded >= spec.completions) {
    const message = "Reached expected number of succeeded pods";
    return { type: "Complete", status: true, reason: "CompletionsReached", message };
  }
  if (failed <= spec.backoffLimit) return undefined;
  const message = "Job has reached the specified backoff limit";
  return { type: "Failed", status: true, reason: "BackoffLimitExceeded", message };
}

function createPod(cluster: KubeCluster, job: Job): void {
  const { namespace, name } = job.metadata;
  const { metadata, spec } = job.spec.template;
  cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      ...(namespace && { namespace }),
      generateName: `${name}-`,
      labels: { ...metadata?.labels, [jobLabel]: name },
      ownerReferences: [{ ...ownedBy(job), controller: true }],
    },
    spec,
  });
}

/** The Deployment controller: writes only the status of a Deployment, and creates no pods. */
export function deployments(cluster: KubeCluster, marks: Marks): Controller {
  const all = () => cluster.list("Deployment").map(({ metadata }) => metadata);
  return {
    kind: "Deployment",
    also: { Node: all },
    reconcile(object) {
      const deployment = read<Deployment>(object);
      const { uid } = deployment.metadata;
      const { replicas, template, progressDeadlineSeconds } = deployment.spec;
      const now = cluster.clock.now();
      const canRun =
        "node" in placeFor(cluster, template.spec) && !isToFail(template.spec.containers);
      const deadline = marks.begin(uid, "asked") + seconds(progressDeadlineSeconds);
      const due = canRun ? marks.begin(uid, "placed") + durations.guest.podStart : undefined;
      const isUp = due !== undefined && now >= due;
      setStatus(cluster, deployment, isUp ? replicas : 0, !isUp && now >= deadline);
      if (isUp) return undefined;
      return due ?? (now < deadline ? deadline : undefined);
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

function setStatus(
  cluster: KubeCluster,
  { metadata, spec, status }: Deployment,
  available: number,
  isLate: boolean,
): void {
  const { namespace, name } = metadata;
  const isUp = available === spec.replicas;
  const findings: Finding[] = [
    isUp
      ? { type: "Available", status: true, reason: "MinimumReplicasAvailable" }
      : {
          type: "Available",
          status: false,
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
    isLate
      ? {
          type: "Progressing",
          status: false,
          reason: "ProgressDeadlineExceeded",
          message: `ReplicaSet "${name}" has timed out progressing.`,
        }
      : {
          type: "Progressing",
          status: true,
          reason: isUp ? "NewReplicaSetAvailable" : "ReplicaSetUpdated",
        },
  ];
  cluster.patchStatus("Deployment", namespace, name, () => ({
    replicas: spec.replicas,
    readyReplicas: available,
    availableReplicas: available,
    conditions: conditionsOf(status?.conditions, findings, { now: cluster.clock.now() }),
  }));
}
