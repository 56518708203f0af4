import { durations } from "../durations.ts";
import type { KubeCluster } from "../kubernetes/cluster.ts";
import { conditionsOf, type Finding } from "../operators/conditions.ts";
import type { Controller } from "../operators/control-loop.ts";
import type { Marks } from "../operators/marks.ts";
import { read } from "../operators/objects.ts";
import type { Pod } from "./objects.ts";
import { bind, placeFor } from "./scheduler.ts";

type Container = Pod["spec"]["containers"][number];

/** A container's command, as it appears in its log. */
const commandOf = ({ image, command = [], args = [] }: Container): string =>
  [...command, ...args].join(" ") || image;

/** Whether containers fail: those with `fail` in their image or command. */
export const isToFail = (containers: Container[]): boolean =>
  containers.some((container) => /\bfail\b/.test(`${container.image} ${commandOf(container)}`));

/** Scheduler and kubelets: start pods once a node has room, and end pods of Jobs. */
export function pods(cluster: KubeCluster, marks: Marks): Controller {
  const waiting = () =>
    cluster
      .list("Pod")
      .filter((pod) => !read<Pod>(pod).spec.nodeName)
      .map(({ metadata }) => metadata);
  return {
    kind: "Pod",
    // The end of a pod makes room for a waiting one.
    also: { Node: waiting, Pod: waiting },
    reconcile(object) {
      const pod = read<Pod>(object);
      const { uid } = pod.metadata;
      const { phase } = pod.status ?? {};
      if (phase === "Succeeded" || phase === "Failed") return undefined;
      if (!pod.spec.nodeName) {
        const place = placeFor(cluster, pod.spec);
        if ("message" in place) {
          setStatus(cluster, pod, "Pending", unschedulable(place.message));
          return undefined;
        }
        bind(cluster, pod, place.node);
      }
      const started = marks.begin(uid, "placed") + durations.guest.podStart;
      const ends = started + durations.guest.job;
      const now = cluster.clock.now();
      if (now < started) {
        setStatus(cluster, pod, "Pending", scheduled);
        return started;
      }
      if (pod.spec.restartPolicy !== "Never" && pod.spec.restartPolicy !== "OnFailure") {
        setStatus(cluster, pod, "Running", scheduled);
        return undefined;
      }
      if (now < ends) {
        setStatus(cluster, pod, "Running", scheduled);
        return ends;
      }
      const outcome = isToFail(pod.spec.containers) ? "Failed" : "Succeeded";
      setStatus(cluster, pod, outcome, scheduled);
      return undefined;
    },
    gone: ({ metadata }) => marks.forget(metadata.uid),
  };
}

const scheduled: Finding = { type: "PodScheduled", status: true, reason: "" };
const unschedulable = (message: string): Finding => ({
  type: "PodScheduled",
  status: false,
  reason: "Unschedulable",
  message,
});

function setStatus(
  cluster: KubeCluster,
  { metadata, spec, status }: Pod,
  phase: NonNullable<Pod["status"]>["phase"],
  finding: Finding,
): void {
  cluster.patchStatus("Pod", metadata.namespace, metadata.name, () => ({
    phase,
    conditions: conditionsOf(status?.conditions, [finding], { now: cluster.clock.now() }),
    ...(finding.status === true && {
      containerStatuses: spec.containers.map((container) => ({
        name: container.name,
        image: container.image,
        ready: phase === "Running",
        state: stateOf(container, phase),
      })),
    }),
  }));
}

function stateOf(container: Container, phase: NonNullable<Pod["status"]>["phase"]): object {
  if (phase === "Pending") return { waiting: { reason: "ContainerCreating" } };
  if (phase === "Running") return { running: {} };
  if (!isToFail([container])) return { terminated: { exitCode: 0, reason: "Completed" } };
  const message = `${commandOf(container)}: told to fail`;
  const shown = container.terminationMessagePolicy === "FallbackToLogsOnError" && { message };
  return { terminated: { exitCode: 1, reason: "Error", ...shown } };
}
