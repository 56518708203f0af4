import * as z from "zod";
import type { HubApi } from "../../kubernetes/api.ts";
import { conditionOf, holding } from "../../kubernetes/conditions.ts";
import type { KubeObject } from "../../kubernetes/kube-object.ts";
import { failed, type GuestObservation, guestDone, guestPending, type Manifest } from "../guest.ts";
import { testNamespace } from "./objects.ts";
import { tellAll, tellGuest } from "./told.ts";

const { name: namespace } = testNamespace.metadata;

/** Observes each kind that can succeed. */
const looks: Record<string, (api: HubApi, object: KubeObject) => Promise<GuestObservation>> = {
  Job: observeJob,
  Deployment: async (_, object) => observeDeployment(object),
};

/** Applies the test workload and observes its Jobs and Deployments; the first failure decides. */
export async function ensureTestWorkload(
  api: HubApi,
  manifests: Manifest[],
): Promise<GuestObservation> {
  const objects = manifests.map((manifest) => inTestNamespace(manifest));
  const watched = objects.filter(({ kind }) => Object.hasOwn(looks, kind));
  if (watched.length === 0) return failed("the test workload has no Job and no Deployment");
  const refused =
    (await tellGuest(testNamespace, (object) => api.apply(object))) ??
    (await tellAll(objects, (object) => api.applyStrictly(object)));
  if (refused) return refused;

  const observations: GuestObservation[] = [];
  for (const object of watched) {
    const found = await api.read(object);
    const look = looks[object.kind];
    observations.push(found && look ? await look(api, found) : guestPending(`test ${object.kind}`));
  }
  const byState = (state: GuestObservation["state"]) =>
    observations.find((one) => one.state === state);
  return byState("failed") ?? byState("pending") ?? guestDone;
}

/** Deletes the namespace, and everything with it. */
export async function removeTestWorkload(api: HubApi): Promise<GuestObservation> {
  await api.remove(testNamespace);
  const left = await api.read(testNamespace);
  return left ? guestPending(`Namespace ${namespace} to be gone`) : guestDone;
}

const jobShape = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        containers: z.array(z.looseObject({ terminationMessagePolicy: z.string().optional() })),
      }),
    }),
  }),
});

/**
 * The manifest in the test's namespace. A Job's container reports the end of its log as its termination
 * message.
 */
function inTestNamespace(manifest: Manifest): Manifest {
  const placed = { ...manifest, metadata: { ...manifest.metadata, namespace } };
  if (manifest.kind !== "Job") return placed;
  const job = jobShape.safeParse(manifest).data;
  // Malformed; the cluster will refuse it.
  if (!job) return placed;
  const { spec } = job;
  const containers = spec.template.spec.containers.map((container) => ({
    terminationMessagePolicy: "FallbackToLogsOnError",
    ...container,
  }));
  const template = { ...spec.template, spec: { ...spec.template.spec, containers } };
  return { ...placed, spec: { ...spec, template } };
}

async function observeJob(api: HubApi, job: KubeObject): Promise<GuestObservation> {
  if (holding(job, "Complete")) return guestDone;
  const { name } = job.metadata;
  const failure = holding(job, "Failed");
  const selection = { namespace, labelSelector: `batch.kubernetes.io/job-name=${name}` };
  const pods = await api.listAll("v1", "Pod", selection);
  const words = pods.flatMap((pod) => wordsOf(pod));
  const last = words.length > 0 ? `: ${words.at(-1)}` : "";
  if (!failure) return guestPending(`test Job ${name} to complete${last}`);
  return failed(`test Job ${name} failed: ${failure.message || failure.reason}${last}`);
}

function observeDeployment(deployment: KubeObject): GuestObservation {
  const { name } = deployment.metadata;
  if (holding(deployment, "Available")) return guestDone;
  const progress = conditionOf(deployment, "Progressing");
  if (progress?.status === "False" && progress.reason === "ProgressDeadlineExceeded") {
    return failed(`test Deployment ${name} failed: ${progress.message}`);
  }
  const why = conditionOf(deployment, "Available")?.message;
  return guestPending(`test Deployment ${name} to be available${why ? `: ${why}` : ""}`);
}

const ended = z.object({
  exitCode: z.number(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
const waits = z.object({ reason: z.string().optional(), message: z.string().optional() });
const podStatus = z.object({
  containerStatuses: z
    .array(z.object({ state: z.object({ terminated: ended, waiting: waits }).partial() }))
    .default([]),
});

/** A pod's problems; empty if it has none. */
function wordsOf(pod: KubeObject): string[] {
  const scheduled = conditionOf(pod, "PodScheduled");
  if (scheduled?.status === "False") return [scheduled.message ?? "its pod is not scheduled"];
  const containers = podStatus.safeParse(pod.status).data?.containerStatuses ?? [];
  return containers.flatMap(({ state: { terminated, waiting } }) => {
    if (terminated && terminated.exitCode !== 0) {
      const words = terminated.message?.trim() || terminated.reason || "no message";
      return [`exit code ${terminated.exitCode}, ${words}`];
    }
    return waiting?.message ? [`${waiting.reason}, ${waiting.message}`] : [];
  });
}
