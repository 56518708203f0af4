import * as z from "zod";
import type { HubApi } from "../../kubernetes/api.ts";
import { holding } from "../../kubernetes/conditions.ts";
import type { KubeObject } from "../../kubernetes/kube-object.ts";
import { done, failed, type Observation, type OperatorRequest, pending } from "../guest.ts";
import { operatorObjects } from "./objects.ts";
import { tellAll } from "./told.ts";

/** Conditions of a Subscription that explain why it makes no progress, the most telling first. */
const troubles = [
  "ResolutionFailed",
  "CatalogSourcesUnhealthy",
  "InstallPlanMissing",
  "InstallPlanPending",
];

/** Reasons for which a version is Failed until OLM tries again. */
const passing = [
  "InstallCheckFailed",
  "InstallComponentFailed",
  "ComponentUnhealthy",
  "NeedsReinstall",
];

const subscriptionStatus = z.object({
  currentCSV: z.string().optional(),
  installedCSV: z.string().optional(),
});

const versionStatus = z.object({
  phase: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
});

/** Subscribes to an operator; done when the version that OLM chose is installed. */
export async function ensureOperator(api: HubApi, operator: OperatorRequest): Promise<Observation> {
  const objects = operatorObjects(operator);
  const said = await tellAll(objects, (object) => api.apply(object));
  if (said) return said;
  const subscription = objects.at(-1);
  return subscription ? observe(api, operator, await api.read(subscription)) : done;
}

async function observe(
  api: HubApi,
  operator: OperatorRequest,
  subscription: KubeObject | undefined,
): Promise<Observation> {
  const title = `operator ${operator.package}`;
  const plan = holding(subscription, "InstallPlanFailed");
  if (plan) return failed(`${title}: ${plan.message}`);
  const { currentCSV, installedCSV } =
    subscriptionStatus.safeParse(subscription?.status).data ?? {};
  const version =
    currentCSV === undefined ? undefined : await readVersion(api, operator, currentCSV);
  if (!version) {
    const trouble = troubles.map((type) => holding(subscription, type)).find(Boolean);
    return pending(`${title}: ${trouble?.message || "its catalog has not answered yet"}`);
  }
  const {
    phase = "Pending",
    reason = "",
    message = "",
  } = versionStatus.safeParse(version.status).data ?? {};
  if (phase === "Succeeded" && installedCSV === currentCSV) return done;
  const words = `${title}: ${currentCSV} is ${phase}${message && ` (${message})`}`;
  return phase === "Failed" && !passing.includes(reason) ? failed(words) : pending(words);
}

const readVersion = (api: HubApi, { namespace }: OperatorRequest, name: string) =>
  api.read({
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "ClusterServiceVersion",
    metadata: { name, namespace },
  });
